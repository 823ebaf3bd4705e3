#include "elasticity/power_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"

namespace wattflex::elasticity {
namespace {

Power watts(double value) {
  return Power::from_watts(value);
}

SweepGroup group_on_one(const std::vector<std::array<double, 3>>& rows) {
  SweepGroup group;
  group.id = {.table = "t", .group = "g", .accelerator = "H200"};
  group.gpus = 1;
  for (const auto& [cap, power, throughput] : rows) {
    group.points.push_back({.cap = watts(cap), .power = watts(power), .throughput = throughput});
  }
  return group;
}

PowerCurveFit fit_of(const SweepGroup& group, const PowerCurveFit::Options& options = {}) {
  auto fit = PowerCurveFit::fit(group.id, judge(group, DefaultNoise::run_to_run), options);
  EXPECT_TRUE(fit.has_value());
  return *std::move(fit);
}

SweepGroup concave_group() {
  return group_on_one({{700, 600, 100}, {500, 480, 92}, {400, 390, 82}, {300, 295, 60}});
}

TEST(PowerCurve, ReturnsConcaveRisingMeasurementsAndTheirDraws) {
  const SweepGroup group = concave_group();
  const PowerCurveFit fit = fit_of(group);
  for (const SweepPoint& point : group.points) {
    EXPECT_NEAR(fit.curve().throughput_at(point.power), point.throughput, 1e-9);
    EXPECT_EQ(fit.curve().draw_at(point.cap), point.power);
  }
  EXPECT_EQ(fit.curve().draw_at(watts(450)), watts(435));
  EXPECT_NEAR(fit.curve().marginal_at(watts(435)), 10.0 / 90, 1e-12);
  // Halfway between 390 and 480 W the curve is halfway between 82 and 92.
  EXPECT_NEAR(fit.curve().kept_at(watts(435)), 0.87, 1e-12);
  EXPECT_NEAR(fit.curve().efficiency_at(watts(390)), 82.0 / 390, 1e-12);
}

TEST(PowerCurve, ScalesWithPowerAndWithThroughput) {
  SweepGroup group =
      group_on_one({{700, 600, 100}, {500, 480, 95}, {400, 390, 80}, {300, 295, 70}, {200, 199, 30}});
  const PowerCurveFit small = fit_of(group);
  for (SweepPoint& point : group.points) {
    point.power = point.power * 1000;
    point.throughput *= 1e-6;
  }
  const PowerCurveFit large = fit_of(group);
  for (const double draw : {199.0, 250.0, 350.0, 480.0, 600.0}) {
    const auto kept = [](double w) { return [w](const PowerCurve& c) { return c.kept_at(watts(w)); }; };
    const Ranged a = small.estimate(kept(draw));
    const Ranged b = large.estimate(kept(draw * 1000));
    EXPECT_NEAR(a.value, b.value, 1e-9);
    EXPECT_NEAR(a.low, b.low, 1e-9);
    EXPECT_NEAR(a.high, b.high, 1e-9);
  }
}

TEST(PowerCurve, PoolsDrawsThatFallWithARisingCap) {
  // Equal relative errors of nearly equal draws: the pooled draw is close to the plain mean of 602 and 598 W.
  const PowerCurveFit fit = fit_of(group_on_one({{700, 598, 100}, {600, 602, 100}, {400, 395, 80}}));
  EXPECT_NEAR(fit.curve().uncapped_draw().watts(), 600, 0.05);
  EXPECT_EQ(fit.curve().draw_at(watts(650)), fit.curve().uncapped_draw());
  EXPECT_EQ(fit.curve().draw_at(watts(100)), watts(395));
}

// Case SWP-01: 120 W was refused silently, so the row says nothing about a 120 W cap.
TEST(PowerCurve, LeavesOutPointsWhoseCapWasNotEnforcedOrWhereHeatRuled) {
  SweepGroup group = concave_group();
  group.points[1].requested = watts(500);
  group.points[1].enforced = watts(700);
  group.points[2].limited_by = Limiter::thermal;
  const PowerCurveFit fit = fit_of(group);
  ASSERT_EQ(fit.residuals().size(), 2U);
  EXPECT_EQ(fit.residuals()[1].judged.point.cap, watts(300));
}

// Case SWP-03: no number is invented where the reference is missing.
TEST(PowerCurve, IsRefusedWithoutASoundUncappedPointOrASecondPoint) {
  SweepGroup group = concave_group();
  group.points[0].limited_by = Limiter::thermal;
  const auto no_reference = PowerCurveFit::fit(group.id, judge(group, DefaultNoise::run_to_run), {});
  ASSERT_FALSE(no_reference.has_value());
  EXPECT_THAT(no_reference.error().message, testing::HasSubstr("reference missing"));
  const SweepGroup alone = group_on_one({{700, 600, 100}});
  const auto one_point = PowerCurveFit::fit(alone.id, judge(alone, DefaultNoise::run_to_run), {});
  ASSERT_FALSE(one_point.has_value());
  EXPECT_EQ(one_point.error().kind, ErrorKind::no_data);
}

TEST(PowerCurve, NamesDeparturesInStandardErrorsAndWidensOnlyBeyondChance) {
  const PowerCurveFit smooth = fit_of(concave_group());
  EXPECT_FALSE(smooth.widened());
  for (const CurveResidual& residual : smooth.residuals()) EXPECT_NEAR(residual.departure, 0, 1e-9);

  // Draw falls in equal steps and throughput falls, rises and falls again by 10 %: no concave curve is near.
  const PowerCurveFit rough =
      fit_of(group_on_one({{700, 600, 100}, {600, 550, 85}, {500, 500, 95}, {400, 450, 80}, {300, 400, 90}}));
  EXPECT_TRUE(rough.widened());
  EXPECT_GT(rough.scatter(), 5);
  EXPECT_LT(rough.residuals()[1].departure, -5);
  EXPECT_GT(rough.residuals()[2].departure, 5);
}

TEST(PowerCurve, RepeatsItsIntervalsForOneSeedOnly) {
  const SweepGroup group = concave_group();
  const auto low = [&](std::uint64_t seed) {
    return fit_of(group, {.seed = seed})
        .estimate([](const PowerCurve& c) { return c.kept_at(watts(480)); })
        .low;
  };
  EXPECT_EQ(low(3), low(3));
  EXPECT_NE(low(3), low(4));
}

TEST(PowerCurve, IntervalOfAKeptShareMatchesTheErrorsOfItsTwoPoints) {
  // At a measured cap of a steep, well separated curve the share kept is T_i / T_0 of two independent errors
  // of 0.5 %: standard error kept sqrt(2) 0.005, draws play no part since the refit moves along with them.
  const PowerCurveFit fit = fit_of(concave_group(), {.resamples = 20'000});
  const Ranged kept = fit.estimate([](const PowerCurve& c) { return c.kept_at(c.draw_at(watts(400))); });
  const double half_width = 1.96 * 0.82 * std::sqrt(2) * 0.005;
  EXPECT_NEAR(kept.low, 0.82 - half_width, 0.0006);
  EXPECT_NEAR(kept.high, 0.82 + half_width, 0.0006);
}

// Throughput may be in any unit: only its ratios count.
TEST(PowerCurve, IsTheSameForThroughputsOfAnySize) {
  const Ranged ordinary = fit_of(concave_group(), {.resamples = 200}).estimate([](const PowerCurve& c) {
    return c.kept_at(watts(435));
  });
  for (const double size : {1e-305, 1e-160, 1e160, 1e300}) {
    SweepGroup group = concave_group();
    for (SweepPoint& point : group.points) point.throughput *= size;
    const Ranged scaled =
        fit_of(group, {.resamples = 200}).estimate([](const PowerCurve& c) { return c.kept_at(watts(435)); });
    EXPECT_NEAR(scaled.value, ordinary.value, 1e-9) << size;
    EXPECT_NEAR(scaled.low, ordinary.low, 1e-9) << size;
    EXPECT_NEAR(scaled.high, ordinary.high, 1e-9) << size;
  }
}

TEST(PowerCurve, IsRefusedWhereErrorsExceedTheValuesTenfold) {
  const auto with_error = [](double share) {
    SweepGroup group = concave_group();
    for (SweepPoint& point : group.points) point.throughput_stderr = share * point.throughput;
    return PowerCurveFit::fit(group.id, judge(group, DefaultNoise::run_to_run), {.resamples = 100});
  };
  EXPECT_TRUE(with_error(9.99).has_value());
  const auto refused = with_error(10.01);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("group 'g'"));
  EXPECT_FALSE(refused.error().remedy.empty());
}

TEST(PowerCurve, IsRefusedRatherThanEndlessForValuesOfUnlikeUnits) {
  const SweepGroup group =
      group_on_one({{700, 600, 1e-308}, {500, 480, 1e300}, {400, 390, 1e160}, {300, 1e-300, 1}});
  const auto fit = PowerCurveFit::fit(group.id, judge(group, DefaultNoise::run_to_run), {});
  ASSERT_FALSE(fit.has_value());
  EXPECT_EQ(fit.error().kind, ErrorKind::no_data);
}

TEST(PowerCurve, ResamplesHangOnTheGroupAndNotOnItsTable) {
  const auto low = [](const GroupId& id) {
    SweepGroup group = concave_group();
    group.id = id;
    return fit_of(group).estimate([](const PowerCurve& c) { return c.kept_at(watts(480)); }).low;
  };
  EXPECT_EQ(low({"a", "job", "H100"}), low({"b", "job", "H100"}));
  EXPECT_NE(low({"a", "job", "H100"}), low({"a", "job", "H200"}));
  EXPECT_NE(low({"a", "job", "H100"}), low({"a", "jobs", "H100"}));
}

// Simulated sweeps of known concave truths: how often the 95 % interval holds the truth. Of 250 intervals 91
// % is three standard errors below 95 %.
struct Truth {
  const char* name;
  std::function<double(double)> throughput;  // of watts
};

void PrintTo(const Truth& truth, std::ostream* out) {
  *out << truth.name;
}

class IntervalCoverage : public testing::TestWithParam<Truth> {};

TEST_P(IntervalCoverage, IsNominalAtCapsAndCuts) {
  const auto& truth = GetParam().throughput;
  RandomStream random(42);
  const int sweeps = 250;
  int held_at_cap = 0;
  int held_at_cut = 0;
  for (int i = 0; i < sweeps; ++i) {
    std::vector<std::array<double, 3>> rows;
    for (const double cap : {700, 600, 500, 400, 300, 200}) {
      const double draw = std::min(cap, 620.0);
      rows.push_back(
          {cap, draw * (1 + 0.004 * random.normal()), truth(draw) * (1 + 0.005 * random.normal())});
    }
    const PowerCurveFit fit =
        fit_of(group_on_one(rows), {.resamples = 200, .seed = static_cast<std::uint64_t>(i)});
    const auto holds = [](const Ranged& r, double value) { return r.low <= value && value <= r.high; };
    held_at_cap += holds(fit.estimate([](const PowerCurve& c) { return c.kept_at(c.draw_at(watts(400))); }),
                         truth(400) / truth(620));
    held_at_cut += holds(fit.estimate([](const PowerCurve& c) { return c.kept_at(0.6 * c.uncapped_draw()); }),
                         truth(0.6 * 620) / truth(620));
  }
  EXPECT_GE(held_at_cap, 0.91 * sweeps);
  EXPECT_GE(held_at_cut, 0.91 * sweeps);
}

// Piecewise linear with its bends at the measured draws: the model holds exactly, at its edge (a straight
// line, a plateau) and well inside.
INSTANTIATE_TEST_SUITE_P(Truths, IntervalCoverage,
                         testing::Values(Truth{"line", [](double p) { return p / 6.2; }},
                                         Truth{"plateau", [](double p) { return std::min(p, 300.0) / 3; }},
                                         Truth{"bent",
                                               [](double p) {
                                                 return std::min({0.5 * p, 75 + 0.25 * p, 155 + 0.05 * p});
                                               }}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace wattflex::elasticity
