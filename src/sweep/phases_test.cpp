#include "sweep/phases.h"

#include <gtest/gtest.h>

#include <vector>

namespace wattflex::sweep {
namespace {

struct Stretch {
  int samples;
  double framebuffer_gib;
  double gpu_utilization;
};

RunSamples run_of(const std::vector<Stretch>& stretches) {
  RunSamples run;
  run.gpus = 1;
  for (const Stretch& stretch : stretches) {
    for (int i = 0; i < stretch.samples; ++i) {
      const Seconds time{5.0 * static_cast<double>(run.samples.size() + 1)};
      run.samples.push_back({time, stretch.framebuffer_gib, stretch.gpu_utilization, 100.0});
      run.gpu_power.push_back(Power::from_watts(500));
    }
  }
  return run;
}

TEST(Phases, AreWarmupThenStartupThenTraining) {
  const auto phases = detect_phases(run_of({{4, 1, 0}, {6, 80, 0}, {50, 120, 1}}));
  ASSERT_TRUE(phases) << phases.error().message;
  EXPECT_EQ(phases->startup_begin, 4U);
  EXPECT_EQ(phases->training_begin, 10U);
  EXPECT_EQ(phases->training_end, 60U);
  EXPECT_EQ(phases->training_samples(), 50U);
}

TEST(Phases, WarmupEndsAtTenGibExactly) {
  EXPECT_EQ(detect_phases(run_of({{4, 9.999, 0}, {6, 10, 0}, {50, 120, 1}}))->startup_begin, 4U);
}

TEST(Phases, TrainingNeedsHalfUtilization) {
  EXPECT_FALSE(detect_phases(run_of({{4, 1, 0}, {60, 120, 0.499}})));
  EXPECT_TRUE(detect_phases(run_of({{4, 1, 0}, {60, 120, 0.5}})));
}

TEST(Phases, TwoBusySamplesDuringStartupAreNotTraining) {
  const auto phases = detect_phases(run_of({{2, 1, 0}, {3, 80, 0}, {2, 80, 0.9}, {3, 80, 0}, {50, 120, 1}}));
  EXPECT_EQ(phases->training_begin, 10U);
  const auto three = detect_phases(run_of({{2, 1, 0}, {3, 80, 0}, {3, 80, 0.9}, {3, 80, 0}, {50, 120, 1}}));
  EXPECT_EQ(three->training_begin, 5U);
}

TEST(Phases, ACheckpointDoesNotEndTraining) {
  const auto phases = detect_phases(run_of({{2, 1, 0}, {3, 80, 0}, {50, 120, 1}, {6, 120, 0}, {40, 120, 1}}));
  EXPECT_EQ(phases->training_samples(), 96U);
}

TEST(Phases, TheIdleEndOfARunIsNotTraining) {
  const auto phases = detect_phases(run_of({{2, 1, 0}, {3, 80, 0}, {50, 120, 1}, {10, 120, 0}}));
  EXPECT_EQ(phases->training_end, 55U);
}

TEST(Phases, ARunThatNeverLoadedOrNeverTrainedHasNone) {
  const auto unloaded = detect_phases(run_of({{60, 5, 1}}));
  ASSERT_FALSE(unloaded);
  EXPECT_EQ(unloaded.error().kind, ErrorKind::no_data);
  EXPECT_NE(unloaded.error().message.find("warmup"), std::string::npos);
  EXPECT_EQ(detect_phases(run_of({{60, 80, 0}})).error().kind, ErrorKind::no_data);
  EXPECT_EQ(detect_phases(RunSamples()).error().kind, ErrorKind::no_data);
}

TEST(Phases, NineteenSamplesOfTrainingAreTooFewAndTwentyAreNot) {
  EXPECT_FALSE(detect_phases(run_of({{2, 1, 0}, {19, 120, 1}})));
  EXPECT_TRUE(detect_phases(run_of({{2, 1, 0}, {20, 120, 1}})));
}

}  // namespace
}  // namespace wattflex::sweep
