// A training job in time: loading, starting up, then steps with evaluations and checkpoints between them.
// Where it is at a moment follows from where it was and its pace; the pace is whatever the slowest of its
// GPUs allows, and only changes at moments the caller names. Plain values, as they also lie in shared memory.
// No draw here (gpu_load.h).
//
// A step's work is 1 + e, e normal with the published scatter of a rate, 0.9 % over 5 s, independent from
// step to step and drawn from the seed and the step's number. An evaluation is work too (forward passes slow
// with the clock); a checkpoint takes its time whatever the clock.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "base/quantity.h"

namespace wattflex::twin {

enum class JobPhase : std::uint8_t { loading, starting, training, evaluation, checkpoint, finished };

struct JobPlan {
  std::uint64_t seed = 1;
  double step_s = 1;  // uncapped, for the scatter
  double loading_s = 18;
  double starting_s = 42;
  double evaluation_steps = 0;  // worth of work
  double checkpoint_s = 0;
  std::uint64_t evaluate_every = 0;    // steps; 0: never
  std::uint64_t checkpoint_every = 0;  // steps; 0: never
  std::uint64_t steps = 0;             // 0: no end
};

struct JobProgress {
  JobPhase phase = JobPhase::loading;
  double time_s = 0;        // when all this holds
  double left = 0;          // of the phase, or of the step: seconds, or steps' worth of work
  double step_work = 1;     // of the step under way
  double pace = 1;          // steps' worth of work a second
  std::uint64_t steps = 0;  // done
};

enum class JobEventKind : std::uint32_t { training_began, step, evaluation_done, checkpoint_done };

struct JobEvent {
  double time_s = 0;
  std::uint64_t steps = 0;  // done by then
  JobEventKind kind = JobEventKind::step;
};

inline constexpr double kNever = std::numeric_limits<double>::infinity();

JobProgress begin_job(const JobPlan& plan, Seconds time);
// When the phase ends or the step is done, if the pace stays; kNever when finished.
double next_event_s(const JobProgress& progress);
// Goes on to the next event, which must not lie after `until`, or to `until`. Returns whether the phase has
// changed. `tell` hears of every event.
bool advance(JobProgress& progress, const JobPlan& plan, Seconds until,
             const std::function<void(const JobEvent&)>& tell);
// From the moment of the progress on.
void change_pace(JobProgress& progress, double pace);
// How far the step under way has come, 0..1; 0 outside training.
double step_phase(const JobProgress& progress);
double step_work(const JobPlan& plan, std::uint64_t step);

}  // namespace wattflex::twin
