#include "elasticity/signal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elasticity/test_cohort.h"

namespace wattflex::elasticity {
namespace {

using testing::HasSubstr;

const Signal& signal_of(const std::vector<Signal>& signals, std::string_view metric) {
  return *std::ranges::find(signals, metric, &Signal::metric);
}

// scipy.stats.spearmanr on the rows of test_cohort.h; q from p by hand.
TEST(Signals, GiveScipysCorrelationsStrongestFirst) {
  const SweepTable table = cohort_table();
  const auto signals = correlate_signals(table.telemetry_columns, *index_groups(table, Target::published));
  struct Expected {
    std::string metric;
    double rho, p, q;
  };
  const Expected kExpected[] = {
      {"tensor_active", -0.693861958977128, 0.000119698159185, 0.000598490795925},
      {"arithmetic_intensity", -0.654608537005044, 0.000384692801964, 0.00096173200491},
      {"dram_active", 0.561093031718609, 0.00352255790655, 0.00587092984425},
      {"dram_copy_product", 0.476428788249409, 0.0160540389203, 0.0200675486503},
      {"mem_copy_util", 0.387916170077063, 0.0553546926361, 0.0553546926361}};
  ASSERT_EQ(signals.size(), std::size(kExpected));
  for (std::size_t i = 0; i < signals.size(); ++i) {
    EXPECT_EQ(signals[i].metric, kExpected[i].metric);
    EXPECT_NEAR(signals[i].association.correlation->rho, kExpected[i].rho, 1e-9) << signals[i].metric;
    EXPECT_NEAR(signals[i].association.correlation->p_value / kExpected[i].p, 1, 1e-6) << signals[i].metric;
    EXPECT_NEAR(*signals[i].q / kExpected[i].q, 1, 1e-6) << signals[i].metric;
  }
}

TEST(DropByLeverage, DropsTheFarthestGroupFirstAndKeepsFive) {
  const SweepTable table = cohort_table();
  const auto indexed = *index_groups(table, Target::published);
  const auto steps = drop_by_leverage(table.telemetry_columns, indexed, "dram_copy_product", 100);
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->size(), 21);
  EXPECT_EQ(steps->back().association.n, 5);
  EXPECT_EQ((*steps)[0].dropped, std::nullopt);
  EXPECT_EQ((*steps)[1].dropped->group, "group 18");  // gpt-oss fine-tuning, 0.647 x 0.760
}

// scipy.stats.spearmanr on the rows of test_cohort.h, the row farthest from the mean taken out in turn.
TEST(DropByLeverage, GivesScipysCorrelationAfterEachDrop) {
  const SweepTable table = cohort_table();
  const auto indexed = *index_groups(table, Target::published);
  const auto steps = drop_by_leverage(table.telemetry_columns, indexed, "dram_copy_product", 5);
  const double kExpected[] = {0.476428788249, 0.408092320966, 0.329295517018,
                              0.296694087951, 0.191095313445, 0.320662605603};
  ASSERT_EQ(steps->size(), std::size(kExpected));
  for (std::size_t i = 0; i < std::size(kExpected); ++i) {
    EXPECT_NEAR((*steps)[i].association.correlation->rho, kExpected[i], 1e-9) << i;
  }
}

// scipy.stats.spearmanr on the rows of each subgroup. The cohort's authors state -0.15 for dense and 0.48 for
// MoE.
TEST(Subgroups, GiveScipysCorrelations) {
  const SweepTable table = cohort_table();
  const auto subgroups = correlate_subgroups(table.telemetry_columns, *index_groups(table, Target::published),
                                             "dram_copy_product");
  ASSERT_EQ(subgroups.size(), 4);
  const double kExpected[] = {-0.189427772293, 0.490909090909, 0.157296142359, 0.476428788249};
  const std::size_t kSizes[] = {14, 11, 21, 25};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(subgroups[i].association.n, kSizes[i]);
    EXPECT_NEAR(subgroups[i].association.correlation->rho, kExpected[i], 1e-9) << subgroups[i].name;
  }
  EXPECT_NEAR(subgroups[0].association.correlation->rho, -0.15, 0.05);
  EXPECT_NEAR(subgroups[1].association.correlation->rho, 0.48, 0.05);
}

TEST(Signals, SayWhyAConstantColumnHasNoCorrelation) {
  SweepTable table = cohort_table();
  for (SweepGroup& group : table.groups) group.points.front().telemetry[2] = 0.5;
  const auto signals = correlate_signals(table.telemetry_columns, *index_groups(table, Target::published));
  EXPECT_EQ(signals.back().metric, "tensor_active");
  EXPECT_EQ(signals.back().association.reason, "all values are equal, so there is nothing to rank");
  EXPECT_EQ(signals.back().q, std::nullopt);
}

TEST(Signals, SayWhyADeadColumnHasNoCorrelation) {
  SweepTable table = cohort_table();
  for (SweepGroup& group : table.groups) group.points.front().telemetry[0] = 0;
  const auto signals = correlate_signals(table.telemetry_columns, *index_groups(table, Target::published));
  EXPECT_THAT(signal_of(signals, "dram_active").association.reason, HasSubstr("exactly 0"));
  EXPECT_EQ(signal_of(signals, "dram_active").association.n, 0);
  EXPECT_TRUE(signal_of(signals, "mem_copy_util").association.correlation);
}

TEST(Signals, WorkOnTwoGroupsByHavingNone) {
  SweepTable table = cohort_table();
  table.groups.resize(2);
  const auto indexed = *index_groups(table, Target::published);
  EXPECT_EQ(correlate_signals(table.telemetry_columns, indexed)[0].association.reason,
            "a rank correlation needs 3 pairs, there are 2");
  EXPECT_EQ(drop_by_leverage(table.telemetry_columns, indexed, "dram_active", 5).error().message,
            "2 groups with dram_active, at least 3 are needed");
}

}  // namespace
}  // namespace wattflex::elasticity
