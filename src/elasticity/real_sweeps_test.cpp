// The published index of 169 public sweeps against values computed from the sources by an independent script.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>

#include "elasticity/flexibility.h"
#include "elasticity/measured_curve.h"
#include "ingest/sweep_table.h"
#include "tests/support/outside_data.h"

namespace wattflex::elasticity {
namespace {

struct Expected {
  double index = 0;
  std::size_t caps = 0;
};

// One cell of a line of CSV, quoted or not.
std::string next_cell(std::istream& line) {
  std::string cell;
  if (line.peek() != '"') {
    std::getline(line, cell, ',');
  } else {
    line >> std::quoted(cell);
    line.ignore();
  }
  return cell;
}

// Keyed by table, group and accelerator.
std::map<std::string, Expected> expected_indices(const std::filesystem::path& path) {
  std::map<std::string, Expected> expected;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string key = next_cell(cells);
    key += '|' + next_cell(cells);
    key += '|' + next_cell(cells);
    const std::size_t caps = std::stoul(next_cell(cells));
    expected[key] = {std::stod(next_cell(cells)), caps};
  }
  return expected;
}

class RealSweeps : public testing::Test {
 protected:
  void SetUp() override {
    const auto tables = outside_sweeps();
    if (tables.empty()) return;
    for (const auto& path : tables) {
      auto table = read_sweep_table(path);
      ASSERT_TRUE(table.has_value()) << table.error().message;
      for (SweepGroup& group : table->groups) groups_.push_back(std::move(group));
    }
    ASSERT_EQ(groups_.size(), 169U);
  }

  std::vector<SweepGroup> groups_;
};

TEST_F(RealSweeps, HaveThePublishedIndexToOneInAMillion) {
  const auto folder = outside_data("sweeps");
  if (!folder) return;
  const auto expected = expected_indices(*folder / "expected_pfi.csv");
  ASSERT_EQ(expected.size(), 169U);
  FlexibilityMeter meter({.resamples = 0});
  int negative = 0;
  int above_ten = 0;
  for (const SweepGroup& group : groups_) {
    const auto found = expected.find(group.id.table + '|' + group.id.group + '|' + group.id.accelerator);
    ASSERT_NE(found, expected.end()) << group.id.group;
    const Flexibility flexibility = meter.measure(group);
    EXPECT_EQ(flexibility.points.size(), found->second.caps) << group.id.group;
    ASSERT_TRUE(flexibility.published.value.has_value()) << group.id.group;
    const double index = found->second.index;
    EXPECT_NEAR(*flexibility.published.value, index, 1e-6 * std::abs(index)) << group.id.group;
    negative += *flexibility.published.value < 0 ? 1 : 0;
    above_ten += *flexibility.published.value > 10 ? 1 : 0;
  }
  EXPECT_EQ(negative, 27);  // 27 and 7 of the 169, counted apart
  EXPECT_EQ(above_ten, 7);
}

// Sums over all sweeps from a separate numpy script working from the definitions in docs/math/pfi.md
// (cut and loss arrays, numpy.mean, numpy.trapz over rising caps, numpy.polyfit of the logs; run-to-run CVs):
// groups with an index, sum of the index.
struct Sums {
  int groups = 0;
  double sum = 0;

  void add(const Estimate& estimate) {
    groups += estimate.value ? 1 : 0;
    sum += estimate.value.value_or(0);
  }
};

TEST_F(RealSweeps, HaveTheOtherIndicesThatNumpyGives) {
  FlexibilityMeter meter({.resamples = 0});
  Sums guarded, pooled, area, elasticity;
  std::map<Verdict, int> verdicts;
  for (const SweepGroup& group : groups_) {
    const Flexibility flexibility = meter.measure(group);
    guarded.add(flexibility.guarded);
    pooled.add(flexibility.pooled);
    area.add(flexibility.area);
    elasticity.add(flexibility.elasticity);
    for (const JudgedPoint& point : flexibility.points) ++verdicts[point.verdict];
  }
  EXPECT_EQ(guarded.groups, 133);
  EXPECT_NEAR(guarded.sum, 415.54980694472715, 1e-9);
  EXPECT_EQ(pooled.groups, 133);
  EXPECT_NEAR(pooled.sum, 294.30865551298757, 1e-9);
  EXPECT_EQ(area.groups, 169);
  EXPECT_NEAR(area.sum, 12.319666421480576, 1e-9);
  EXPECT_EQ(elasticity.groups, 169);
  EXPECT_NEAR(elasticity.sum, -16.692747089783822, 1e-9);
  EXPECT_EQ(verdicts[Verdict::uncapped], 169);
  EXPECT_EQ(verdicts[Verdict::used], 762);
  EXPECT_EQ(verdicts[Verdict::cap_not_binding], 171);
  EXPECT_EQ(verdicts[Verdict::above_uncapped], 78);
  EXPECT_EQ(verdicts[Verdict::below_resolution], 1305 - 169 - 762 - 171 - 78);
}

// What the guard is for: the published index is negative for 27 groups and above 10 for 7.
TEST_F(RealSweeps, HaveNoNegativeGuardedIndexAndAReasonWhereThereIsNone) {
  FlexibilityMeter meter({.resamples = 0});
  for (const SweepGroup& group : groups_) {
    const Flexibility flexibility = meter.measure(group);
    EXPECT_EQ(flexibility.n_used + flexibility.n_refused + 1, static_cast<int>(group.points.size()));
    for (const Estimate* estimate : {&flexibility.guarded, &flexibility.pooled}) {
      EXPECT_EQ(estimate->value.has_value(), flexibility.n_used >= 2);
      EXPECT_EQ(estimate->reason.empty(), estimate->value.has_value());
      EXPECT_GT(estimate->value.value_or(1), 0) << group.id.group;
    }
  }
}

TEST_F(RealSweeps, AllGiveAMeasuredCurve) {
  for (const SweepGroup& group : groups_) {
    const auto curve = MeasuredCurve::from(group);
    ASSERT_TRUE(curve.has_value()) << curve.error().message;
    EXPECT_EQ(curve->points().size() + curve->dropped().size(), group.points.size());
    EXPECT_EQ(curve->uncapped_draw(), group.uncapped().power);
  }
}

}  // namespace
}  // namespace wattflex::elasticity
