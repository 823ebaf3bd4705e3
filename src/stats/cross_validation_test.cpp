#include "stats/cross_validation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wattflex::stats {
namespace {

// The 25 headline groups of the paper's Table 6: PFI, mixture of experts, fine-tuning, log2 of the GPU count.
// These three features are the paper's `job_metadata`, for which Table 3 gives all scores: published inputs
// and published outputs, so the whole chain is checked. Two-decimal PFIs leave about 0.002.
struct Published {
  std::vector<Observation> cases;
  std::vector<double> pfi;
  std::vector<std::size_t> cluster;  // arch x task

  void add(double moe, double fine_tuning, std::initializer_list<std::pair<double, double>> gpus_and_pfi) {
    for (const auto& [gpus, index] : gpus_and_pfi) {
      cases.push_back({moe, fine_tuning, std::log2(gpus)});
      pfi.push_back(index);
      cluster.push_back(static_cast<std::size_t>(2 * moe + fine_tuning));
    }
  }
};

Published published() {
  Published table;
  table.add(0, 1, {{16, 1.10}, {8, 1.22}, {8, 1.27}, {16, 1.52}});
  table.add(0, 0,
            {{8, 1.17},
             {32, 1.23},
             {32, 1.25},
             {8, 1.26},
             {32, 1.27},
             {8, 1.30},
             {32, 1.30},
             {16, 1.34},
             {16, 1.47},
             {8, 1.51}});
  table.add(1, 1, {{8, 1.79}, {8, 2.00}, {16, 2.20}, {8, 2.67}});
  table.add(1, 0, {{8, 1.24}, {8, 1.35}, {8, 1.36}, {8, 1.43}, {8, 1.45}, {8, 1.52}, {8, 1.57}});
  return table;
}

TEST(CrossValidation, GivesThePublishedScoresOfJobMetadata) {
  const Published table = published();
  const auto loo = leave_one_out(table.cases, table.pfi);
  const auto loco = cross_validate(table.cases, table.pfi, table.cluster);
  ASSERT_TRUE(loo && loco);
  EXPECT_NEAR(loo->scores.r_squared, 0.310, 0.002);
  EXPECT_NEAR(loo->scores.rmse, 0.290, 0.001);
  EXPECT_NEAR(*loo->scores.rho, 0.377, 0.002);
  EXPECT_NEAR(loco->scores.r_squared, -4.106, 0.01);
  EXPECT_NEAR(loco->scores.rmse, 0.789, 0.001);
  EXPECT_NEAR(*loco->scores.rho, 0.188, 0.004);
  EXPECT_EQ(loo->folds, 25);
  EXPECT_EQ(loco->folds, 4);
  EXPECT_EQ(loo->underdetermined + loco->underdetermined, 0);
}

TEST(Score, GivesThePublishedInSampleR2OfJobMetadata) {
  const Published table = published();
  const auto model = fit_least_squares(table.cases, table.pfi);
  ASSERT_TRUE(model);
  std::vector<double> fitted;
  for (const auto& row : table.cases) fitted.push_back(model->predict(row));
  EXPECT_NEAR(score(table.pfi, fitted).r_squared, 0.519, 0.001);
}

// The identity e_i / (1 - h_i) of least squares: no refit is needed to know the left-out error.
TEST(LeaveOneOut, EqualsTheResidualOverOneMinusLeverage) {
  const Published table = published();
  const auto model = fit_least_squares(table.cases, table.pfi);
  const auto loo = leave_one_out(table.cases, table.pfi);
  for (std::size_t i = 0; i < table.pfi.size(); ++i) {
    const double residual = table.pfi[i] - model->predict(table.cases[i]);
    EXPECT_NEAR(table.pfi[i] - loo->predicted[i], residual / (1 - model->leverage(table.cases[i])), 1e-10);
  }
}

TEST(CrossValidation, CountsFoldsThatDoNotFixTheModel) {
  const std::vector<Observation> cases{{1, 0}, {2, 0}, {3, 0}, {4, 1}};
  const auto result = leave_one_out(cases, std::vector<double>{1, 2, 3, 5});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->underdetermined, 1);  // without the last case the second predictor is constant
}

TEST(CrossValidation, HasNoValueAndAReasonOnDegenerateInput) {
  const std::vector<Observation> cases{{1}, {2}, {3}};
  EXPECT_EQ(leave_one_out(cases, std::vector<double>{2, 2, 2}).error().message,
            "all values to predict are equal");
  EXPECT_EQ(
      cross_validate(cases, std::vector<double>{1, 2, 3}, std::vector<std::size_t>{0, 0, 0}).error().message,
      "cross-validation needs 2 folds");
}

}  // namespace
}  // namespace wattflex::stats
