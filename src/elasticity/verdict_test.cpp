#include "elasticity/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "elasticity/sweep_fixture.h"

namespace wattflex::elasticity {
namespace {

using testing::HasSubstr;

// The verdict of the second row.
JudgedPoint judged(const SweepGroup& group, DefaultNoise noise = DefaultNoise::run_to_run) {
  return judge(group, noise).at(1);
}

// 3 W of 1000 W and 4 W of 800 W: 2 sigma of the cut is 2 * 0.8 sqrt(0.003^2 + 0.005^2) = 0.933 %.
// 0.4 of 100 and 0.21 of 70: 2 sigma of the loss is 2 * 0.7 sqrt(0.004^2 + 0.003^2) = 0.7 %.
TEST(Verdict, GivesTheChangesWithTheErrorOfThePointAndOfTheUncappedOne) {
  const JudgedPoint point = judged(group_of({{1200, 1000, 100, 3, 0.4}, {800, 800, 70, 4, 0.21}}));
  EXPECT_DOUBLE_EQ(*point.power_cut, 0.2);
  EXPECT_DOUBLE_EQ(*point.throughput_loss, 0.3);
  EXPECT_DOUBLE_EQ(*point.ratio, 2.0 / 3);
  EXPECT_EQ(point.reason, "power cut 20.00 % (2 sigma 0.93 %), throughput loss 30.00 % (2 sigma 0.70 %)");
}

// With 1 % on both points and P = 0.97 P0, 2 sigma of the cut is 0.97 * 2 * sqrt(2) % = 2.744 %.
TEST(Verdict, UsesAPowerCutJustAboveTwoSigmaAndRefusesOneJustBelow) {
  const auto cut_with_error = [](double share) {
    return judged(group_of({{700, 1000, 100, 1000 * share, 0.01}, {650, 970, 90, 970 * share, 0.01}}));
  };
  const double limit = 0.03 / (0.97 * 2 * std::sqrt(2.0));
  EXPECT_EQ(cut_with_error(limit * 0.999).verdict, Verdict::used);
  EXPECT_EQ(cut_with_error(limit * 1.001).verdict, Verdict::below_resolution);
  EXPECT_THAT(cut_with_error(limit * 1.001).reason, HasSubstr("power cut within the noise: 3.00 %"));
}

TEST(Verdict, UsesAThroughputLossJustAboveTwoSigmaAndRefusesOneJustBelow) {
  const auto loss_with_error = [](double share) {
    return judged(group_of({{700, 1000, 100, 1, 100 * share}, {650, 640, 97, 1, 97 * share}}));
  };
  const double limit = 0.03 / (0.97 * 2 * std::sqrt(2.0));
  EXPECT_EQ(loss_with_error(limit * 0.999).verdict, Verdict::used);
  EXPECT_EQ(loss_with_error(limit * 1.001).verdict, Verdict::below_resolution);
}

TEST(Verdict, CallsADrawAboveUncappedOnlyBeyondTwoSigma) {
  const auto draw_with_error = [](double share) {
    return judged(group_of({{700, 1000, 100, 1000 * share, 0.01}, {650, 1030, 90, 1030 * share, 0.01}}));
  };
  const double limit = 0.03 / (1.03 * 2 * std::sqrt(2.0));
  EXPECT_EQ(draw_with_error(limit * 0.999).verdict, Verdict::above_uncapped);
  EXPECT_EQ(draw_with_error(limit * 1.001).verdict, Verdict::below_resolution);
}

TEST(Verdict, CallsAThroughputAboveUncappedOnlyBeyondTwoSigma) {
  const auto throughput_with_error = [](double share) {
    return judged(group_of({{700, 1000, 100, 1, 100 * share}, {650, 640, 103, 1, 103 * share}}));
  };
  const double limit = 0.03 / (1.03 * 2 * std::sqrt(2.0));
  EXPECT_EQ(throughput_with_error(limit * 0.999).verdict, Verdict::above_uncapped);
  EXPECT_EQ(throughput_with_error(limit * 1.001).verdict, Verdict::below_resolution);
}

TEST(Verdict, CallsACapNotBindingMoreThanFivePercentAboveAnUnchangedDraw) {
  const auto under_cap = [](double cap) { return judged(group_of({{700, 570, 100}, {cap, 570, 99}})); };
  EXPECT_EQ(under_cap(601).verdict, Verdict::cap_not_binding);   // 570 / 601 = 94.8 %
  EXPECT_EQ(under_cap(599).verdict, Verdict::below_resolution);  // 95.2 %
  EXPECT_THAT(under_cap(601).reason, HasSubstr("570.0 W per GPU under a 601 W cap"));
}

// 2 sigma of a cut near zero is 2 * sqrt(2) * 0.4 % = 1.13 % with the run-to-run default.
TEST(Verdict, CallsACapNotBindingOnlyWhileTheDrawIsTheUncappedOne) {
  const auto drawing = [](double power) { return judged(group_of({{700, 500, 100}, {600, power, 95}})); };
  EXPECT_EQ(drawing(500 * (1 - 0.0111)).verdict, Verdict::cap_not_binding);
  EXPECT_EQ(drawing(500 * (1 - 0.0115)).verdict, Verdict::used);
  EXPECT_EQ(drawing(500 * (1 + 0.0111)).verdict, Verdict::cap_not_binding);
  EXPECT_EQ(drawing(500 * (1 + 0.0117)).verdict, Verdict::above_uncapped);
}

TEST(Verdict, ComparesTheCapWithTheDrawOfOneGpu) {
  SweepGroup group = group_of({{700, 8 * 500, 100}, {600, 8 * 500, 100}});
  group.gpus = 8;
  EXPECT_EQ(judged(group).verdict, Verdict::cap_not_binding);
}

TEST(Verdict, BelievesTheDriverOnWhetherTheCapBinds) {
  SweepGroup group = group_of({{700, 500, 100}, {600, 500, 99}});
  group.points[1].limited_by = Limiter::power_cap;
  EXPECT_EQ(judged(group).verdict, Verdict::below_resolution);
  SweepGroup free = group_of({{700, 690, 100}, {600, 590, 90}});
  free.points[1].limited_by = Limiter::none;
  EXPECT_EQ(judged(free).verdict, Verdict::cap_not_binding);
}

TEST(Verdict, CallsALimitNotEnforcedFromHalfAWattOn) {
  const auto in_force = [](double watts) {
    SweepGroup group = group_of({{700, 690, 100}, {500, 495, 80}});
    group.points[1].enforced = Power::from_watts(watts);
    return judged(group);
  };
  EXPECT_EQ(in_force(500.4).verdict, Verdict::used);
  EXPECT_EQ(in_force(500.5).verdict, Verdict::not_enforced);
  EXPECT_EQ(in_force(499.5).verdict, Verdict::not_enforced);
  EXPECT_EQ(in_force(550).reason, "500 W asked for, 550 W in force");
}

// When cap_w is the limit in force and only the request is stated besides.
TEST(Verdict, TakesTheCapForAMissingEnforcedLimit) {
  SweepGroup group = group_of({{700, 690, 100}, {500, 495, 80}});
  group.points[1].requested = Power::from_watts(400);
  EXPECT_EQ(judged(group).verdict, Verdict::not_enforced);
}

TEST(Verdict, PutsNotEnforcedBeforeHeatAndHeatBeforeAllThatIsMeasured) {
  SweepGroup group = group_of({{700, 500, 100}, {600, 500, 100}});
  group.points[1].limited_by = Limiter::thermal;
  EXPECT_EQ(judged(group).verdict, Verdict::other_limiter);
  group.points[1].enforced = Power::from_watts(700);
  EXPECT_EQ(judged(group).verdict, Verdict::not_enforced);
}

// Case SWP-03: the uncapped run was thermally bound; the 500 W run was fine.
TEST(Verdict, OfAThermallyBoundUncappedRunLeavesNoReference) {
  SweepGroup group = group_of({{700, 640, 1500}, {500, 499, 1300}});
  group.points[0].limited_by = Limiter::thermal;
  group.points[1].limited_by = Limiter::power_cap;
  const auto points = judge(group, DefaultNoise::run_to_run);
  EXPECT_EQ(points[0].verdict, Verdict::other_limiter);
  EXPECT_EQ(points[1].verdict, Verdict::no_reference);
  EXPECT_FALSE(points[1].power_cut.has_value());
  EXPECT_FALSE(points[1].throughput_loss.has_value());
  EXPECT_FALSE(points[1].ratio.has_value());
  EXPECT_THAT(points[1].reason, HasSubstr("reference missing"));
}

TEST(Verdict, HasNoRatioWhereThroughputEqualsTheUncappedOneExactly) {
  const JudgedPoint point = judged(group_of({{700, 690, 100}, {600, 590, 100}}));
  EXPECT_EQ(point.throughput_loss, 0);
  EXPECT_FALSE(point.ratio.has_value());
  EXPECT_EQ(point.verdict, Verdict::below_resolution);
}

TEST(Verdict, ResolvesTenTimesSmallerChangesInsideOneRun) {
  const SweepGroup group = group_of({{700, 690, 100}, {680, 676, 99.5}});
  EXPECT_EQ(judged(group, DefaultNoise::run_to_run).verdict, Verdict::below_resolution);
  EXPECT_EQ(judged(group, DefaultNoise::within_run).verdict, Verdict::used);
}

TEST(ErrorSource, SaysWhereTheErrorsComeFrom) {
  SweepGroup group = group_of({{700, 690, 100, 1, 1}, {600, 590, 95, 1, 1}});
  EXPECT_EQ(error_source(group.points, DefaultNoise::run_to_run), "stderr columns");
  group.points[1].power_stderr.reset();
  EXPECT_EQ(error_source(group.points, DefaultNoise::run_to_run),
            "stderr columns, run-to-run default where empty");
  EXPECT_EQ(error_of(group.points[1], DefaultNoise::run_to_run).power, 0.004);
  group = group_of({{700, 690, 100}, {600, 590, 95}});
  EXPECT_EQ(error_source(group.points, DefaultNoise::within_run), "within-run default");
  EXPECT_EQ(error_source(group.points, DefaultNoise::run_to_run), "run-to-run default");
}

}  // namespace
}  // namespace wattflex::elasticity
