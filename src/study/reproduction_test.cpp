#include "study/reproduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace wattflex::study {
namespace {

class ReproductionTest : public testing::Test {
 protected:
  static const std::vector<ReproducedNumber>& numbers() {
    static const auto kNumbers = reproduce({.seed = 1, .seeds = 2, .workloads = 50});
    EXPECT_TRUE(kNumbers);
    return *kNumbers;
  }
};

TEST_F(ReproductionTest, SetsOursBesideEveryPublishedNumber) {
  // 7 scores of 7 predictor sets; 25 + 4 groups; 2 x 6 + 1 boards; 2 x 16 + 1 grids; 3 medians and 2 of the
  // Kruskal-Wallis test; 3 x 3 of Dunn's; 6 + 4 rank correlations; 2 x 2 of the allocation study.
  EXPECT_EQ(numbers().size(), 49 + 29 + 13 + 33 + 5 + 9 + 10 + 4);
  for (const ReproducedNumber& number : numbers()) {
    EXPECT_TRUE(number.published && number.noise_free && number.simulated)
        << number.table << " " << number.subject << " " << number.quantity;
  }
}

TEST_F(ReproductionTest, NoiseFreeIndicesLieWithinTheirTolerances) {
  int compared = 0;
  for (const ReproducedNumber& number : numbers()) {
    if (!number.quantity.starts_with("PFI")) continue;
    ++compared;
    const double tolerance = number.table == "9" ? 0.05 : 0.02;
    EXPECT_NEAR(*number.noise_free, *number.published, tolerance) << number.table << " " << number.subject;
  }
  EXPECT_EQ(compared, 25 + 4 + 2 * 6 + 2 * 16);  // groups, boards, grids
}

TEST_F(ReproductionTest, PredictorComesOutNearThePaper) {
  int compared = 0;
  for (const ReproducedNumber& number : numbers()) {
    if (number.subject != "dram_copy_product") continue;
    if (number.quantity == "R2") {
      ++compared;
      EXPECT_GE(*number.noise_free, 0.55);
      EXPECT_LE(*number.noise_free, 0.75);
    }
    if (number.quantity == "R2, leave one out") {
      ++compared;
      EXPECT_GE(*number.noise_free, 0.40);
      EXPECT_LE(*number.noise_free, 0.65);
    }
  }
  EXPECT_EQ(compared, 2);
}

TEST_F(ReproductionTest, SameSeedSameNumbers) {
  const auto again = reproduce({.seed = 1, .seeds = 2, .workloads = 50});
  ASSERT_TRUE(again);
  ASSERT_FALSE(again->empty());
  ASSERT_EQ(again->size(), numbers().size());
  for (std::size_t i = 0; i < again->size(); ++i) {
    EXPECT_EQ((*again)[i].simulated->mean, numbers()[i].simulated->mean);
  }
}

}  // namespace
}  // namespace wattflex::study
