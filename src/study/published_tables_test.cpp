#include "study/published_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/outside_data.h"

namespace wattflex::study {
namespace {

// Rows of a small CSV without quoting.
std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
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
  const auto folder = outside_data("published");
  if (!folder) return;
  const auto rows = rows_of(*folder / "h200_groups.csv");
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
  const auto ablation = rows_of(*folder / "predictor_ablation.csv");
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
  EXPECT_EQ(std::ranges::count_if(published_h200_groups(),
                                  [](const PublishedGroup& g) { return g.ci95.has_value(); }),
            25);
  EXPECT_EQ(published_predictors().size(), 7);
  EXPECT_EQ(published_board_pairs().size(), 6);
  EXPECT_EQ(published_grid_pairs().size(), 16);
}

}  // namespace
}  // namespace wattflex::study
