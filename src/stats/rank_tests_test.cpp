#include "stats/rank_tests.h"

#include <gtest/gtest.h>

namespace wattflex::stats {
namespace {

// Two-decimal PFIs of the paper's Table 6.
const std::vector<std::vector<double>> kPublishedClasses = {
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

}  // namespace
}  // namespace wattflex::stats
