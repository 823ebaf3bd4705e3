#include "twin/live_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace wattflex::twin {
namespace {

constexpr JobPlan kPlan{.seed = 3,
                        .step_s = 2,
                        .loading_s = 10,
                        .starting_s = 20,
                        .evaluation_steps = 5,
                        .checkpoint_s = 7,
                        .evaluate_every = 10,
                        .checkpoint_every = 20,
                        .steps = 100};

std::vector<JobEvent> run(JobProgress& progress, const JobPlan& plan, double until) {
  std::vector<JobEvent> events;
  while (next_event_s(progress) <= until)
    advance(progress, plan, Seconds(until), [&](const JobEvent& event) { events.push_back(event); });
  advance(progress, plan, Seconds(until), [&](const JobEvent& event) { events.push_back(event); });
  return events;
}

JobProgress begun(double pace) {
  JobProgress progress = begin_job(kPlan, Seconds(0));
  change_pace(progress, pace);
  return progress;
}

std::size_t count(const std::vector<JobEvent>& events, JobEventKind kind) {
  return static_cast<std::size_t>(std::ranges::count(events, kind, &JobEvent::kind));
}

TEST(LiveJob, DoesItsStepsEvaluationsAndCheckpointsAndEnds) {
  JobProgress progress = begun(0.5);
  const auto events = run(progress, kPlan, 1000);
  EXPECT_EQ(progress.phase, JobPhase::finished);
  EXPECT_EQ(progress.steps, 100U);
  EXPECT_EQ(count(events, JobEventKind::step), 100U);
  EXPECT_EQ(count(events, JobEventKind::evaluation_done), 10U);
  EXPECT_EQ(count(events, JobEventKind::checkpoint_done), 5U);
  EXPECT_EQ(count(events, JobEventKind::training_began), 1U);
  EXPECT_EQ(events.front().time_s, 30);
  EXPECT_EQ(next_event_s(progress), kNever);
}

// 100 steps and 10 evaluations of 5 steps' worth at half a step a second, 5 checkpoints of 7 s, 30 s before.
// A step's work scatters by 0.9 % sqrt(5 / 2), so 100 of them by 0.14 steps: four of these.
TEST(LiveJob, TakesTheTimeItsWorkTakes) {
  JobProgress progress = begun(0.5);
  const auto events = run(progress, kPlan, 10'000);
  EXPECT_NEAR(events.back().time_s, 30 + 150 / 0.5 + 35, 4 * 0.142 / 0.5);
}

TEST(LiveJob, IsTheSameHoweverOftenItIsLookedAt) {
  JobProgress once = begun(0.7);
  run(once, kPlan, 123.4);
  JobProgress often = begun(0.7);
  for (int look = 0; look < 333; ++look) run(often, kPlan, 0.37 * look);
  run(often, kPlan, 123.4);
  EXPECT_EQ(once.phase, often.phase);
  EXPECT_EQ(once.steps, often.steps);
  EXPECT_NEAR(once.left, often.left, 1e-9);
}

TEST(LiveJob, KeepsTheWorkDoneWhenItsPaceChanges) {
  JobProgress progress = begun(1);
  run(progress, kPlan, 30.4);
  const double left = progress.left;
  change_pace(progress, 0.1);
  EXPECT_EQ(progress.left, left);
  EXPECT_NEAR(next_event_s(progress), 30.4 + left / 0.1, 1e-9);
}

TEST(LiveJob, DoesNotHurryItsCheckpoints) {
  for (const double pace : {0.1, 1.0, 10.0}) {
    JobProgress progress = begun(pace);
    double before = 0;
    for (const JobEvent& event : run(progress, kPlan, 10'000)) {
      if (event.kind == JobEventKind::checkpoint_done) {
        EXPECT_NEAR(event.time_s - before, 7, 1e-9);
      }
      before = event.time_s;
    }
  }
}

TEST(LiveJob, DrawsTheWorkOfAStepFromSeedAndNumberAlone) {
  EXPECT_EQ(step_work(kPlan, 17), step_work(kPlan, 17));
  EXPECT_NE(step_work(kPlan, 17), step_work(kPlan, 18));
  JobPlan other = kPlan;
  other.seed = 4;
  EXPECT_NE(step_work(kPlan, 17), step_work(other, 17));
  // Very short steps scatter much and still take time.
  other.step_s = 0.001;
  for (std::uint64_t step = 0; step < 1000; ++step) EXPECT_GE(step_work(other, step), 0.2);
}

}  // namespace
}  // namespace wattflex::twin
