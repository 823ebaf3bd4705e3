#include "elasticity/grid_sensitivity.h"

#include <gtest/gtest.h>

namespace wattflex::elasticity {
namespace {

struct Cut {
  double cap;
  double power;       // of 1000 W
  double throughput;  // of 100
};

SweepGroup named_group(std::string name, const std::vector<Cut>& cuts) {
  SweepGroup group{.id = {"sweep", std::move(name), "H200"}, .gpus = 1};
  group.points.push_back(
      {.cap = Power::from_watts(700), .power = Power::from_watts(1000), .throughput = 100});
  for (const Cut& cut : cuts) {
    group.points.push_back({.cap = Power::from_watts(cut.cap),
                            .power = Power::from_watts(cut.power),
                            .throughput = cut.throughput});
  }
  return group;
}

// Ratios 2 at 500 W, 1.5 at 400 W, 1.2 at 300 W; 1, 1, 1; 4, 3, 2: full-grid means by hand 1.5667, 1, 3.
SweepTable three_jobs() {
  return {.name = "sweep",
          .groups = {named_group("a", {{500, 800, 90}, {400, 700, 80}, {300, 400, 50}}),
                     named_group("b", {{500, 800, 80}, {400, 700, 70}, {300, 400, 40}}),
                     named_group("c", {{500, 800, 95}, {400, 700, 90}, {300, 400, 70}})}};
}

TEST(CompareGrid, RecomputesTheIndexOnTheSubGrid) {
  const SweepTable table = three_jobs();
  const auto comparison =
      compare_grid(*index_groups(table, Target::published), std::vector<double>{300, 700, 500});
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->caps_w, (std::vector<double>{700, 500, 300}));
  ASSERT_EQ(comparison->groups.size(), 3);
  EXPECT_NEAR(comparison->groups[0].full, (2 + 1.5 + 1.2) / 3, 1e-12);
  EXPECT_NEAR(comparison->groups[0].sub, (2 + 1.2) / 2, 1e-12);
  EXPECT_NEAR(comparison->groups[1].sub, 1, 1e-12);
  EXPECT_NEAR(comparison->groups[2].sub, 3, 1e-12);
  EXPECT_NEAR(comparison->mean_shift, (1.6 - 4.7 / 3) / 3, 1e-12);
  EXPECT_NEAR(comparison->median_ratio, 1, 1e-12);
  EXPECT_NEAR(*comparison->rho, 1, 1e-12);
}

TEST(CompareGrid, TakesOnlyGroupsMeasuredAtTheseCapsAndMore) {
  const SweepTable table = three_jobs();
  const auto indexed = *index_groups(table, Target::published);
  EXPECT_EQ(compare_grid(indexed, std::vector<double>{700, 500, 400, 300}).error().kind, ErrorKind::no_data);
  EXPECT_EQ(compare_grid(indexed, std::vector<double>{500, 400}).error().kind,
            ErrorKind::no_data);  // no uncapped
  EXPECT_EQ(compare_grid(indexed, std::vector<double>{700, 450}).error().kind, ErrorKind::no_data);
  EXPECT_EQ(compare_grid(indexed, std::vector<double>{700, 400})->groups.size(), 3);
}

// Sub-grids of three capped points: 3 with one, 3 with two. With one point kept, indices are its ratios;
// against the full means 4.7/3, 1 and 3 the median ratio is 1 wherever job b is in the middle.
TEST(SummariseGrids, TriesEverySubGrid) {
  const SweepTable table = three_jobs();
  const auto summary = summarise_grids(*index_groups(table, Target::published), 2);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->n, 3);
  EXPECT_EQ(summary->full_caps_w, (std::vector<double>{700, 500, 400, 300}));
  ASSERT_EQ(summary->sizes.size(), 2);
  EXPECT_EQ(summary->sizes[0].caps, 2);
  EXPECT_EQ(summary->sizes[0].grids, 3);
  EXPECT_EQ(summary->sizes[1].grids, 3);
  // 500 W alone: 2 / 1.5667, 1, 4 / 3; 400 W alone: 1.5 / 1.5667, 1, 1; 300 W alone: 1.2 / 1.5667, 1, 2 / 3.
  EXPECT_NEAR(summary->sizes[0].largest_ratio, 2 / (4.7 / 3), 1e-12);
  EXPECT_NEAR(summary->sizes[0].least_ratio, 1.2 / (4.7 / 3), 1e-12);
  EXPECT_NEAR(summary->sizes[0].median_ratio, 1, 1e-12);
  EXPECT_NEAR(*summary->sizes[0].least_rho, 1, 1e-12);
  EXPECT_TRUE(summary->note.empty());
}

TEST(SummariseGrids, SaysWhenThereIsNoSubGrid) {
  SweepTable table = three_jobs();
  for (SweepGroup& group : table.groups) group.points.resize(3);
  EXPECT_EQ(summarise_grids(*index_groups(table, Target::published), 3).error().message,
            "most groups were measured at 3 caps, sub-grids of 3 or more need more");
  table.groups.clear();
  EXPECT_EQ(summarise_grids(*index_groups(table, Target::published), 3).error().message,
            "no group has an index");
}

TEST(SummariseGrids, BoundsItsWorkOnLongGridsAndSaysSo) {
  std::vector<Cut> cuts;
  for (int cap = 600; cap > 400; --cap) cuts.push_back({cap * 1.0, cap * 1.0, 60.0 + cap / 20.0});
  const SweepTable table{.name = "sweep", .groups = {named_group("long", cuts)}};
  const auto summary = summarise_grids(*index_groups(table, Target::published), 3);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->note,
            "only sub-grids of 200 or more caps were tried");  // 200 of them; 19,900 with 199
}

}  // namespace
}  // namespace wattflex::elasticity
