// The robust mean of step times against closed forms.
#include "ingest/logs/step_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace wattflex::logs {
namespace {

TEST(StepTimes, OfEqualStepsAreExact) {
  StepTimes times;
  for (int i = 0; i < 100; ++i) times.add({.step_time = 9.5, .tokens = 1 << 20});
  const auto typical = times.typical();
  ASSERT_TRUE(typical);
  EXPECT_DOUBLE_EQ(typical->step_time, 9.5);
  EXPECT_NEAR(typical->step_time_stderr.value_or(1), 0, 1e-9);
  EXPECT_NEAR(typical->tokens_per_s.value_or(0), 1048576 / 9.5, 1e-6);
  EXPECT_EQ(typical->readings, 100U);
}

TEST(StepTimes, DropWarmUpAndStalls) {
  StepTimes times;
  times.add({.step_time = 0.002, .tokens = 100});
  times.add({.step_time = 45, .tokens = 100});
  for (int i = 0; i < 50; ++i) times.add({.step_time = i % 2 == 0 ? 1.99 : 2.01, .tokens = 100});
  times.add({.step_time = 185, .tokens = 100});
  const auto typical = times.typical();
  ASSERT_TRUE(typical);
  EXPECT_EQ(typical->dropped, 3U);
  EXPECT_NEAR(typical->step_time, 2, 1e-12);
  // Sample deviation 0.01 sqrt(50/49), of the mean by sqrt(50).
  EXPECT_NEAR(typical->step_time_stderr.value_or(0), 0.01 / std::sqrt(49), 1e-9);
  EXPECT_NEAR(typical->tokens_per_s.value_or(0), 50, 1e-9);
  EXPECT_NEAR(typical->dropped_excess_time, 45 + 185 - 2 * 2, 1e-9);
}

// Mean 2, deviation 0.02: the standard error must cover the mean about as often as it promises.
TEST(StepTimes, GiveAnHonestStandardError) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(2, 0.02);
  int covered = 0;
  for (int run = 0; run < 400; ++run) {
    StepTimes times;
    for (int i = 0; i < 60; ++i) times.add({.step_time = normal(random)});
    const auto typical = times.typical();
    ASSERT_TRUE(typical && typical->step_time_stderr);
    if (std::abs(typical->step_time - 2) <= 1.96 * *typical->step_time_stderr) ++covered;
  }
  // 95 % of 400 are 380 with a deviation of 4.4; trimming takes a little.
  EXPECT_GE(covered, 366);
  EXPECT_LE(covered, 394);
}

TEST(StepTimes, WeighReadingsByTheirSteps) {
  StepTimes times;
  times.add({.step_time = 2.00, .steps = 10, .tokens = 50});
  times.add({.step_time = 2.02, .steps = 30, .tokens = 50});
  const auto typical = times.typical();
  ASSERT_TRUE(typical);
  EXPECT_DOUBLE_EQ(typical->step_time, (20 + 60.6) / 40);
  EXPECT_DOUBLE_EQ(typical->tokens_per_s.value_or(0), 2000 / 80.6);
}

TEST(StepTimes, KnowTheirMedianWhileTheyCome) {
  StepTimes times;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(1, 3);
  std::vector<double> all;
  for (int i = 0; i < 2001; ++i) {
    all.push_back(uniform(random));
    times.add({.step_time = all.back()});
    if (i < 2) {
      EXPECT_EQ(times.running_median(), std::nullopt);
    }
    if (i % 100 != 2) continue;
    std::vector<double> sorted = all;
    std::ranges::sort(sorted);
    EXPECT_NEAR(times.running_median().value_or(0), sorted[sorted.size() / 2],
                0.005 * sorted[sorted.size() / 2])
        << i;
  }
}

TEST(StepTimes, LeaveOutWhatIsNoTime) {
  StepTimes times;
  for (const double bad : {0.0, -1.0, std::nan(""), double{INFINITY}}) times.add({.step_time = bad});
  times.add({.step_time = 1, .steps = 0});
  EXPECT_EQ(times.readings(), 0U);
  EXPECT_FALSE(times.typical());
  for (const double extreme : {1e-12, 1e12}) times.add({.step_time = extreme});
  EXPECT_EQ(times.readings(), 2U);
  times.clear();
  EXPECT_FALSE(times.typical());
}

}  // namespace
}  // namespace wattflex::logs
