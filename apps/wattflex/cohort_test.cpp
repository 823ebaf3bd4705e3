// `wattflex cohort` end to end.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"
#include "apps/wattflex/verb.h"
#include "ingest/sweep_table.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Ran cohort(std::vector<std::string> arguments) {
  return run_verb("cohort", std::move(arguments));
}

// "groups[].points[].cap_w" for every key in the document.
void collect_keys(const json& value, const std::string& path, std::set<std::string>& paths) {
  if (value.is_array()) {
    for (const json& element : value) collect_keys(element, path + "[]", paths);
  } else if (value.is_object()) {
    for (const auto& [key, element] : value.items()) {
      const std::string below = path.empty() ? key : fmt::format("{}.{}", path, key);
      paths.insert(below);
      collect_keys(element, below, paths);
    }
  }
}

TEST(CohortVerb, PrintsASweepTableThatReadsBackAsSimulated) {
  const Ran ran = cohort({"--seed", "3", "-o", "csv"});
  EXPECT_EQ(ran.status, 0);
  const auto table = parse_sweep_table(ran.out, "cohort");
  ASSERT_TRUE(table) << table.error().message;
  ASSERT_EQ(table->groups.size(), 25U);
  // A sensor with a gain above one, and the top tenth, show a little more than the cap; as on real boards.
  // One group has three caps, as published.
  EXPECT_THAT(table->warnings,
              testing::Each(testing::AnyOf(HasSubstr("W per GPU at a cap of"), HasSubstr("has 3 caps"))));
  for (const SweepGroup& group : table->groups) EXPECT_EQ(group.pedigree, Pedigree::simulated);
  // Every line, as people cut tables apart.
  std::istringstream lines(ran.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_THAT(line, HasSubstr("pedigree"));
  while (std::getline(lines, line)) EXPECT_THAT(line, HasSubstr(",simulated,"));
}

TEST(CohortVerb, SameSeedSameBytes) {
  EXPECT_EQ(cohort({"--seed", "3", "-o", "csv"}).out, cohort({"--seed", "3", "-o", "csv"}).out);
  EXPECT_NE(cohort({"--seed", "3", "-o", "csv"}).out, cohort({"--seed", "4", "-o", "csv"}).out);
}

TEST(CohortVerb, CountsTheGroupsOfEachSet) {
  const auto groups = [](const std::string& set) {
    return cohort({"--set", set, "-o", "json"}).document()["groups"].size();
  };
  EXPECT_EQ(groups("headline"), 25U);
  EXPECT_EQ(groups("validation"), 4U);
  EXPECT_EQ(groups("h100"), 6U);
  EXPECT_EQ(groups("all"), 35U);
}

TEST(CohortVerb, WithoutNoiseShowsThePublishedIndicesWithinTwoHundredths) {
  const json document = cohort({"--set", "all", "--noise", "none", "-o", "json"}).document();
  EXPECT_EQ(document["pedigree"], "simulated");
  for (const json& group : document["groups"]) {
    ASSERT_TRUE(group["pfi_published"].is_number()) << group["group"];
    EXPECT_NEAR(group["pfi"], group["pfi_published"], 0.02) << group["group"];
    EXPECT_TRUE(group["points"][0]["power_stderr"].is_null());
  }
}

TEST(CohortVerb, EveryTableSaysWhereItsNumbersComeFrom) {
  EXPECT_THAT(cohort({}).out, HasSubstr("Simulated from fitted physics, not measured"));
  EXPECT_THAT(cohort({"--assumptions"}).out, HasSubstr("assumption"));
  EXPECT_THAT(cohort({"--bias", "2", "--set", "h100"}).out, HasSubstr("Simulated"));
}

TEST(CohortVerb, DocumentsEveryJsonKey) {
  std::set<std::string> documented;
  for (const JsonField& field : find_verb("cohort")->json_fields) documented.emplace(field.path);
  std::set<std::string> printed;
  collect_keys(cohort({"-o", "json"}).document(), "", printed);
  collect_keys(cohort({"--assumptions", "-o", "json"}).document(), "", printed);
  collect_keys(cohort({"--bias", "2", "--set", "h100", "-o", "json"}).document(), "", printed);
  EXPECT_EQ(printed, documented);
}

TEST(CohortVerb, WritesOneTraceARunAndTellsWhere) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "cohort_verb_traces";
  std::filesystem::remove_all(folder);
  const Ran ran = cohort({"--set", "h100", "--traces", folder.string()});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("34 traces"));
  using Iterator = std::filesystem::directory_iterator;
  EXPECT_EQ(std::distance(Iterator(folder), Iterator()), 34);
  const Ran again = cohort({"--set", "h100", "--traces", folder.string()});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, HasSubstr("not an empty directory"));
  EXPECT_EQ(std::distance(Iterator(folder), Iterator()), 34);
  std::filesystem::remove_all(folder);
}

TEST(CohortVerb, RefusesWordsItDoesNotKnow) {
  const Ran noise = cohort({"--noise", "loud"});
  EXPECT_EQ(noise.status, 2);
  EXPECT_THAT(noise.err, HasSubstr("independent-runs"));
  EXPECT_EQ(cohort({"--set", "b200"}).status, 2);
  EXPECT_EQ(cohort({"--average", "median"}).status, 2);
  EXPECT_EQ(cohort({"--seed", "-1"}).status, 2);
  EXPECT_EQ(cohort({"--bias", "1"}).status, 2);
}

}  // namespace
}  // namespace wattflex::app
