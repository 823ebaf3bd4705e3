#include "elasticity/concave_regression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace wattflex::elasticity {
namespace {

using ::testing::DoubleNear;

ConcaveFunction fit_of(std::span<const WeightedPoint> points) {
  auto fit = fit_concave(points);
  EXPECT_TRUE(fit.has_value());
  return *std::move(fit);
}

// The conditions that make a feasible f the optimum, checked straight from the definition in O(n^2):
// residuals sum to nothing, no admissible bend lowers the sum of squares, and bends in use are balanced.
void expect_optimal(std::span<const WeightedPoint> points, const ConcaveFunction& f) {
  double total = 0;
  double along_f = 0;
  double scale = 0;
  for (const auto& [x, y, weight] : points) {
    const double residual = weight * (y - f.at(x));
    total += residual;
    along_f += residual * f.at(x);
    scale += weight * std::abs(y);
  }
  EXPECT_NEAR(total, 0, 1e-9 * scale);
  EXPECT_NEAR(along_f, 0, 1e-9 * scale * std::abs(f.nodes().back().y));
  const double origin = f.nodes().front().x;
  for (const WeightedPoint& knot : points) {
    double descent = 0;
    for (const auto& [x, y, weight] : points) {
      descent += weight * (y - f.at(x)) * (std::min(x, knot.x) - origin);
    }
    EXPECT_LT(descent, 1e-9 * scale * (f.nodes().back().x - origin + 1)) << "bend at " << knot.x;
  }
  for (std::size_t k = 0; k + 1 < f.nodes().size(); ++k) {
    EXPECT_LE(f.nodes()[k].y, f.nodes()[k + 1].y * (1 + 1e-12));
    EXPECT_GE(f.slope_below(f.nodes()[k].x), f.slope_above(f.nodes()[k].x));
  }
}

std::vector<WeightedPoint> noisy_curve(std::size_t count, double noise, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<WeightedPoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = 100 + 600 * random.uniform();
    points.push_back({x, std::sqrt(x - 60) + noise * random.normal(), 0.1 + random.uniform()});
  }
  return points;
}

TEST(ConcaveRegression, ReturnsDataThatAreConcaveAndRising) {
  const std::vector<WeightedPoint> points = {
      {100, 1, 1}, {200, 3, 9}, {300, 4, 1}, {400, 4.5, 2}, {500, 4.5, 1}};
  const ConcaveFunction f = fit_of(points);
  for (const auto& [x, y, weight] : points) EXPECT_NEAR(f.at(x), y, 1e-12);
  EXPECT_DOUBLE_EQ(f.slope_below(200), 0.02);
  EXPECT_NEAR(f.slope_above(200), 0.01, 1e-12);
}

TEST(ConcaveRegression, MeetsTheOptimalityConditionsOnRandomData) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto points = noisy_curve(2 + seed % 40, 0.3 * static_cast<double>(seed % 10), seed);
    expect_optimal(points, fit_of(points));
  }
}

TEST(ConcaveRegression, AgreesWithQuadprog) {
  // quadprog 0.1.14, docs/math/power-curve.md gives the command.
  const std::vector<WeightedPoint> points = {{1, 1.0, 1}, {2, 0.8, 2}, {3, 2.9, 1},
                                             {5, 3.1, 4}, {6, 4.4, 1}, {8, 4.0, 3}};
  const ConcaveFunction f = fit_of(points);
  const std::vector<double> expected = {0.49017857142857135, 1.3098214285714287, 2.1294642857142856,
                                        3.2955357142857142,  3.878571428571429,  4.0};
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(f.at(points[i].x), expected[i], 1e-9);
}

TEST(ConcaveRegression, FitsAMeanToFallingDataAndALineToConvexData) {
  const std::vector<WeightedPoint> falling = {{1, 3, 1}, {2, 2, 1}, {4, 1, 2}};
  for (const double x : {1.0, 2.0, 4.0}) EXPECT_NEAR(fit_of(falling).at(x), 1.75, 1e-12);
  // Least squares line of (0,0) (1,0) (2,3): slope 1.5, through the means (1, 1).
  const std::vector<WeightedPoint> convex = {{0, 0, 1}, {1, 0, 1}, {2, 3, 1}};
  EXPECT_NEAR(fit_of(convex).at(0), -0.5, 1e-12);
  EXPECT_NEAR(fit_of(convex).at(2), 2.5, 1e-12);
}

