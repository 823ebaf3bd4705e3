#include "elasticity/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/random.h"

namespace wattflex::elasticity {
namespace {

using testing::HasSubstr;

using Rows = std::vector<std::array<double, 3>>;

SweepGroup side_of(const Rows& rows, const std::string& accelerator = "H200") {
  SweepGroup group;
  group.id = {.table = "t", .group = "g", .accelerator = accelerator};
  group.gpus = 1;
  for (const auto& [cap, power, throughput] : rows) {
    group.points.push_back(
        {.cap = Power::from_watts(cap), .power = Power::from_watts(power), .throughput = throughput});
  }
  return group;
}

const ComparisonOptions kOptions = {.flexibility = {.resamples = 1000}};

const Difference& find(const GroupComparison& comparison, Compared quantity) {
  const auto found = std::ranges::find(comparison.differences, quantity, &Difference::quantity);
  EXPECT_NE(found, comparison.differences.end()) << to_string(quantity);
  return *found;
}

const Rows kFourRows = {{700, 600, 100}, {500, 480, 92}, {400, 390, 82}, {300, 295, 60}};

Rows scaled(Rows rows, double power, double throughput) {
  for (auto& row : rows) {
    row[1] *= power;
    row[2] *= throughput;
  }
  return rows;
}

TEST(Comparison, OfASweepWithItselfFindsNothing) {
  std::vector<GroupComparison> comparisons = {compare(side_of(kFourRows), side_of(kFourRows), kOptions)};
  adjust(comparisons);
  for (const Difference& difference : comparisons[0].differences) {
    ASSERT_TRUE(difference.tested) << to_string(difference.quantity);
    EXPECT_EQ(difference.tested->difference, 0);
    EXPECT_EQ(difference.tested->p_adjusted, 1);
    EXPECT_LT(difference.tested->ci95.low, 0);
    EXPECT_GT(difference.tested->ci95.high, 0);
  }
  EXPECT_TRUE(comparisons[0].warnings.empty());
}

TEST(Comparison, StatesARelativeChangeWithTheErrorsOfBothSides) {
  ComparisonOptions options = kOptions;
  options.run_to_run = {.power = 0.004, .throughput = 0.005};  // all of it in the default errors
  const auto comparison = compare(side_of(kFourRows), side_of(scaled(kFourRows, 0.98, 1.03)), options);
  const auto& power = *find(comparison, Compared::reference_power).tested;
  EXPECT_NEAR(power.difference, -0.02, 1e-12);
  // Default errors 0.4 % on both sides: ln 0.98 -+ 1.95996 sqrt(2) 0.004.
  EXPECT_NEAR(power.ci95.low, std::exp(std::log(0.98) - 0.0110872) - 1, 1e-7);
  EXPECT_NEAR(power.ci95.high, std::exp(std::log(0.98) + 0.0110872) - 1, 1e-7);
  // z = ln 0.98 / (sqrt(2) 0.004) = -3.57138; scipy.stats.norm.sf(3.57138) * 2 = 3.5511e-4.
  EXPECT_NEAR(power.p_value, 3.5511e-4, 1e-7);
  EXPECT_NEAR(find(comparison, Compared::reference_efficiency).tested->difference, 1.03 / 0.98 - 1, 1e-12);
  // The same shape: index and shares kept do not move.
  EXPECT_NEAR(find(comparison, Compared::pfi_published).tested->difference, 0, 1e-9);
  EXPECT_NEAR(find(comparison, Compared::kept_at_cap).tested->difference, 0, 1e-12);
}

// The half width of the interval of ln(B/A), in standard errors of one side.
double error_behind(const Difference& difference) {
  const Interval& ci95 = difference.tested->ci95;
  return (std::log1p(ci95.high) - std::log1p(ci95.low)) / (2 * 1.959963984540054 * std::sqrt(2));
}

SweepGroup with_errors(SweepGroup group, double power, double throughput) {
  for (SweepPoint& point : group.points) {
    point.power_stderr = point.power * power;
    point.throughput_stderr = point.throughput * throughput;
  }
  return group;
}

TEST(Comparison, AddsWhatDiffersFromSweepToSweepToErrorsWithinOne) {
  ComparisonOptions options = kOptions;
  options.run_to_run = {.power = 0.008, .throughput = 0.012};
  const SweepGroup stated = with_errors(side_of(kFourRows), 0.006, 0.005);
  const auto of_columns = compare(stated, stated, options);
  EXPECT_NEAR(error_behind(find(of_columns, Compared::reference_power)), 0.010, 1e-9);       // 6, 8, 10
  EXPECT_NEAR(error_behind(find(of_columns, Compared::reference_throughput)), 0.013, 1e-9);  // 5, 12, 13
  EXPECT_NEAR(error_behind(find(of_columns, Compared::reference_efficiency)), std::hypot(0.010, 0.013), 1e-9);
  // Errors of separate runs hold a part of it already, never more than all of it.
  const auto of_defaults = compare(side_of(kFourRows), side_of(kFourRows), options);
  EXPECT_NEAR(error_behind(find(of_defaults, Compared::reference_power)), 0.008, 1e-9);
  EXPECT_NEAR(error_behind(find(of_defaults, Compared::reference_throughput)), 0.012, 1e-9);
  options.run_to_run = {.power = 0.001, .throughput = 0};
  const auto of_less = compare(side_of(kFourRows), side_of(kFourRows), options);
  EXPECT_NEAR(error_behind(find(of_less, Compared::reference_power)), 0.004, 1e-9);
  // Caps changed inside one run: their default errors hold nothing of it.
  options.flexibility.noise = DefaultNoise::within_run;
  options.run_to_run = {.power = 0.0003, .throughput = 0.0012};
  const auto inside = compare(side_of(kFourRows), side_of(kFourRows), options);
  EXPECT_NEAR(error_behind(find(inside, Compared::reference_power)), 0.0005, 1e-9);       // 4, 3, 5
  EXPECT_NEAR(error_behind(find(inside, Compared::reference_throughput)), 0.0013, 1e-9);  // 5, 12, 13
}

TEST(Comparison, OfSharesKeptAndIndicesDoesWithoutWhatDiffersFromSweepToSweep) {
  const SweepGroup a = with_errors(side_of(kFourRows), 0.001, 0.001);
  const SweepGroup b =
      with_errors(side_of({{700, 601, 101}, {500, 480, 91}, {400, 390, 83}, {300, 295, 60}}), 0.001, 0.001);
  ComparisonOptions none = kOptions;
  none.run_to_run = {.power = 0, .throughput = 0};
  ComparisonOptions much = kOptions;
  much.run_to_run = {.power = 0.1, .throughput = 0.1};
  const auto with = compare(a, b, much);
  const auto without = compare(a, b, none);
  ASSERT_EQ(with.differences.size(), without.differences.size());
  for (std::size_t i = 0; i < with.differences.size(); ++i) {
    const bool is_level = is_relative(with.differences[i].quantity);
    EXPECT_EQ(with.differences[i].tested->p_value != without.differences[i].tested->p_value, is_level)
        << to_string(with.differences[i].quantity);
  }
}

SweepGroup without_errors(SweepGroup group) {
  for (SweepPoint& point : group.points) {
    point.power_stderr = Power();
    point.throughput_stderr = 0;
  }
  return group;
}

TEST(Comparison, IsCertainWhereNothingIsUncertain) {
  const auto a = without_errors(side_of({{700, 600, 100}, {500, 480, 90}}));
  const auto b = without_errors(side_of({{700, 600, 100}, {500, 480, 70}}));
  std::vector<GroupComparison> comparisons = {compare(a, b, kOptions), compare(a, a, kOptions)};
  adjust(comparisons);
  const auto& kept = *find(comparisons[0], Compared::kept_at_cap).tested;
  EXPECT_NEAR(kept.difference, -0.20, 1e-12);
  EXPECT_EQ(kept.p_value, 0);
  EXPECT_TRUE(kept.significant());
  EXPECT_EQ(find(comparisons[1], Compared::kept_at_cap).tested->p_value, 1);
}

TEST(Comparison, SaysWhyNothingIsComparedWhereASideHasNoCurve) {
  // Exact by its own errors, and 85 at 480 W under 95 at 390 W: no curve is near. The scatter times the one
  // error that is not zero exceeds the value by far.
  auto wild = without_errors(
      side_of({{700, 600, 100}, {600, 540, 99}, {500, 480, 85}, {400, 390, 95}, {300, 295, 60}}));
  wild.points[1].power_stderr = wild.points[1].power * 0.1;
  const auto comparison = compare(side_of(kFourRows), wild, kOptions);
  EXPECT_THAT(comparison.reason, testing::AllOf(testing::StartsWith("B: "), HasSubstr("leave no curve")));
  EXPECT_TRUE(comparison.differences.empty());
}

TEST(Comparison, TurnsItsSignWhenTheSidesChange) {
  const SweepGroup a = side_of(kFourRows);
  const SweepGroup b = side_of({{700, 610, 101}, {500, 480, 95}, {400, 390, 88}, {300, 295, 70}});
  const auto forth = compare(a, b, kOptions);
  const auto back = compare(b, a, kOptions);
  for (std::size_t i = 0; i < forth.differences.size(); ++i) {
    const auto& there = *forth.differences[i].tested;
    const auto& here = *back.differences[i].tested;
    if (is_relative(forth.differences[i].quantity)) {
      EXPECT_NEAR((1 + there.difference) * (1 + here.difference), 1, 1e-12);
    } else {
      EXPECT_NEAR(there.difference, -here.difference, 1e-12);
      EXPECT_NEAR(there.ci95.low, -here.ci95.high, 1e-9);
    }
    EXPECT_NEAR(there.p_value, here.p_value, 1e-9);
  }
}

// Case SWP-02: the baseline had run at a forgotten cap of 230 W.
TEST(Comparison, UsesOnlyTheCapsBothSidesHaveAndSaysSo) {
  const SweepGroup a = side_of({{230, 228, 60}, {200, 199, 50}});
  const SweepGroup b =
      side_of({{370, 350, 100}, {320, 315, 95}, {270, 268, 80}, {230, 228, 61}, {200, 199, 51}});
  const auto comparison = compare(a, b, kOptions);
  EXPECT_EQ(comparison.reference_cap_a, comparison.reference_cap_b);
  EXPECT_EQ(comparison.reference_cap_b.watts(), 230);
  EXPECT_EQ(comparison.common_caps.size(), 2U);
  EXPECT_NEAR(find(comparison, Compared::reference_throughput).tested->difference, 61.0 / 60 - 1, 1e-12);
  EXPECT_THAT(comparison.warnings, testing::Contains(HasSubstr("largest caps differ, 230 W and 370 W")));
}

// 400.4 W and 400 W are both within reach of 400.2 W; only one of them can be its partner.
TEST(Comparison, PairsEachCapOnce) {
  const Rows fine = {{700, 600, 100}, {400.5, 391, 83}, {400, 390, 82}, {300, 295, 60}};
  const Rows plain = {{700, 600, 100}, {400.1, 390, 82}, {300, 295, 60}};
  for (const auto& comparison :
       {compare(side_of(fine), side_of(plain), kOptions), compare(side_of(plain), side_of(fine), kOptions)}) {
    ASSERT_EQ(comparison.common_caps.size(), 3U);
    for (const Difference& difference : comparison.differences) {
      if (difference.quantity != Compared::kept_at_cap) continue;
      ASSERT_TRUE(difference.tested);
      EXPECT_EQ(difference.tested->difference, 0) << difference.cap->watts();
    }
  }
}

TEST(Comparison, NamesSidesThatCannotBeCompared) {
  EXPECT_EQ(
      compare(side_of({{700, 600, 9}, {500, 480, 8}}), side_of({{650, 600, 9}, {450, 430, 8}}), kOptions)
          .reason,
      "no cap in common (A 700 500; B 650 450)");
  SweepGroup hot = side_of(kFourRows);
  hot.points[0].limited_by = Limiter::thermal;
  EXPECT_THAT(compare(side_of(kFourRows), hot, kOptions).reason, HasSubstr("B: reference missing"));
}

TEST(Comparison, ComparesTwoAcceleratorsAtEqualCuts) {
  const auto comparison = compare(side_of(kFourRows), side_of(scaled(kFourRows, 0.5, 2), "V100"), kOptions);
  const Difference& kept = find(comparison, Compared::kept_at_cut);
  EXPECT_EQ(kept.cut, 0.05);
  // 5 % of 600 W is 30 W, a quarter of the way to 480 W: 2 of 100 points.
  EXPECT_NEAR(kept.a.value(), 0.98, 1e-9);
  EXPECT_NEAR(kept.tested->difference, 0, 1e-9);
  EXPECT_THAT(comparison.warnings, testing::Contains(HasSubstr("two accelerators")));
}

TEST(Comparison, KeepsPowersApartThatAreNotTheSameStatistic) {
  SweepGroup peak = side_of(kFourRows);
  for (SweepPoint& point : peak.points) point.power_kind = PowerKind::peak;
  const auto comparison = compare(side_of(kFourRows), peak, kOptions);
  for (const Difference& difference : comparison.differences) {
    EXPECT_TRUE(difference.quantity == Compared::reference_throughput ||
                difference.quantity == Compared::kept_at_cap);
  }
}

TEST(Comparison, OfTwoNoisyRunsOfOneJobRarelyFindsADifference) {
  // Holm bounds the chance of any false finding at 5 %: over 200 pairs 10 expected, 3 standard errors 9.
  RandomStream random(9);
  const auto noisy = [&] {
    Rows rows = kFourRows;
    for (auto& row : rows) {
      row[1] *= 1 + 0.004 * random.normal();
      row[2] *= 1 + 0.005 * random.normal();
    }
    return side_of(rows);
  };
  int pairs_with_findings = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<GroupComparison> pair = {compare(noisy(), noisy(), {.flexibility = {.resamples = 200}})};
    adjust(pair);
    pairs_with_findings += std::ranges::any_of(pair[0].differences, [](const Difference& difference) {
      return difference.tested && difference.tested->significant();
    });
  }
  EXPECT_LE(pairs_with_findings, 19);
}

}  // namespace
}  // namespace wattflex::elasticity
