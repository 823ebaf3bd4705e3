#include "stats/percentile_interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace wattflex::stats {
namespace {

PercentileInterval interval(const std::vector<double>& values, double coverage = 0.95) {
  std::vector<double> scratch;
  return percentile_interval(values, coverage, scratch);
}

// The definition itself: sort everything, interpolate between neighbours (type 7).
double sorted_quantile(std::vector<double> values, double probability) {
  std::ranges::sort(values);
  const double rank = probability * static_cast<double>(values.size() - 1);
  const auto whole = static_cast<std::size_t>(rank);
  if (whole + 1 == values.size()) return values.back();
  return std::lerp(values[whole], values[whole + 1], rank - static_cast<double>(whole));
}

// python3 -c "import numpy; print(numpy.percentile([3,1,4,1,5,9,2,6,5,3,5], [2.5, 97.5]))"
TEST(PercentileInterval, EqualsNumpyOnAShortListWithTies) {
  const auto [low, high] = interval({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5});
  EXPECT_NEAR(low, 1.0, 1e-12);
  EXPECT_NEAR(high, 8.25, 1e-12);
}

// python3 -c "import numpy; v=[i*i%10007 for i in range(10000)]; print(numpy.percentile(v, [2.5, 97.5]))"
TEST(PercentileInterval, EqualsNumpyOnALongListThatBeginsUnlikeTheRest) {
  std::vector<double> values(10'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * i % 10'007);
  const auto [low, high] = interval(values);
  EXPECT_NEAR(low, 238.975, 1e-9);
  EXPECT_NEAR(high, 9739.05, 1e-9);
}

TEST(PercentileInterval, IsExactForEverySizeAroundTheSwitchOfAlgorithm) {
  RandomStream random(7);
  for (const std::size_t size : {1U, 2U, 3U, 40U, 2047U, 2048U, 2049U, 10'000U}) {
    std::vector<double> values(size);
    for (double& value : values) value = random.normal();
    for (const double coverage : {0.5, 0.9, 0.95, 0.999}) {
      const auto [low, high] = interval(values, coverage);
      EXPECT_NEAR(low, sorted_quantile(values, (1 - coverage) / 2), 1e-12) << size;
      EXPECT_NEAR(high, sorted_quantile(values, (1 + coverage) / 2), 1e-12) << size;
    }
  }
}

TEST(PercentileInterval, IsExactWhenTheFirstDrawsMisleadIt) {
  std::vector<double> rising(10'000);
  std::ranges::generate(rising, [next = 0.0]() mutable { return next++; });
  EXPECT_NEAR(interval(rising).low, 249.975, 1e-9);
  EXPECT_NEAR(interval(rising).high, 9749.025, 1e-9);
  std::ranges::reverse(rising);
  EXPECT_NEAR(interval(rising).low, 249.975, 1e-9);
  EXPECT_NEAR(interval(rising).high, 9749.025, 1e-9);
}

TEST(PercentileInterval, OfEqualValuesIsThatValue) {
  const auto [low, high] = interval(std::vector<double>(5'000, 2.5));
  EXPECT_EQ(low, 2.5);
  EXPECT_EQ(high, 2.5);
}

TEST(PercentileInterval, CarriesInfinitiesWithoutMakingNan) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values(10'000, kInfinity);
  EXPECT_EQ(interval(values).low, kInfinity);
  EXPECT_EQ(interval(values).high, kInfinity);
}

}  // namespace
}  // namespace wattflex::stats
