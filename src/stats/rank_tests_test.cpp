#include "stats/rank_tests.h"

#include <gtest/gtest.h>

namespace wattflex::stats {
namespace {

using Groups = std::vector<std::vector<double>>;

// Two-decimal PFIs of the paper's Table 6. The paper itself had unrounded ones (H = 12.37); the values
// expected here are scipy.stats.kruskal's and those of Dunn's formula from the rounded ones.
const Groups kPublishedClasses = {
    {1.10, 1.22, 1.27, 1.52, 1.17, 1.23, 1.25, 1.26, 1.27, 1.30, 1.30, 1.34, 1.47, 1.51},  // dense
    {1.24, 1.35, 1.36, 1.43, 1.45, 1.52, 1.57},                                            // MoE pretraining
    {1.79, 2.00, 2.20, 2.67}};                                                             // MoE fine-tuning

TEST(KruskalWallis, GivesThePublishedStatisticFromTheTwoDecimalIndices) {
  const auto result = kruskal_wallis(kPublishedClasses);
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->h, 12.485, 0.0005);
  EXPECT_NEAR(result->p_value, 0.001945, 5e-7);
  EXPECT_EQ(result->degrees_of_freedom, 2);
}

TEST(Dunn, GivesThePublishedStatisticsFromTheTwoDecimalIndices) {
  const auto result = dunn(kPublishedClasses);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->size(), 3);
  EXPECT_NEAR((*result)[0].z, -1.668, 0.0005);  // dense, MoE pretraining
  EXPECT_NEAR((*result)[1].z, -3.451, 0.0005);  // dense, MoE fine-tuning
  EXPECT_NEAR((*result)[2].z, -1.890, 0.0005);  // MoE pretraining, MoE fine-tuning
}

TEST(Dunn, SeparatesOnlyDenseFromMoeFineTuningAfterHolm) {
  const auto result = dunn(kPublishedClasses);
  ASSERT_TRUE(result);
  EXPECT_GT((*result)[0].p_holm, 0.05);
  EXPECT_LT((*result)[1].p_holm, 0.01);
  EXPECT_GT((*result)[2].p_holm, 0.05);
}

// scipy.stats.kruskal([1,2,2,3],[2,4,5],[5,5,6,7,8])
TEST(KruskalWallis, CorrectsForTiesAsScipyDoes) {
  const auto result = kruskal_wallis(Groups{{1, 2, 2, 3}, {2, 4, 5}, {5, 5, 6, 7, 8}});
  ASSERT_TRUE(result);
  EXPECT_NEAR(result->h, 8.351558752997606, 1e-12);
  EXPECT_NEAR(result->p_value, 0.015363213260426872, 1e-13);
}

// scipy.stats.kruskal([1.5],[2.5]) and kruskal([1,2],[2,3])
TEST(KruskalWallis, WorksOnOneOrTwoValuesAGroup) {
  EXPECT_NEAR(kruskal_wallis(Groups{{1.5}, {2.5}})->h, 1.0, 1e-12);
  EXPECT_NEAR(kruskal_wallis(Groups{{1.5}, {2.5}})->p_value, 0.31731050786291115, 1e-13);
  EXPECT_NEAR(kruskal_wallis(Groups{{1, 2}, {2, 3}})->h, 1.5, 1e-12);
  EXPECT_NEAR(kruskal_wallis(Groups{{1, 2}, {2, 3}})->p_value, 0.22067136191984363, 1e-13);
}

// With two groups Dunn's z squared is Kruskal-Wallis' H: an identity of the two definitions.
TEST(Dunn, SquaresToKruskalWallisWithTwoGroups) {
  const Groups groups{{1, 2, 2, 3, 9}, {2, 4, 5}};
  const double z = dunn(groups)->front().z;
  EXPECT_NEAR(z * z, kruskal_wallis(groups)->h, 1e-12);
  EXPECT_NEAR(dunn(groups)->front().p_value, kruskal_wallis(groups)->p_value, 1e-12);
}

TEST(RankTests, HaveNoValueAndAReasonOnDegenerateInput) {
  EXPECT_EQ(kruskal_wallis(Groups{{1, 2}}).error().message, "comparing groups needs 2 of them, there are 1");
  EXPECT_EQ(kruskal_wallis(Groups{{1, 2}, {}}).error().message, "a group is empty");
  EXPECT_EQ(kruskal_wallis(Groups{{1, 1}, {1}}).error().kind, ErrorKind::no_data);
  EXPECT_EQ(dunn(Groups{{1, 1}, {1}}).error().message, "all values are equal, so there is nothing to rank");
}

}  // namespace
}  // namespace wattflex::stats
