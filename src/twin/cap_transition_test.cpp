#include "twin/cap_transition.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wattflex::twin {
namespace {

constexpr Transition kBoth[] = {Transition::lower, Transition::raise};

TEST(CapTransition, GoesFromTheWholeChangeToNone) {
  for (const Transition each : kBoth) {
    EXPECT_EQ(remaining(each, Seconds(0)), 1);
    EXPECT_EQ(remaining(each, kTransitionTime), 0);
    EXPECT_EQ(remaining(each, Seconds(100)), 0);
  }
  EXPECT_EQ(remaining(Transition::none, Seconds(0)), 0);
}

// The public figures: down within 20 to 50 ms, 7 % too far; up after 100 ms, settled (98 %) at 0.6 s.
TEST(CapTransition, TakesAsLongAsMeasured) {
  EXPECT_EQ(remaining(Transition::lower, Seconds(0.0199)), 1);
  EXPECT_LT(remaining(Transition::lower, Seconds(0.0205)), 1);
  EXPECT_NEAR(remaining(Transition::lower, Seconds(0.050)), -0.07, 1e-9);
  EXPECT_EQ(remaining(Transition::raise, Seconds(0.0999)), 1);
  EXPECT_LT(remaining(Transition::raise, Seconds(0.105)), 1);
  EXPECT_NEAR(remaining(Transition::raise, Seconds(0.6)), 0.02, 0.002);
}

TEST(CapTransition, HasTheIntegralOfItsRemainder) {
  constexpr double kStep = 1e-5;
  for (const Transition each : kBoth) {
    double sum = 0;
    int steps = 0;
    for (const int until : {1'000, 3'000, 5'000, 10'000, 30'000, 120'000, 200'000}) {
      for (; steps < until; ++steps) sum += kStep * remaining(each, Seconds((steps + 0.5) * kStep));
      EXPECT_NEAR(remaining_integral(each, Seconds(until * kStep)), sum, 2e-6) << until;
    }
    EXPECT_NEAR(pace_lag(each).count(), sum, 2e-6);
  }
}

TEST(CapTransition, IsContinuousButForItsBeginning) {
  for (const Transition each : kBoth) {
    for (int i = 0; i < 13'000; ++i) {
      EXPECT_LT(std::abs(remaining(each, Seconds((i + 1) * 1e-4)) - remaining(each, Seconds(i * 1e-4))),
                0.005);
    }
  }
}

}  // namespace
}  // namespace wattflex::twin
