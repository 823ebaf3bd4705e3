#include "study/published_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace wattflex::study {
namespace {

// Rows of a small CSV without quoting; empty when the file is not there.
std::vector<std::vector<std::string>> shared_rows(const std::string& file) {
  std::ifstream stream(std::string(WATTFLEX_SOURCE_DIR) + "/../shared/published/" + file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(stream, line);) {
    std::vector<std::string> cells;
    std::stringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
    rows.push_back(cells);
  }
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

TEST(PublishedTables, EqualTheSharedCopies) {
  const auto rows = shared_rows("h200_groups.csv");
  if (rows.empty()) GTEST_SKIP() << "../shared/published is not there";
  ASSERT_EQ(rows.size(), published_h200_groups().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PublishedGroup& group = published_h200_groups()[i];
    EXPECT_EQ(rows[i][4], group.model);
    EXPECT_EQ(std::stoi(rows[i][3]), group.gpus);
    EXPECT_EQ(std::stod(rows[i][7]), group.pfi);
    EXPECT_EQ(rows[i].size() > 9, group.ci95.has_value());
    if (group.ci95) {
      EXPECT_EQ(std::stod(rows[i][9]), group.ci95->high);
    }
  }
  const auto ablation = shared_rows("predictor_ablation.csv");
  ASSERT_EQ(ablation.size(), published_predictors().size());
  for (std::size_t i = 0; i < ablation.size(); ++i) {
    EXPECT_EQ(std::stod(ablation[i][3]), published_predictors()[i].leave_one_out.r2);
    EXPECT_EQ(std::stod(ablation[i][8]), published_predictors()[i].leave_one_cluster_out.rho);
  }
}

TEST(PublishedTables, HaveTheSizesThePaperStates) {
  EXPECT_EQ(std::ranges::count(published_h200_groups(), PublishedSet::headline, &PublishedGroup::set), 25);
  EXPECT_EQ(std::ranges::count(published_h200_groups(), PublishedSet::held_out, &PublishedGroup::set), 4);
  int runs = 0;
  for (const PublishedGroup& group : published_h200_groups()) {
    if (group.set == PublishedSet::headline) runs += group.runs;
  }
  EXPECT_EQ(runs, 131);
  EXPECT_EQ(published_board_pairs().size(), 6);
  EXPECT_EQ(published_grid_pairs().size(), 16);
}

}  // namespace
}  // namespace wattflex::study
