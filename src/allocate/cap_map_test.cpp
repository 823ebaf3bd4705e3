#include "allocate/cap_map.h"

#include <gtest/gtest.h>

#include "allocate/test_jobs.h"
#include "base/random.h"

namespace wattflex::allocate {
namespace {

// The 550 W row of a public inference sweep's shape: it draws hardly less than the uncapped one.
CapMap uneven() {
  return CapMap({{watts(600), watts(549)},
                 {watts(550), watts(546)},
                 {watts(500), watts(490)},
                 {watts(300), watts(297)}});
}

TEST(CapMap, InterpolatesBetweenAllRows) {
  EXPECT_DOUBLE_EQ(uneven().draw_at(watts(525)).watts(), 518);
  EXPECT_DOUBLE_EQ(uneven().cap_for(watts(518)).watts(), 525);
  EXPECT_EQ(uneven().cap_for(watts(100)), watts(300));
  EXPECT_EQ(uneven().cap_for(watts(549)), watts(600));
}

TEST(CapMap, GivesTheCapForADrawAndTheLargestForAnUncutJob) {
  const CapMap map({{watts(700), watts(600)}, {watts(500), watts(480)}, {watts(300), watts(290)}});
  EXPECT_DOUBLE_EQ(map.cap_for(watts(600)).watts(), 700);
  EXPECT_DOUBLE_EQ(map.cap_for(watts(540)).watts(), 600);
  EXPECT_DOUBLE_EQ(map.cap_for(watts(385)).watts(), 400);
  EXPECT_DOUBLE_EQ(map.cap_for(watts(0)).watts(), 300);
}

TEST(CapMap, TakesALowerCapThatDrewMoreAtItsWord) {
  const CapMap odd({{watts(400), watts(1500)}, {watts(300), watts(780)}, {watts(250), watts(1180)}});
  EXPECT_EQ(odd.lowest_draw(), watts(1180));
  EXPECT_EQ(odd.draw_at(watts(300)), watts(1180));
  EXPECT_EQ(odd.cap_for(watts(1000)), watts(250));  // nothing is known to draw so little
  EXPECT_EQ(odd.cap_for(watts(1180)), watts(300));
}

TEST(CapMap, IsSureOfNoMoreThanAnyLargerCapGave) {
  const CapMap dip({{watts(400), watts(500), 100},
                    {watts(300), watts(400), 70},
                    {watts(250), watts(350), 85},
                    {watts(200), watts(300), 60}});
  EXPECT_DOUBLE_EQ(dip.throughput_at(watts(400)), 100);
  EXPECT_DOUBLE_EQ(dip.throughput_at(watts(350)), 85);
  EXPECT_DOUBLE_EQ(dip.throughput_at(watts(250)), 70);  // not 85
  EXPECT_DOUBLE_EQ(dip.throughput_at(watts(225)), 65);
  EXPECT_DOUBLE_EQ(dip.throughput_at(watts(100)), 60);
  EXPECT_DOUBLE_EQ(dip.cap_that_gives(85).watts(), 350);
  EXPECT_DOUBLE_EQ(dip.cap_that_gives(65).watts(), 225);
  EXPECT_DOUBLE_EQ(dip.cap_that_gives(10).watts(), 200);
  EXPECT_DOUBLE_EQ(dip.cap_that_gives(101).watts(), 400);
}

TEST(CapMap, NeverPromisesLessThanTheLineThroughTheRows) {
  RandomStream random(5);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<MeasuredCap> rows;
    for (int k = 0; k < 8; ++k)
      rows.push_back({watts(200 + 50 * k), watts(150 + 45 * k + 60 * random.normal())});
    const CapMap map(rows);
    const Power draw = watts(100 + 500 * random.uniform());
    const Power cap = map.cap_for(draw);
    if (draw < map.lowest_draw()) continue;
    EXPECT_LE(map.draw_at(cap).watts(), draw.watts() + 1e-9);
    for (std::size_t k = 1; k < rows.size(); ++k) {
      if (cap < rows[k - 1].cap || cap > rows[k].cap) continue;
      const double share = (cap - rows[k - 1].cap) / (rows[k].cap - rows[k - 1].cap);
      const Power line = rows[k - 1].draw + share * (rows[k].draw - rows[k - 1].draw);
      EXPECT_LE(line.watts(), draw.watts() + 1e-9);
    }
  }
}

}  // namespace
}  // namespace wattflex::allocate
