#include "stats/correlation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "stats/descriptive.h"
#include "stats/ranks.h"

namespace wattflex::stats {
namespace {

using Values = std::vector<double>;

TEST(AverageRanks, ShareTheMeanRankOfATie) {
  EXPECT_EQ(average_ranks(Values{3, 1, 3, 2, 3, 1}), (Values{5, 1.5, 5, 3, 5, 1.5}));  // scipy.stats.rankdata
  EXPECT_EQ(average_ranks(Values{}), Values{});
  EXPECT_EQ(tie_term(Values{3, 1, 3, 2, 3, 1}), 24 + 6);
  EXPECT_EQ(tie_term(Values{1, 2, 3}), 0);
}

// numpy.quantile([7,1,3,10,4], q)
TEST(Quantile, InterpolatesBetweenOrderStatisticsAsNumpyDoes) {
  const Values sample{7, 1, 3, 10, 4};
  EXPECT_DOUBLE_EQ(quantile(sample, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.1), 1.8);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.25), 3);
  EXPECT_DOUBLE_EQ(quantile(sample, 0.975), 9.7);
  EXPECT_DOUBLE_EQ(quantile(sample, 1), 10);
  EXPECT_DOUBLE_EQ(median(Values{2, 1}), 1.5);
}

// Medians of the paper's Table 10, from the two-decimal PFIs of Table 6.
TEST(Median, GivesThePublishedClassMedians) {
  const Values dense{1.10, 1.22, 1.27, 1.52, 1.17, 1.23, 1.25, 1.26, 1.27, 1.30, 1.30, 1.34, 1.47, 1.51};
  const Values moe_pretraining{1.24, 1.35, 1.36, 1.43, 1.45, 1.52, 1.57};
  const Values moe_fine_tuning{1.79, 2.00, 2.20, 2.67};
  EXPECT_NEAR(median(dense), 1.27, 1e-12);
  EXPECT_NEAR(median(moe_pretraining), 1.43, 1e-12);
  EXPECT_NEAR(median(moe_fine_tuning), 2.10, 1e-12);
}

// Table 8: six job groups on both chips. Up to nine pairs our p counts permutations (12 of 720); the t
// approximation would say 0.0048.
TEST(Spearman, RanksH100AgainstH200AsPublished) {
  const Values h200{1.18, 1.22, 1.31, 1.43, 1.67, 2.00};
  const Values h100{1.26, 1.19, 1.33, 1.38, 1.51, 1.93};
  const auto result = spearman(h200, h100);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->rho, 0.9429, 5e-5);
  EXPECT_EQ(result->method, PValueMethod::exact_permutation);
  EXPECT_DOUBLE_EQ(result->p_value, 12.0 / 720);
}

// Table 9: the index on six caps and on four. scipy.stats.spearmanr gives the p value.
TEST(Spearman, RanksTheTwoGridsAsPublished) {
  const Values six{1.22, 1.27, 1.17, 1.26, 1.30, 1.51, 1.79, 2.00,
                   2.67, 1.24, 1.35, 1.36, 1.43, 1.45, 1.52, 1.57};
  const Values four{1.37, 1.44, 1.33, 1.43, 1.42, 1.67, 1.98, 2.22,
                    3.32, 1.16, 1.40, 1.40, 1.57, 1.65, 1.67, 1.66};
  const auto result = spearman(six, four);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->rho, 0.9278, 5e-5);
  EXPECT_EQ(result->method, PValueMethod::t_approximation);
  EXPECT_NEAR(result->p_value, 2.2547299847303083e-07, 1e-15);
}

// scipy.stats.spearmanr([1,2,2,3,4,4,4,5,6,7,8,8],[3,1,2,2,5,4,7,7,6,9,8,10])
TEST(Spearman, HandlesTiesAsScipyDoes) {
  const auto result =
      spearman(Values{1, 2, 2, 3, 4, 4, 4, 5, 6, 7, 8, 8}, Values{3, 1, 2, 2, 5, 4, 7, 7, 6, 9, 8, 10});
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->rho, 0.8989587789870608, 1e-14);
  EXPECT_NEAR(result->p_value, 6.98502395898851e-05, 1e-17);
}

// Counted with itertools.permutations over scipy.stats.pearsonr of the ranks: 24 of 120 and 2 of 6.
TEST(Spearman, CountsPermutationsOfSmallSamples) {
  const auto tied = spearman(Values{1, 2, 2, 4, 5}, Values{2, 1, 3, 3, 5});
  EXPECT_NEAR(tied->rho, 0.7631578947368421, 1e-14);
  EXPECT_DOUBLE_EQ(tied->p_value, 0.2);
  const auto three = spearman(Values{1, 2, 3}, Values{1, 2, 3});
  EXPECT_EQ(three->rho, 1);
  EXPECT_DOUBLE_EQ(three->p_value, 2.0 / 6);
}

TEST(Spearman, ChangesFromCountingToTheApproximationAtTenPairs) {
  Values rising{1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(spearman(rising, rising)->method, PValueMethod::exact_permutation);
  EXPECT_DOUBLE_EQ(spearman(rising, rising)->p_value, 2.0 / 362880);
  rising.push_back(10);
  EXPECT_EQ(spearman(rising, rising)->method, PValueMethod::t_approximation);
  EXPECT_EQ(spearman(rising, rising)->p_value, 0);
}

TEST(Spearman, IsUnchangedByAnyRisingMapAndTurnsWithAFallingOne) {
  const Values x{0.1, 5, 2, 7, 3, 11, 4};
  const Values y{2, 3, 1, 9, 4, 8, 6};
  Values cubed = x;
  Values negated = y;
  std::ranges::for_each(cubed, [](double& value) { value = value * value * value; });
  std::ranges::for_each(negated, [](double& value) { value = -value; });
  EXPECT_DOUBLE_EQ(spearman(cubed, y)->rho, spearman(x, y)->rho);
  EXPECT_DOUBLE_EQ(spearman(x, negated)->rho, -spearman(x, y)->rho);
  EXPECT_DOUBLE_EQ(spearman(x, negated)->p_value, spearman(x, y)->p_value);
}

TEST(Spearman, HasNoValueAndAReasonOnDegenerateInput) {
  EXPECT_EQ(spearman(Values{1, 2}, Values{2, 1}).error().message,
            "a rank correlation needs 3 pairs, there are 2");
  EXPECT_EQ(spearman(Values{1, 2, 3}, Values{4, 4, 4}).error().message,
            "all values are equal, so there is nothing to rank");
}

}  // namespace
}  // namespace wattflex::stats
