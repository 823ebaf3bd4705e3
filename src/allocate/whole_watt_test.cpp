#include "allocate/whole_watt.h"

#include <gtest/gtest.h>

#include <cmath>

#include "allocate/allocation.h"
#include "allocate/test_jobs.h"

namespace wattflex::allocate {
namespace {

// Four GPUs, drawing 20 W less than their caps together.
Curve four_gpus() {
  return Curve({{watts(780), 10, watts(200)}, {watts(1180), 20, watts(300)}, {watts(1500), 25, watts(400)}});
}

TEST(WholeWattCap, RoundsDownToWhatAllGpusCanBeSetTo) {
  // 1000 W lie 220/400 into the first stretch: a cap of 255 W, exactly.
  EXPECT_NEAR(whole_watt_cap(four_gpus(), watts(1000)).cap.watts(), 255, 1e-9);
  const WholeWattCap below = whole_watt_cap(four_gpus(), watts(999));
  EXPECT_EQ(below.cap, watts(254));
  EXPECT_NEAR(below.draw.watts(), 780 + 4 * 54, 1e-9);
}

TEST(WholeWattCap, LeavesTheEndsAsMeasured) {
  EXPECT_EQ(whole_watt_cap(four_gpus(), watts(1500)).cap, watts(400));
  EXPECT_EQ(whole_watt_cap(four_gpus(), watts(780)).cap, watts(200));
  EXPECT_EQ(whole_watt_cap(four_gpus(), watts(1180)).cap, watts(300));
}

TEST(WholeWattCap, TrustsNoCapThatALowerOneDrewMoreThan) {
  const Curve odd(
      {{watts(780), 10, watts(300)}, {watts(1180), 20, watts(250)}, {watts(1500), 25, watts(400)}});
  // At 250 W the job drew 1180 W: no cap is known to hold it to less, whatever the 300 W row says.
  EXPECT_EQ(odd.least_capped_draw(), watts(1180));
  const WholeWattCap cap = whole_watt_cap(odd, watts(1180));
  EXPECT_EQ(cap.cap, watts(300));
  EXPECT_EQ(cap.draw, watts(1180));
}

TEST(WholeWattCap, ServesAJobThatCannotBeCut) {
  const Curve single({{watts(780), 10, watts(200)}});
  EXPECT_EQ(whole_watt_cap(single, watts(780)).cap, watts(200));
  EXPECT_EQ(draw_that_keeps(single, 0.9), watts(780));
}

TEST(WholeWattCap, NeverBreaksABudgetByRounding) {
  // 1000 W over three GPUs: 333 W each, 999 W, never 1002 W.
  TestFleet fleet;
  for (int j = 0; j < 3; ++j) fleet.add({{100, 1}, {400, 4}});
  const auto plan = divide_cut(fleet.problem, Policy::equal, watts(200));
  double sum = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    const WholeWattCap cap = whole_watt_cap(*fleet.problem.jobs[j].curve, plan->draws[j]);
    EXPECT_EQ(cap.cap, watts(333));
    sum += cap.cap.watts();
  }
  EXPECT_EQ(sum, 999);
}

TEST(WholeWattCap, IsNotRoundedUpWhereThatWouldDrawMore) {
  // A cap of 300 W draws 1180 W; a draw a microwatt below it has a cap within rounding of 300 W.
  EXPECT_EQ(whole_watt_cap(four_gpus(), watts(1180 - 1e-6)).cap, watts(299));
}

TEST(DrawThatKeeps, SurvivesTheRoundingOfTheCap) {
  const Curve curve = four_gpus();
  RandomStream random(31);
  for (int trial = 0; trial < 1000; ++trial) {
    const double share = 0.4 + 0.6 * random.uniform();
    const Power floor = draw_that_keeps(curve, share);
    const Power needed = curve.draw_for(share * curve.uncapped_throughput());
    EXPECT_GE(floor.watts(), needed.watts() - 1e-6);
    EXPECT_LE((floor - needed).watts(), 4.0 + 1e-6);  // one watt on each GPU
    EXPECT_GE(sure_share(curve, whole_watt_cap(curve, floor).cap), share - 1e-9);
  }
}

TEST(DrawThatKeeps, HoldsForEveryRowAboveIt) {
  // The 300 W row lost more than the 250 W one: no cap below 400 W is sure to keep 80 %.
  const Curve dip({{watts(300), 60, watts(200)}, {watts(350), 85, watts(250)}, {watts(500), 100, watts(400)}},
                  {{watts(200), watts(300), 60},
                   {watts(250), watts(350), 85},
                   {watts(300), watts(400), 70},
                   {watts(400), watts(500), 100}});
  EXPECT_DOUBLE_EQ(sure_share(dip, watts(250)), 0.70);
  EXPECT_DOUBLE_EQ(sure_share(dip, watts(350)), 0.85);
  // 80 % lie a third of the way from the 300 W row to the 400 W one: 334 W, and what that cap draws.
  EXPECT_NEAR(draw_that_keeps(dip, 0.80).watts(), 434, 1e-9);
}

}  // namespace
}  // namespace wattflex::allocate
