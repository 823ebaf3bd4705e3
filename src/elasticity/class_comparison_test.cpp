#include "elasticity/class_comparison.h"

#include <gtest/gtest.h>

#include "elasticity/test_cohort.h"

namespace wattflex::elasticity {
namespace {

// The paper's three classes on its two-decimal indices: H, z and medians as in the paper's Tables 10 and 11
// recomputed from Table 6 (rank_tests_test.cpp).
TEST(ClassComparison, GivesThePublishedTestsFromSweeps) {
  const SweepTable table = cohort_table();
  const auto comparison = compare_classes(*index_groups(table, Target::published), Grouping::paper_class);
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->classes.size(), 3);
  EXPECT_EQ(comparison->classes[0].name, "dense");
  EXPECT_EQ(comparison->classes[0].n, 14);
  EXPECT_NEAR(comparison->classes[0].median, 1.27, 1e-9);
  EXPECT_EQ(comparison->classes[1].name, "moe fine-tuning");
  EXPECT_NEAR(comparison->classes[1].median, 2.10, 1e-9);
  EXPECT_EQ(comparison->classes[2].name, "moe pretraining");
  EXPECT_NEAR(comparison->classes[2].median, 1.43, 1e-9);
  EXPECT_NEAR(comparison->kruskal_wallis.h, 12.485,
              0.02);  // equal indices of sweeps may differ in the last bit
  EXPECT_NEAR(comparison->pairs[0].z, -3.451, 0.0005);
}

TEST(ClassComparison, NamesTheColumnThatIsMissing) {
  SweepTable table = cohort_table();
  for (SweepGroup& group : table.groups) group.architecture = Architecture::unknown;
  const auto indexed = *index_groups(table, Target::published);
  EXPECT_EQ(compare_classes(indexed, Grouping::paper_class).error().message,
            "no group with an index states arch and task");
  EXPECT_EQ(compare_classes(indexed, Grouping::architecture).error().remedy, "fill the column arch");
  EXPECT_EQ(compare_classes(indexed, Grouping::task)->classes.size(), 2);
}

TEST(ClassComparison, LeavesGroupsOutThatDoNotStateTheirClass) {
  SweepTable table = cohort_table();
  table.groups[20].task = Task::unknown;  // MoE: the task makes the class
  table.groups[2].task = Task::unknown;   // dense: it does not
  const auto comparison = compare_classes(*index_groups(table, Target::published), Grouping::paper_class);
  ASSERT_EQ(comparison->left_out.size(), 1);
  EXPECT_EQ(comparison->left_out[0].id.group, "group 21");
}

TEST(ClassComparison, HasNoValueForOneClassOrOneGroup) {
  SweepTable table = cohort_table();
  table.groups.resize(3);
  EXPECT_EQ(compare_classes(*index_groups(table, Target::published), Grouping::paper_class).error().message,
            "all groups are of one class, dense");
}

}  // namespace
}  // namespace wattflex::elasticity
