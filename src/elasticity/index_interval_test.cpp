// Monte Carlo intervals against closed forms.
#include "elasticity/index_interval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "elasticity/flexibility.h"
#include "elasticity/sweep_fixture.h"

namespace wattflex::elasticity {
namespace {

constexpr double kTail = 0.025;
constexpr double kZ = 1.959963984540054;  // scipy.stats.norm.ppf(0.975)

double normal_cdf(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

// Where a rising function crosses zero.
double root(const std::function<double(double)>& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = std::midpoint(low, high);
    (f(middle) < 0 ? low : high) = middle;
  }
  return std::midpoint(low, high);
}

Interval published_interval(const SweepGroup& group, int resamples, std::uint64_t seed = 1) {
  return measure_flexibility(group, {.resamples = resamples, .seed = seed}).published.ci95.value();
}

// With an exact uncapped point, cut ~ N(0.2, 0.02) and loss ~ N(0.1, 0.01) are independent, and
// P(cut / loss <= q) = P(cut - q loss <= 0) = Phi((0.1 q - 0.2) / sqrt(0.02^2 + q^2 0.01^2)), the loss being
// ten sigma from zero: Fieller's interval. 400,000 resamples give its ends to about 0.5 % of the half-width.
TEST(IndexInterval, EqualsFiellersForOneRatio) {
  const auto interval =
      published_interval(group_of({{1000, 1000, 100, 0, 0}, {800, 800, 90, 20, 1}}), 400'000);
  const auto cdf = [](double q) { return normal_cdf((0.1 * q - 0.2) / std::hypot(0.02, 0.01 * q)); };
  const double low = root([&](double q) { return cdf(q) - kTail; }, 0, 2);
  const double high = root([&](double q) { return cdf(q) - 1 + kTail; }, 2, 10);
  EXPECT_NEAR(interval.low, low, 0.01 * (2 - low));
  EXPECT_NEAR(interval.high, high, 0.015 * (high - 2));
}

// Cut exactly 0.2, loss ~ N(0.001, 0.007): the ratio runs through infinity, and its percentiles follow from
// those of the loss. For q < 0: P(ratio <= q) = P(0.2/q <= loss < 0); for q > 0: P(ratio > q) = P(0 < loss <
// 0.2/q).
TEST(IndexInterval, IsThatOfTheRawRatioWhereALossCrossesZero) {
  const auto interval =
      published_interval(group_of({{1000, 1000, 100, 0, 0}, {800, 800, 99.9, 0, 0.7}}), 400'000);
  const auto loss_cdf = [](double loss) { return normal_cdf((loss - 0.001) / 0.007); };
  const double low_loss = root([&](double loss) { return loss_cdf(loss) - (loss_cdf(0) - kTail); }, -1, 0);
  const double high_loss = root([&](double loss) { return loss_cdf(loss) - (loss_cdf(0) + kTail); }, 0, 1);
  EXPECT_NEAR(interval.low, 0.2 / low_loss, 0.03 * std::abs(0.2 / low_loss));
  EXPECT_NEAR(interval.high, 0.2 / high_loss, 0.03 * (0.2 / high_loss));
}

using IndexOf = std::function<double(const std::vector<Row>&)>;

double mean_of_ratios(const std::vector<Row>& rows) {
  double sum = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    sum += (1 - rows[i].power / rows[0].power) / (1 - rows[i].throughput / rows[0].throughput);
  }
  return sum / static_cast<double>(rows.size() - 1);
}

double ratio_of_sums(const std::vector<Row>& rows) {
  double cut = 0;
  double loss = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    cut += 1 - rows[i].power / rows[0].power;
    loss += 1 - rows[i].throughput / rows[0].throughput;
  }
  return cut / loss;
}

// First order: the variance is the sum over all measured values, each error counted once although the
// uncapped point is in every ratio.
double delta_method_sigma(const std::vector<Row>& rows, const IndexOf& index) {
  double variance = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [value, error] :
         {std::pair(&Row::power, &Row::power_stderr), std::pair(&Row::throughput, &Row::throughput_stderr)}) {
      std::vector<Row> up = rows;
      std::vector<Row> down = rows;
      const double step = 1e-4 * rows[i].*value;
      up[i].*value += step;
      down[i].*value -= step;
      variance += std::pow((index(up) - index(down)) / (2 * step) * (rows[i].*error), 2);
    }
  }
  return std::sqrt(variance);
}

std::vector<Row> five_caps(double relative_error) {
  std::vector<Row> rows = {{700, 650, 100}, {600, 595, 97}, {500, 497, 90}, {400, 398, 78}, {300, 299, 60}};
  for (Row& row : rows) {
    row.power_stderr = row.power * relative_error;
    row.throughput_stderr = row.throughput * relative_error;
  }
  return rows;
}

