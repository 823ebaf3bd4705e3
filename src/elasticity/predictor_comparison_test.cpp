#include "elasticity/predictor_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wattflex::elasticity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// One feature; standard errors of intercept and slope, n - 2 degrees of freedom.
Predictor predictor_of(double intercept, double slope, double intercept_error, double slope_error,
                       std::size_t n) {
  Predictor predictor;
  predictor.fingerprint = std::to_string(n);
  predictor.features = {{"dram_copy_product", 0, 1}};
  predictor.model = {.coefficients = {intercept, slope},
                     .inverse_moment = {intercept_error * intercept_error, 0, 0, slope_error * slope_error},
                     .residual_variance = 1,
                     .n = n};
  return predictor;
}

TEST(PredictorComparison, AgreesWithScipysWelchTest) {
  const auto comparison = compare(predictor_of(1.0, 2.0, 0.2, 0.3, 12), predictor_of(1.7, 2.1, 0.1, 0.4, 22));
  ASSERT_EQ(comparison.coefficients.size(), 2U);
  // scipy 1.17.1: ttest_ind_from_stats(1.7, 0.1 * 21**.5, 21, 1.0, 0.2 * 11**.5, 11, equal_var=False)
  const auto& intercept = comparison.coefficients[0];
  EXPECT_EQ(intercept.name, "intercept");
  EXPECT_NEAR(intercept.tested.difference, 0.7, 1e-12);
  EXPECT_NEAR(intercept.tested.p_value, 0.006806916830789722, 1e-9);
  EXPECT_NEAR(intercept.tested.ci95.high - 0.7, 0.4761918328363512, 1e-9);
  const auto& slope = comparison.coefficients[1];
  EXPECT_NEAR(slope.tested.p_value, 0.8428344555987025, 1e-9);
  EXPECT_NEAR(0.1 - slope.tested.ci95.low, 1.0212732695901292, 1e-9);
  // Holm: the smaller of two p values counts double.
  EXPECT_NEAR(intercept.tested.p_adjusted, 2 * 0.006806916830789722, 1e-9);
}

TEST(PredictorComparison, ListsFeaturesWithoutPartnerAndWarns) {
  Predictor a = predictor_of(1, 2, 0.1, 0.1, 12);
  const Predictor b = a;
  a.features[0].name = "tensor_active";
  const auto comparison = compare(a, b);
  EXPECT_THAT(comparison.only_in_a, ElementsAre("tensor_active"));
  EXPECT_THAT(comparison.only_in_b, ElementsAre("dram_copy_product"));
  ASSERT_EQ(comparison.coefficients.size(), 1U);
  EXPECT_THAT(comparison.warnings, testing::Contains(HasSubstr("the same data")));
  EXPECT_THAT(comparison.warnings, testing::Contains(HasSubstr("the features differ")));
}

}  // namespace
}  // namespace wattflex::elasticity