TEST(ConcaveRegression, ScalesWithBothAxes) {
  const auto points = noisy_curve(30, 1, 7);
  std::vector<WeightedPoint> scaled = points;
  for (WeightedPoint& point : scaled) {
    point.x *= 1e6;
    point.y *= 1e-4;
    point.weight *= 42;
  }
  const ConcaveFunction f = fit_of(points);
  const ConcaveFunction g = fit_of(scaled);
  for (const auto& [x, y, weight] : points) EXPECT_NEAR(g.at(x * 1e6), f.at(x) * 1e-4, 1e-14);
}

TEST(ConcaveRegression, TakesPointsOfEqualXAsTheirWeightedMean) {
  const std::vector<WeightedPoint> repeated = {{1, 1, 1}, {2, 4, 1}, {2, 2, 3}, {3, 3, 1}};
  const std::vector<WeightedPoint> merged = {{1, 1, 1}, {2, 2.5, 4}, {3, 3, 1}};
  for (const double x : {1.0, 2.0, 3.0}) EXPECT_NEAR(fit_of(repeated).at(x), fit_of(merged).at(x), 1e-12);
  const std::vector<WeightedPoint> single = {{5, 2, 1}, {5, 4, 1}};
  EXPECT_THAT(fit_of(single).at(700), DoubleNear(3, 1e-12));
}

TEST(ConcaveRegression, CopesWithTwoThousandPointsSomeAlmostEqual) {
  auto points = noisy_curve(2000, 0.2, 11);
  for (std::size_t i = 0; i < 500; ++i) points[i].x = points[i + 500].x + 1e-9 * static_cast<double>(i);
  expect_optimal(points, fit_of(points));
}

TEST(ConcaveRegression, CopesWithWeightsOverTwelveDecades) {
  auto points = noisy_curve(25, 1, 5);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i].weight = std::pow(10.0, -6 + static_cast<double>(i % 13));
  expect_optimal(points, fit_of(points));
}

// The problem has no scale of its own: the fit of huge or tiny numbers is that of ordinary ones, scaled.
TEST(ConcaveRegression, FitsTheLargestAndTheSmallestNumbersLikeOrdinaryOnes) {
  const auto points = noisy_curve(30, 1, 7);
  const ConcaveFunction f = fit_of(points);
  for (const double size : {1e-300, 1e-160, 1e160, 1e300}) {
    std::vector<WeightedPoint> scaled = points;
    for (WeightedPoint& point : scaled) point = {point.x * size, point.y * size, point.weight * size};
    const ConcaveFunction g = fit_of(scaled);
    for (const auto& [x, y, weight] : points) EXPECT_NEAR(g.at(x * size) / size, f.at(x), 1e-11) << size;
  }
}

TEST(ConcaveRegression, EndsWhateverTheRangeOfTheValues) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed);
    std::vector<WeightedPoint> points;
    for (std::uint64_t i = 0; i < 2 + seed % 30; ++i) {
      points.push_back({std::pow(10.0, 40 * random.uniform() - 20),
                        std::pow(10.0, 60 * random.uniform() - 30),
                        std::pow(10.0, 80 * random.uniform() - 40)});
    }
    const auto fit = fit_concave(points);
    if (!fit) continue;  // an error is an end as well
    for (const auto& node : fit->nodes()) EXPECT_TRUE(std::isfinite(node.y)) << seed;
  }
}

TEST(ConcaveRegression, IsRefusedWhereAValueIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double largest = std::numeric_limits<double>::max();
  for (const WeightedPoint& wrong :
       {WeightedPoint{infinity, 1, 1}, WeightedPoint{3, infinity, 1}, WeightedPoint{3, std::nan(""), 1},
        WeightedPoint{3, 1, infinity}, WeightedPoint{3, 1, 0}, WeightedPoint{-largest, 1, 1}}) {
    const std::vector<WeightedPoint> points = {{largest / 2, 2, 1}, {1, 1, 1}, wrong};
    const auto fit = fit_concave(points);
    ASSERT_FALSE(fit.has_value());
    EXPECT_EQ(fit.error().kind, ErrorKind::no_data);
  }
}

}  // namespace
}  // namespace wattflex::elasticity