TEST(IndexInterval, EqualsTheDeltaMethodForSmallErrors) {
  const std::vector<Row> rows = five_caps(2e-4);
  const Flexibility flexibility = measure_flexibility(group_of(rows), {.resamples = 400'000});
  const auto check = [&](const Estimate& estimate, const IndexOf& index) {
    const double half_width = kZ * delta_method_sigma(rows, index);
    EXPECT_NEAR(estimate.ci95->high - *estimate.value, half_width, 0.02 * half_width);
    EXPECT_NEAR(*estimate.value - estimate.ci95->low, half_width, 0.02 * half_width);
  };
  check(flexibility.published, mean_of_ratios);
  check(flexibility.guarded, mean_of_ratios);
  check(flexibility.pooled, ratio_of_sums);
}

// Were the uncapped point drawn anew for every ratio, its error would average out to a half over four ratios.
TEST(IndexInterval, SharesTheErrorOfTheUncappedPointAmongAllRatios) {
  std::vector<Row> rows = five_caps(0);
  rows[0].power_stderr = 0.2;
  rows[0].throughput_stderr = 0.03;
  const Flexibility flexibility = measure_flexibility(group_of(rows), {.resamples = 400'000});
  const double half_width = kZ * delta_method_sigma(rows, mean_of_ratios);
  EXPECT_NEAR(flexibility.published.ci95->high - flexibility.published.ci95->low, 2 * half_width,
              0.02 * half_width);
}

TEST(IndexInterval, GuardedLeavesOutTheUnresolvedPointThatRuinsThePublishedOne) {
  std::vector<Row> rows = five_caps(0.004);
  rows.insert(rows.begin() + 1, {650, 640, 99.8, 2.6, 0.4});
  const Flexibility flexibility = measure_flexibility(group_of(rows));
  EXPECT_GT(flexibility.published.ci95->high - flexibility.published.ci95->low, 5);
  EXPECT_LT(flexibility.guarded.ci95->high - flexibility.guarded.ci95->low, 1);
  EXPECT_LT(flexibility.guarded.ci95->low, *flexibility.guarded.value);
  EXPECT_GT(flexibility.guarded.ci95->high, *flexibility.guarded.value);
}

TEST(IndexInterval, IsAPointWithoutErrors) {
  const Flexibility flexibility = measure_flexibility(group_of(five_caps(0)));
  EXPECT_NEAR(flexibility.pooled.ci95->low, *flexibility.pooled.value, 1e-12);
  EXPECT_NEAR(flexibility.pooled.ci95->high, *flexibility.pooled.value, 1e-12);
}

TEST(IndexInterval, RepeatsForASeedAndChangesLittleWithAnother) {
  const SweepGroup group = group_of(five_caps(0.004));
  const Interval one = published_interval(group, 10'000, 1);
  EXPECT_EQ(one, published_interval(group, 10'000, 1));
  const Interval other = published_interval(group, 10'000, 2);
  EXPECT_NE(one, other);
  EXPECT_NEAR(one.low, other.low, 0.1 * (one.high - one.low));
}

TEST(IndexInterval, DoesNotDependOnTheGroupsMeasuredBefore) {
  std::vector<Row> many;
  for (int i = 0; i < 100; ++i) many.push_back({1000.0 - i, 1000.0 - 5 * i, 100 - 0.6 * i});
  FlexibilityMeter fresh({.resamples = 2'000});
  const Flexibility alone = fresh.measure(group_of(many));
  FlexibilityMeter busy({.resamples = 2'000});
  busy.measure(group_of(five_caps(0.01)));
  busy.measure(group_of({{700, 690, 100}, {600, 590, 95}}));
  const Flexibility after = busy.measure(group_of(many));
  EXPECT_EQ(alone.published.ci95, after.published.ci95);
  EXPECT_EQ(alone.guarded.ci95, after.guarded.ci95);
  EXPECT_EQ(alone.pooled.ci95, after.pooled.ci95);
}

TEST(IndexInterval, IsAbsentWhenNoResamplesAreAskedFor) {
  const Flexibility flexibility = measure_flexibility(group_of(five_caps(0.01)), {.resamples = 0});
  EXPECT_TRUE(flexibility.published.value.has_value());
  EXPECT_FALSE(flexibility.published.ci95.has_value());
}

TEST(IndexInterval, WorksWithASingleResample) {
  const Interval interval = published_interval(group_of(five_caps(0.01)), 1);
  EXPECT_EQ(interval.low, interval.high);
}

}  // namespace
}  // namespace wattflex::elasticity
