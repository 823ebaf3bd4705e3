// How often `wattflex compare` finds a difference where there is none.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"

namespace wattflex::app {
namespace {

// Cohorts of two seeds are the same jobs measured twice on other nodes: every difference found is a false
// one. 15 pairs, 25 jobs, draw and throughput (work per joule follows from these): 750 tests.
TEST(CompareCoverage, FindsDifferencesBetweenRepeatedSweepsNoMoreOftenThanDue) {
  constexpr int kPairs = 15;
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "compare_coverage";
  std::filesystem::create_directories(folder);
  int tests = 0, found = 0, found_without = 0, runs_with_significant = 0;
  for (int pair = 0; pair < kPairs; ++pair) {
    std::vector<std::string> words;
    for (const int seed : {2 * pair + 1, 2 * pair + 2}) {
      const Ran cohort = run_verb("cohort", {"--seed", std::to_string(seed), "-o", "csv"});
      words.push_back(folder / (std::to_string(seed) + ".csv"));
      std::ofstream(words.back()) << cohort.out;
    }
    words.insert(words.end(), {"--ci", "100", "-o", "json"});
    const auto document = run_verb("compare", words).document();
    words.insert(words.end(), {"--run-to-run", "0%"});
    const auto without = run_verb("compare", words).document();
    EXPECT_EQ(document["run_to_run"]["power"], 0.008);
    runs_with_significant += document["significant"] > 0;
    const auto count = [](const nlohmann::json& in, int& number) {
      int all = 0;
      for (const auto& group : in["groups"]) {
        for (const auto& difference : group["differences"]) {
          const std::string quantity = difference["quantity"];
          if (quantity != "reference_power" && quantity != "reference_throughput") continue;
          ++all;
          number += difference["p"] < 0.05;
        }
      }
      return all;
    };
    tests += count(document, found);
    count(without, found_without);
  }
  std::filesystem::remove_all(folder);
  ASSERT_EQ(tests, kPairs * 50);
  // 5 % of 750 are 37.5, their binomial standard deviation 6.0; three of them.
  EXPECT_LE(found, 37.5 + 3 * 6.0);
  // Nor is the allowance so wide that nothing could ever be found.
  EXPECT_GE(found, 8);
  // Within-sweep errors alone: most of what they call a difference is none.
  EXPECT_GE(found_without, 250);
  // Holm: at most 5 % of runs report anything; of 15 more than 4 would by chance once in 1600.
  EXPECT_LE(runs_with_significant, 4);
}

}  // namespace
}  // namespace wattflex::app
