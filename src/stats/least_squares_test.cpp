#include "stats/least_squares.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace wattflex::stats {
namespace {

// Longley's data with the values certified by NIST (Statistical Reference Datasets, linear regression, higher
// level of difficulty): six nearly dependent predictors of very different size.
struct Longley {
  std::vector<Observation> cases;
  std::vector<double> response;
};

Longley longley() {
  constexpr std::array<std::array<double, 7>, 16> kRows = {
      {{60323, 83.0, 234289, 2356, 1590, 107608, 1947},
       {61122, 88.5, 259426, 2325, 1456, 108632, 1948},
       {60171, 88.2, 258054, 3682, 1616, 109773, 1949},
       {61187, 89.5, 284599, 3351, 1650, 110929, 1950},
       {63221, 96.2, 328975, 2099, 3099, 112075, 1951},
       {63639, 98.1, 346999, 1932, 3594, 113270, 1952},
       {64989, 99.0, 365385, 1870, 3547, 115094, 1953},
       {63761, 100.0, 363112, 3578, 3350, 116219, 1954},
       {66019, 101.2, 397469, 2904, 3048, 117388, 1955},
       {67857, 104.6, 419180, 2822, 2857, 118734, 1956},
       {68169, 108.4, 442769, 2936, 2798, 120445, 1957},
       {66513, 110.8, 444546, 4681, 2637, 121950, 1958},
       {68655, 112.6, 482704, 3813, 2552, 123366, 1959},
       {69564, 114.2, 502601, 3931, 2514, 125368, 1960},
       {69331, 115.7, 518173, 4806, 2572, 127852, 1961},
       {70551, 116.9, 554894, 4007, 2827, 130081, 1962}}};
  Longley data;
  for (const auto& row : kRows) {
    data.response.push_back(row[0]);
    data.cases.emplace_back(row.begin() + 1, row.end());
  }
  return data;
}

TEST(LeastSquares, GivesTheCertifiedCoefficientsAndErrorsOfLongleysData) {
  constexpr std::array kCoefficients = {-3482258.63459582, 15.0618722713733,  -0.358191792925910E-01,
                                        -2.02022980381683, -1.03322686717359, -0.511041056535807E-01,
                                        1829.15146461355};
  constexpr std::array kErrors = {890420.383607373,  84.9149257747669,  0.334910077722432E-01,
                                  0.488399681651699, 0.214274163161675, 0.226073200069370,
                                  455.478499142212};
  const Longley data = longley();
  const auto model = fit_least_squares(data.cases, data.response);
  ASSERT_TRUE(model);
  for (std::size_t j = 0; j < kCoefficients.size(); ++j) {
    EXPECT_NEAR(model->coefficients[j] / kCoefficients[j], 1, 1e-8) << j;
    EXPECT_NEAR(model->coefficient_error(j) / kErrors[j], 1, 1e-8) << j;
  }
  EXPECT_NEAR(std::sqrt(model->residual_variance), 304.854073561965, 1e-6);
}

TEST(LeastSquares, LeverageOfTheFittedCasesSumsToTheNumberOfCoefficients) {
  const Longley data = longley();
  const auto model = fit_least_squares(data.cases, data.response);
  double sum = 0;
  for (const auto& row : data.cases) {
    const double leverage = model->leverage(row);
    EXPECT_GE(leverage, 1.0 / 16 - 1e-6);
    EXPECT_LE(leverage, 1 + 1e-6);
    sum += leverage;
  }
  EXPECT_NEAR(sum, 7, 1e-5);
}

// One predictor has textbook formulas: s^2 (1 + 1/n + (x - mean)^2 / Sxx). x = 1..5, y = 2 4 5 4 5:
// slope 0.6, intercept 2.2, SSE 2.4, s^2 0.8, Sxx 10; at x = 6 the leverage is 0.2 + 0.9.
TEST(LeastSquares, PredictionErrorFollowsTheTextbookFormula) {
  const std::vector<Observation> x{{1}, {2}, {3}, {4}, {5}};
  const auto model = fit_least_squares(x, std::vector<double>{2, 4, 5, 4, 5});
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->coefficients[0], 2.2, 1e-12);
  EXPECT_NEAR(model->coefficients[1], 0.6, 1e-12);
  EXPECT_NEAR(model->residual_variance, 0.8, 1e-12);
  EXPECT_NEAR(model->leverage(Observation{6}), 1.1, 1e-12);
  EXPECT_NEAR(model->predict(Observation{6}), 5.8, 1e-12);
  EXPECT_NEAR(model->prediction_error(Observation{6}), std::sqrt(0.8 * 2.1), 1e-12);
  EXPECT_NEAR(model->t_quantile(0.95), 3.182446305284263, 1e-10);  // scipy.stats.t.ppf(0.975, 3)
}

TEST(LeastSquares, PredictsTheSameInAnyUnits) {
  std::vector<Observation> x{{1, 3}, {2, 1}, {3, 8}, {4, 2}, {5, 9}};
  const std::vector<double> y{2, 4, 5, 4, 5};
  const auto model = fit_least_squares(x, y);
  for (auto& row : x) row[1] *= 1e9;
  const auto scaled = fit_least_squares(x, y);
  ASSERT_TRUE(model && scaled);
  EXPECT_NEAR(model->predict(Observation{6, 4}), scaled->predict(Observation{6, 4e9}), 1e-10);
  EXPECT_NEAR(model->prediction_error(Observation{6, 4}), scaled->prediction_error(Observation{6, 4e9}),
              1e-10);
}

TEST(LeastSquares, RefusesWhatHasNoSingleSolution) {
  const std::vector<double> y{1, 2, 4, 3};
  const auto constant = fit_least_squares(std::vector<Observation>{{1, 7}, {2, 7}, {3, 7}, {4, 7}}, y);
  EXPECT_EQ(constant.error().message, "predictor 2 is the same everywhere");
  const auto dependent = fit_least_squares(std::vector<Observation>{{1, 2}, {2, 4}, {3, 6}, {4, 8}}, y);
  EXPECT_EQ(dependent.error().message, "the predictors are linearly dependent: 1 of 2 are independent");
  const auto few =
      fit_least_squares(std::vector<Observation>{{1, 2}, {2, 5}, {3, 6}}, std::vector<double>{1, 2, 3});
  EXPECT_EQ(few.error().message, "3 coefficients need 4 groups or more, there are 3");
  EXPECT_EQ(fit_least_squares({}, {}).error().kind, ErrorKind::no_data);
}

TEST(MinimumNorm, AgreesWithTheOrdinaryFitWhereThatExists) {
  const Longley data = longley();
  const auto model = fit_least_squares(data.cases, data.response);
  const auto minimum = fit_minimum_norm(data.cases, data.response);
  EXPECT_TRUE(minimum.determined);
  for (const auto& row : data.cases) EXPECT_NEAR(model->predict(row), minimum.predict(row), 1e-4);
}

TEST(MinimumNorm, SharesTheSlopeAmongEqualPredictors) {
  const auto fit =
      fit_minimum_norm(std::vector<Observation>{{1, 1}, {2, 2}, {4, 4}}, std::vector<double>{3, 5, 9});
  EXPECT_FALSE(fit.determined);
  EXPECT_NEAR(fit.coefficients[0], 1, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], 1, 1e-12);
  EXPECT_NEAR(fit.coefficients[2], 1, 1e-12);
}

}  // namespace
}  // namespace wattflex::stats
