#include "allocate/whole_watt.h"

#include <gtest/gtest.h>

#include <cmath>

#include "allocate/allocation.h"
#include "allocate/test_jobs.h"

namespace wattflex::allocate {
namespace {

Power watts(double value) {
  return Power::from_watts(value);
}

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
  EXPECT_EQ(floor_on_whole_watts(single, watts(700)), watts(780));
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

TEST(FloorOnWholeWatts, SurvivesTheRoundingOfTheCap) {
  const Curve curve = four_gpus();
  RandomStream random(31);
  for (int trial = 0; trial < 1000; ++trial) {
    const Power promised = watts(780 + 720 * random.uniform());
    const Power floor = floor_on_whole_watts(curve, promised);
    EXPECT_GE(floor, promised);
    EXPECT_LE((floor - promised).watts(), 4.0 + 1e-9);  // one watt on each GPU
    EXPECT_GE(whole_watt_cap(curve, floor).draw.watts(), promised.watts() - 1e-6);
  }
}

}  // namespace
}  // namespace wattflex::allocate
