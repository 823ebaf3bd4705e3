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
    double time = 0;
    for (const double until : {0.01, 0.03, 0.05, 0.1, 0.3, 1.2, 2.0}) {
      for (; time < until - kStep / 2; time += kStep)
        sum += kStep * remaining(each, Seconds(time + kStep / 2));
      EXPECT_NEAR(remaining_integral(each, Seconds(until)), sum, 2e-6) << until;
    }
    EXPECT_NEAR(pace_lag(each).count(), sum, 2e-6);
  }
}

TEST(CapTransition, IsContinuousButForItsBeginning) {
  for (const Transition each : kBoth) {
    for (double time = 0; time < 1.3; time += 1e-4) {
      EXPECT_LT(std::abs(remaining(each, Seconds(time + 1e-4)) - remaining(each, Seconds(time))), 0.005);
    }
  }
}

}  // namespace
}  // namespace wattflex::twin
