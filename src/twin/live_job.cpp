#include "twin/live_job.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace wattflex::twin {
namespace {

constexpr double kRateSd = 0.009;  // of 5 s
constexpr double kRateWindow = 5;
constexpr double kLeastWork = 0.2;  // of a very short step, so that none takes no time

bool is_timed(JobPhase phase) {
  return phase == JobPhase::loading || phase == JobPhase::starting || phase == JobPhase::checkpoint;
}

bool falls_on(std::uint64_t steps, std::uint64_t every) {
  return every != 0 && steps != 0 && steps % every == 0;
}

void train(JobProgress& progress, const JobPlan& plan) {
  if (plan.steps != 0 && progress.steps >= plan.steps) {
    progress.phase = JobPhase::finished;
    progress.left = 0;
    return;
  }
  progress.phase = JobPhase::training;
  progress.step_work = step_work(plan, progress.steps);
  progress.left = progress.step_work;
}

// What comes after the step or phase that has just ended.
void begin_next(JobProgress& progress, const JobPlan& plan) {
  const bool after_step = progress.phase == JobPhase::training;
  if (progress.phase == JobPhase::loading) {
    progress.phase = JobPhase::starting;
    progress.left = plan.starting_s;
  } else if (after_step && falls_on(progress.steps, plan.evaluate_every)) {
    progress.phase = JobPhase::evaluation;
    progress.left = plan.evaluation_steps;
  } else if ((after_step || progress.phase == JobPhase::evaluation) &&
             falls_on(progress.steps, plan.checkpoint_every)) {
    progress.phase = JobPhase::checkpoint;
    progress.left = plan.checkpoint_s;
  } else {
    train(progress, plan);
  }
}

JobEventKind kind_of_end(JobPhase phase) {
  switch (phase) {
    case JobPhase::evaluation:
      return JobEventKind::evaluation_done;
    case JobPhase::checkpoint:
      return JobEventKind::checkpoint_done;
    case JobPhase::starting:
      return JobEventKind::training_began;
    default:
      return JobEventKind::step;
  }
}

}  // namespace

double step_work(const JobPlan& plan, std::uint64_t step) {
  RandomStream random(plan.seed, step);
  return std::max(kLeastWork, 1 + kRateSd * std::sqrt(kRateWindow / plan.step_s) * random.normal());
}

JobProgress begin_job(const JobPlan& plan, Seconds time) {
  JobProgress progress;
  progress.time_s = time.count();
  progress.left = plan.loading_s;
  return progress;
}

double next_event_s(const JobProgress& progress) {
  if (progress.phase == JobPhase::finished) return kNever;
  return progress.time_s + (is_timed(progress.phase) ? progress.left : progress.left / progress.pace);
}

bool advance(JobProgress& progress, const JobPlan& plan, Seconds until,
             const std::function<void(const JobEvent&)>& tell) {
  const double event = next_event_s(progress);
  if (event > until.count()) {
    const double time = std::max(0.0, until.count() - progress.time_s);
    if (progress.phase != JobPhase::finished)
      progress.left -= is_timed(progress.phase) ? time : time * progress.pace;
    progress.time_s = std::max(progress.time_s, until.count());
    return false;
  }
  const JobPhase before = progress.phase;
  progress.time_s = event;
  if (before == JobPhase::training) ++progress.steps;
  if (before != JobPhase::loading) tell({event, progress.steps, kind_of_end(before)});
  begin_next(progress, plan);
  return progress.phase != before;
}

void change_pace(JobProgress& progress, double pace) {
  progress.pace = pace;
}

double step_phase(const JobProgress& progress) {
  if (progress.phase != JobPhase::training) return 0;
  return std::clamp(1 - progress.left / progress.step_work, 0.0, 1.0);
}

}  // namespace wattflex::twin
