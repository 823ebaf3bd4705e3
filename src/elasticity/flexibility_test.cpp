#include "elasticity/flexibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elasticity/power_curve.h"
#include "elasticity/sweep_fixture.h"

namespace wattflex::elasticity {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Flexibility without_intervals(const SweepGroup& group) {
  return measure_flexibility(group, {.resamples = 0});
}

// Cuts 0.2 and 0.5 against losses 0.1 and 0.4.
const std::vector<Row> kTwoCaps = {{1000, 1000, 100}, {800, 800, 90}, {500, 500, 60}};

TEST(Flexibility, IsTheMeanOfRatiosOverCappedPoints) {
  const Flexibility flexibility = without_intervals(group_of(kTwoCaps));
  EXPECT_DOUBLE_EQ(*flexibility.published.value, (0.2 / 0.1 + 0.5 / 0.4) / 2);
  EXPECT_DOUBLE_EQ(*flexibility.guarded.value, (0.2 / 0.1 + 0.5 / 0.4) / 2);
  EXPECT_DOUBLE_EQ(*flexibility.pooled.value, (0.2 + 0.5) / (0.1 + 0.4));
  EXPECT_EQ(flexibility.n_used, 2);
  EXPECT_EQ(flexibility.n_refused, 0);
}

// Trapezoids of (0,0), (.5,.6), (.8,.9), (1,1): 0.15 + 0.225 + 0.19 = 0.565.
TEST(Flexibility, HasTheAreaBetweenThroughputAndPower) {
  EXPECT_NEAR(*without_intervals(group_of(kTwoCaps)).area.value, 0.065, 1e-12);
}

// python3 -c "import numpy as n; print(1 - n.polyfit(n.log([1000, 800, 500]), n.log([100, 90, 60]), 1)[0])"
TEST(Flexibility, HasTheElasticityThatNumpyFits) {
  EXPECT_NEAR(*without_intervals(group_of(kTwoCaps)).elasticity.value, 0.24361534474538704, 1e-12);
}

TEST(Flexibility, OfThroughputProportionalToPowerIsOneAndTheOthersZero) {
  const Flexibility flexibility =
      without_intervals(group_of({{1000, 1000, 50}, {800, 800, 40}, {500, 500, 25}, {300, 300, 15}}));
  EXPECT_NEAR(*flexibility.published.value, 1, 1e-12);
  EXPECT_NEAR(*flexibility.pooled.value, 1, 1e-12);
  EXPECT_NEAR(*flexibility.area.value, 0, 1e-12);
  EXPECT_NEAR(*flexibility.elasticity.value, 0, 1e-12);
}

// T = k P^0.25 exactly: 1 - a = 0.75.
TEST(Flexibility, RecoversAConstantElasticity) {
  const Flexibility flexibility =
      without_intervals(group_of({{700, 625, 50}, {500, 256, 40}, {300, 81, 30}, {100, 16, 20}}));
  EXPECT_NEAR(*flexibility.elasticity.value, 0.75, 1e-12);
}

TEST(Flexibility, DoesNotDependOnTheUnitsOfPowerAndThroughput) {
  std::vector<Row> scaled = kTwoCaps;
  for (Row& row : scaled) {
    row.power *= 0.25;
    row.throughput *= 1e6;
  }
  const Flexibility one = measure_flexibility(group_of(kTwoCaps));
  const Flexibility other = measure_flexibility(group_of(scaled));
  EXPECT_DOUBLE_EQ(*one.published.value, *other.published.value);
  EXPECT_DOUBLE_EQ(*one.area.value, *other.area.value);
  EXPECT_NEAR(*one.elasticity.value, *other.elasticity.value, 1e-12);
  EXPECT_NEAR(one.published.ci95->low, other.published.ci95->low, 1e-9);
}

TEST(Flexibility, PublishedLeavesOutOnlyPointsWithoutARatio) {
  const Flexibility flexibility =
      without_intervals(group_of({{1000, 1000, 100}, {900, 900, 100}, {800, 800, 99.9}, {500, 500, 60}}));
  // The second point has no ratio, the third one lost in noise: 0.2 / 0.001.
  EXPECT_NEAR(*flexibility.published.value, (0.2 / 0.001 + 0.5 / 0.4) / 2, 1e-9);
  EXPECT_EQ(flexibility.n_used, 1);
  EXPECT_EQ(flexibility.n_refused, 2);
  EXPECT_FALSE(flexibility.guarded.value.has_value());
  EXPECT_THAT(flexibility.guarded.reason, HasSubstr("too few points: 1 used of 3 capped points, 2 needed"));
}

TEST(Flexibility, HasNoPublishedIndexWhenNoThroughputDiffers) {
  const Flexibility flexibility = without_intervals(group_of({{700, 600, 100}, {500, 480, 100}}));
  EXPECT_FALSE(flexibility.published.value.has_value());
  EXPECT_THAT(flexibility.published.reason, HasSubstr("no capped point's throughput differs"));
  EXPECT_TRUE(flexibility.area.value.has_value());
}

TEST(Flexibility, HasNoElasticityWhenAllPointsDrawTheSame) {
  const Flexibility flexibility = without_intervals(group_of({{700, 600, 100}, {500, 600, 90}}));
  EXPECT_FALSE(flexibility.elasticity.value.has_value());
  EXPECT_EQ(flexibility.elasticity.reason, "all points draw the same");
}

// Case SWP-01: 140 W in force where 120 W was asked for. One sound capped point is left.
TEST(Flexibility, LeavesOutARowWhoseCapWasNotEnforcedAndSaysTooFewPoints) {
  SweepGroup group = group_of({{140, 138, 50}, {120, 137, 49}, {100, 99, 38}});
  for (SweepPoint& point : group.points) point.requested = point.enforced = point.cap;
  group.points[1].enforced = Power::from_watts(140);
  const Flexibility flexibility = measure_flexibility(group);
  EXPECT_EQ(flexibility.points[1].verdict, Verdict::not_enforced);
  EXPECT_DOUBLE_EQ(*flexibility.published.value, (1 - 99.0 / 138) / (1 - 38.0 / 50));
  EXPECT_FALSE(flexibility.guarded.value.has_value());
  EXPECT_FALSE(flexibility.guarded.ci95.has_value());
  EXPECT_THAT(flexibility.guarded.reason, StartsWith("too few points"));
  EXPECT_EQ(flexibility.n_used, 1);
  EXPECT_EQ(flexibility.n_refused, 1);
}

// Case SWP-03: the uncapped run was thermally bound.
TEST(Flexibility, InventsNoNumberWithoutAReference) {
  SweepGroup group = group_of({{700, 640, 1500}, {500, 499, 1300}, {300, 299, 900}});
  group.points[0].limited_by = Limiter::thermal;
  const Flexibility flexibility = measure_flexibility(group);
  for (const Estimate* estimate : {&flexibility.published, &flexibility.guarded, &flexibility.pooled,
                                   &flexibility.area, &flexibility.elasticity}) {
    EXPECT_FALSE(estimate->value.has_value());
    EXPECT_FALSE(estimate->ci95.has_value());
    EXPECT_THAT(estimate->reason, StartsWith("reference missing: heat"));
  }
  EXPECT_EQ(flexibility.n_used, 0);
  EXPECT_EQ(flexibility.n_refused, 3);
}

TEST(Flexibility, OfASinglePointIsNone) {
  const Flexibility flexibility = measure_flexibility(group_of({{700, 640, 1500}}));
  EXPECT_FALSE(flexibility.published.value.has_value());
  EXPECT_THAT(flexibility.published.reason, StartsWith("too few points"));
}

// Draw falls in equal steps, throughput falls, rises and falls again: no concave curve is near.
const std::vector<Row> kScattered = {
    {700, 600, 100}, {600, 550, 85}, {500, 500, 95}, {400, 450, 80}, {300, 400, 90}};

TEST(Flexibility, WidensEveryIntervalByTheScatterAboutThePowerCurve) {
  const SweepGroup group = group_of(kScattered);
  const auto judged = judge(group, DefaultNoise::run_to_run);
  const double scatter = PowerCurveFit::fit(group.id, judged, {.resamples = 0})->scatter();
  ASSERT_GT(scatter, 5);
  const std::vector<Role> roles = {Role::none, Role::used, Role::used, Role::used, Role::used};
  const IndexIntervals stated = IndexResampler(1000, 1).intervals(judged, roles);

  const Flexibility flexibility = measure_flexibility(group, {.resamples = 1000});
  EXPECT_EQ(flexibility.widening, scatter);
  const auto expect_widened = [&](const Estimate& estimate, const Interval& interval) {
    EXPECT_NEAR(*estimate.value - estimate.ci95->low, scatter * (*estimate.value - interval.low), 1e-9);
    EXPECT_NEAR(estimate.ci95->high - *estimate.value, scatter * (interval.high - *estimate.value), 1e-9);
  };
  expect_widened(flexibility.published, *stated.published);
  expect_widened(flexibility.guarded, *stated.guarded);
  expect_widened(flexibility.pooled, *stated.pooled);
  EXPECT_THAT(flexibility.warnings, testing::ElementsAre(HasSubstr("times more about the power curve")));
  EXPECT_THAT(flexibility.ci_source, StartsWith("run-to-run default, widened "));
}

TEST(Flexibility, LeavesIntervalsAloneWhereErrorsExplainTheScatter) {
  const Flexibility flexibility =
      measure_flexibility(group_of({{700, 600, 100}, {500, 480, 92}, {400, 390, 82}, {300, 295, 60}}));
  EXPECT_EQ(flexibility.widening, 1);
  EXPECT_THAT(flexibility.warnings, testing::IsEmpty());
  EXPECT_EQ(flexibility.ci_source, "run-to-run default");
}

TEST(Flexibility, IsNoneWithTheReasonWhereItIsNotFinite) {
  const Flexibility flexibility =
      measure_flexibility(group_of({{700, 1e-300, 100}, {500, 1e300, 90}, {300, 1e300, 80}}));
  for (const Estimate* estimate : {&flexibility.published, &flexibility.area}) {
    EXPECT_FALSE(estimate->value.has_value());
    EXPECT_THAT(estimate->reason, HasSubstr("finite"));
  }
}

TEST(Flexibility, HasNoIntervalWithTheReasonWhereItsEndsAreNotFinite) {
  const Flexibility flexibility = measure_flexibility(
      group_of({{700, 600, 100, 0, 0}, {500, 0.5, 90, 1.7e308, 0}, {300, 295, 60, 0, 0}}));
  EXPECT_TRUE(flexibility.published.value.has_value());
  EXPECT_FALSE(flexibility.published.ci95.has_value());
  EXPECT_THAT(flexibility.published.reason, StartsWith("no interval"));
}

}  // namespace
}  // namespace wattflex::elasticity
