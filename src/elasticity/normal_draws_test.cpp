#include "elasticity/normal_draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace wattflex::elasticity {
namespace {

constexpr int kCount = 200'000;

double correlation(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum / static_cast<double>(a.size());
}

// Tolerances are five standard errors: 0.0022 of a mean and a correlation, 0.0032 of a variance.
TEST(NormalDraws, HaveTheMomentsAndTheTailsOfANormal) {
  NormalDraws draws(kCount, 3);
  const auto [power, throughput] = draws.of(2);
  for (const auto column : {power, throughput}) {
    double sum = 0;
    for (const float draw : column) sum += double{draw};
    EXPECT_NEAR(sum / kCount, 0, 0.011);
    EXPECT_NEAR(correlation(column, column), 1, 0.016);
    // scipy.stats.norm.sf([1.959963984540054, 3.0])
    const auto share_above = [&column](float limit) {
      return static_cast<double>(std::ranges::count_if(column, [limit](float d) { return d > limit; })) /
             kCount;
    };
    EXPECT_NEAR(share_above(1.959963984540054F), 0.025, 0.0018);
    EXPECT_NEAR(share_above(3.0F), 0.0013498980316300933, 0.0004);
  }
}

TEST(NormalDraws, AreIndependentBetweenColumnsAndNeighbours) {
  NormalDraws draws(kCount, 3);
  const auto [power, throughput] = draws.of(0);
  EXPECT_NEAR(correlation(power, throughput), 0, 0.011);
  EXPECT_NEAR(correlation(power, draws.of(1).power), 0, 0.011);
  EXPECT_NEAR(correlation(power.subspan(1), power.first(kCount - 1)), 0, 0.011);
}

TEST(NormalDraws, AreTheSameForASeedWhateverWasAskedForBefore) {
  NormalDraws fresh(101, 9);
  NormalDraws used(101, 9);
  for (std::size_t point = 0; point < 2 * NormalDraws::kKeptPoints; ++point) used.of(point);
  for (const std::size_t point :
       {std::size_t{5}, NormalDraws::kKeptPoints - 1, NormalDraws::kKeptPoints + 7}) {
    EXPECT_TRUE(std::ranges::equal(fresh.of(point).power, used.of(point).power));
    EXPECT_TRUE(std::ranges::equal(fresh.of(point).throughput, used.of(point).throughput));
    EXPECT_EQ(fresh.of(point).power.size(), 101U);
  }
}

}  // namespace
}  // namespace wattflex::elasticity
