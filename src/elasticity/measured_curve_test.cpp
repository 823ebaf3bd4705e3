#include "elasticity/measured_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "elasticity/sweep_fixture.h"

namespace wattflex::elasticity {
namespace {

using testing::ElementsAre;

MeasuredCurve curve_of(const SweepGroup& group) {
  auto curve = MeasuredCurve::from(group);
  EXPECT_TRUE(curve.has_value());
  return *std::move(curve);
}

std::vector<double> draws_of(const MeasuredCurve& curve) {
  std::vector<double> draws;
  for (const CurvePoint& point : curve.points()) draws.push_back(point.draw.watts());
  return draws;
}

TEST(MeasuredCurve, IsLinearBetweenPointsAndEndsAtTheUncappedOne) {
  const auto curve = curve_of(group_of({{700, 600, 100}, {500, 480, 90}, {300, 290, 60}}));
  EXPECT_THAT(draws_of(curve), ElementsAre(290, 480, 600));
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(540)), 95);
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(385)), 75);
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(600)), 100);
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(100)), 60);
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(900)), 100);
}

TEST(MeasuredCurve, DropsAPointThatIsSlowerThanOneOfLessDraw) {
  const auto curve = curve_of(group_of({{700, 600, 100}, {600, 550, 85}, {500, 480, 90}, {300, 290, 60}}));
  EXPECT_THAT(draws_of(curve), ElementsAre(290, 480, 600));
  ASSERT_EQ(curve.dropped().size(), 1U);
  EXPECT_EQ(curve.dropped()[0].cap.watts(), 600);
  EXPECT_EQ(curve.dropped()[0].reason, "no faster than the 500 W point, which draws less");
}

TEST(MeasuredCurve, DropsAPointThatDrawsAsMuchAsTheUncappedOne) {
  const auto curve = curve_of(group_of({{700, 600, 100}, {650, 600, 101}, {600, 601, 99}, {500, 480, 90}}));
  EXPECT_THAT(draws_of(curve), ElementsAre(480, 600));
  EXPECT_EQ(curve.dropped().size(), 2U);
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(600)), 100);
}

TEST(MeasuredCurve, KeepsTheDrawOfAPointFasterThanTheUncappedOneButNotItsSpeed) {
  const auto curve = curve_of(group_of({{700, 600, 100}, {600, 500, 102}, {500, 400, 101}}));
  EXPECT_THAT(draws_of(curve), ElementsAre(400, 600));
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(400)), 100);
}

TEST(MeasuredCurve, TakesTheFastestOfPointsThatShareADraw) {
  const auto curve = curve_of(group_of({{700, 600, 100}, {500, 400, 80}, {400, 400, 85}}));
  EXPECT_THAT(draws_of(curve), ElementsAre(400, 600));
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(400)), 85);
}

// Case SWP-01: 120 W was refused silently; the flat part from 140 to 120 W must not appear.
TEST(MeasuredCurve, LeavesOutRowsWhoseCapWasNotEnforced) {
  SweepGroup group = group_of({{140, 138, 50}, {120, 138, 50}, {100, 99, 38}});
  for (SweepPoint& point : group.points) point.requested = point.enforced = point.cap;
  group.points[1].enforced = Power::from_watts(140);
  const auto curve = curve_of(group);
  EXPECT_THAT(draws_of(curve), ElementsAre(99, 138));
  ASSERT_EQ(curve.dropped().size(), 1U);
  EXPECT_EQ(curve.dropped()[0].reason, "120 W asked for, 140 W in force");
}

TEST(MeasuredCurve, IsRefusedWhenHeatHeldTheUncappedPointBack) {
  SweepGroup group = group_of({{700, 640, 90}, {500, 499, 80}});
  group.points[0].limited_by = Limiter::thermal;
  const auto curve = MeasuredCurve::from(group);
  ASSERT_FALSE(curve.has_value());
  EXPECT_EQ(curve.error().kind, ErrorKind::no_data);
  EXPECT_THAT(curve.error().message, testing::HasSubstr("reference missing"));
}

TEST(MeasuredCurve, OfAnUncappedPointAloneHasNothingToCut) {
  const auto curve = curve_of(group_of({{700, 600, 100}}));
  EXPECT_EQ(curve.lowest_draw(), curve.uncapped_draw());
  EXPECT_DOUBLE_EQ(curve.throughput_at(Power::from_watts(300)), 100);
}

// Random sweeps, many of them with ties and reversals.
constexpr std::uint64_t kSweeps = 200;

SweepGroup random_group(std::uint64_t number) {
  RandomStream random(2026, number);
  std::vector<Row> rows;
  const auto count = 1 + random.below(9);
  for (std::uint64_t i = 0; i < count; ++i) {
    rows.push_back({700.0 - 50.0 * static_cast<double>(i), 300.0 + static_cast<double>(random.below(30)) * 10,
                    50.0 + static_cast<double>(random.below(20))});
  }
  return group_of(rows);
}

TEST(MeasuredCurveOfRandomSweeps, RisesAndIsAnchoredAtTheUncappedPoint) {
  for (std::uint64_t number = 0; number < kSweeps; ++number) {
    const SweepGroup sweep = random_group(number);
    const auto curve = curve_of(sweep);
    const auto points = curve.points();
    for (std::size_t i = 1; i < points.size(); ++i) {
      EXPECT_LT(points[i - 1].draw, points[i].draw);
      EXPECT_LE(points[i - 1].throughput, points[i].throughput);
    }
    EXPECT_EQ(points.back().draw, sweep.uncapped().power);
    EXPECT_EQ(points.back().throughput, sweep.uncapped().throughput);
    EXPECT_EQ(points.back().cap, sweep.uncapped().cap);
    EXPECT_EQ(points.size() + curve.dropped().size(), sweep.points.size());
  }
}

TEST(MeasuredCurveOfRandomSweeps, IsMadeOfMeasuredPointsAndLiesOnOrAboveAllOfThem) {
  for (std::uint64_t number = 0; number < kSweeps; ++number) {
    const SweepGroup sweep = random_group(number);
    const auto curve = curve_of(sweep);
    const double top = sweep.uncapped().throughput;
    for (const CurvePoint& kept : curve.points()) {
      EXPECT_TRUE(std::ranges::any_of(sweep.points, [&](const SweepPoint& p) {
        return p.power == kept.draw && std::min(p.throughput, top) == kept.throughput;
      }));
    }
    for (const SweepPoint& point : sweep.points) {
      EXPECT_GE(curve.throughput_at(point.power) + 1e-9, std::min(point.throughput, top));
    }
  }
}

TEST(MeasuredCurveOfRandomSweeps, IsTheSameInAnyOrderOfRows) {
  for (std::uint64_t number = 0; number < kSweeps; ++number) {
    SweepGroup sweep = random_group(number);
    const auto curve = curve_of(sweep);
    std::reverse(sweep.points.begin() + 1, sweep.points.end());
    const auto again = curve_of(sweep);
    EXPECT_TRUE(std::ranges::equal(curve.points(), again.points()));
  }
}

}  // namespace
}  // namespace wattflex::elasticity
