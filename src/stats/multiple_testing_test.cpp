#include "stats/multiple_testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wattflex::stats {
namespace {

using testing::DoubleNear;
using testing::IsEmpty;
using testing::Pointwise;

const std::vector<double> kPValues{0.01, 0.04, 0.03, 0.005, 0.04, 0.9};

// Worked by hand from the definitions: 6 x 0.005, 5 x 0.01, 4 x 0.03, then never smaller than before.
TEST(Holm, StepsDownAndNeverFalls) {
  EXPECT_THAT(holm(kPValues), Pointwise(DoubleNear(1e-15), {0.05, 0.12, 0.12, 0.03, 0.12, 0.9}));
}

// The paper's Table 11: p 0.0006, 0.0568, 0.1020 become 0.0017, 0.1137, 0.1137.
TEST(Holm, GivesThePublishedAdjustedValues) {
  EXPECT_THAT(holm(std::vector{0.0006, 0.0568, 0.1020}),
              Pointwise(DoubleNear(2e-4), {0.0017, 0.1137, 0.1137}));
}

// By hand: 6/6 0.9, 6/5 0.04, then never larger than before, 6/2 0.01, 6/1 0.005.
TEST(BenjaminiHochberg, StepsUpAndNeverRises) {
  EXPECT_THAT(benjamini_hochberg(kPValues),
              Pointwise(DoubleNear(1e-15), {0.03, 0.048, 0.048, 0.03, 0.048, 0.9}));
}

TEST(MultipleTesting, LeavesASingleTestAloneAndNeverExceedsOne) {
  for (const auto adjust : {holm, benjamini_hochberg}) {
    EXPECT_THAT(adjust(std::vector{0.2}), Pointwise(DoubleNear(1e-15), {0.2}));
    EXPECT_THAT(adjust(std::vector<double>{}), IsEmpty());
    EXPECT_THAT(adjust(std::vector{1.0, 0.9}), testing::Each(testing::Le(1.0)));
  }
}

}  // namespace
}  // namespace wattflex::stats
