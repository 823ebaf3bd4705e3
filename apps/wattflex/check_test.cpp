// `wattflex check` end to end: exit status, JSON and what a person reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"
#include "ingest/sweep_table.h"
#include "ingest/sweep_template.h"

namespace wattflex::app {
namespace {

using testing::HasSubstr;

Ran check(std::vector<std::string> arguments) {
  return run_verb("check", std::move(arguments));
}

// A file with a text, gone with the object.
class TextFile {
 public:
  explicit TextFile(std::string_view text)
      : path_(testing::TempDir() + "wattflex_check_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv") {
    std::ofstream(path_, std::ios::binary) << text;
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Check, ListsAllProblemsAndFails) {
  const TextFile file(
      "group,gpus,cap_w,power_w,throughput\n"
      "a,8,700,nan,100\n"
      "a,8,500000,3900,90\n"
      "b,8,700,5200,100\n"
      "b,8,700,5100,99\n"
      "c,8,500,3900,90");
  const Ran ran = check({file.path(), "-o", "json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("refused: 4 errors and 1 warning"));
  const auto document = ran.document();
  EXPECT_EQ(document["status"], "refused");
  const auto table = document["tables"][0];
  EXPECT_FALSE(table["usable"]);
  std::vector<std::string> found;
  for (const auto& finding : table["findings"]) {
    found.push_back(finding["kind"].get<std::string>() + " " + finding["row"].dump() + " " +
                    finding["column"].dump());
    EXPECT_NE(finding["remedy"], "");
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre("not_finite 2 \"power_w\"", "cap_too_high 3 \"cap_w\"",
                                                   "two_uncapped_points 5 \"cap_w\"", "one_point 6 null",
                                                   "no_last_newline 6 null"));
}

TEST(Check, AnEmptyTableHasNoData) {
  for (const char* text : {"", "group,gpus,cap_w,power_w,throughput\n"}) {
    const TextFile file(text);
    const Ran ran = check({file.path(), "-o", "json"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.document()["status"], "no_data");
  }
}

TEST(Check, WarningsDoNotFail) {
  const TextFile file(
      "\xEF\xBB\xBFgroup,gpus,cap_w,power_w,throughput\r\na,8,700,5200,100\r\na,8,500,3900,90\r\n");
  const Ran ran = check({file.path()});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("2 rows, 1 group; usable, with 2 warnings"));
  EXPECT_THAT(ran.out, HasSubstr("byte_order_mark"));
  EXPECT_THAT(check({file.path(), "-o", "csv"}).out, HasSubstr(",warning,carriage_returns,"));
}

TEST(Check, ListsTwentyOfAKindAndCountsTheRest) {
  std::string text = "group,gpus,cap_w,power_w,throughput\n";
  for (int i = 0; i < 50; ++i) text += "a,8,700,zero,100\n";
  const TextFile file(text);
  const auto table = check({file.path(), "-o", "json"}).document()["tables"][0];
  EXPECT_EQ(table["findings"].size(), 20);
  EXPECT_EQ(table["n_errors"], 50);
  EXPECT_THAT(check({file.path()}).out, HasSubstr("... and 45 more"));
}

TEST(Check, TheTemplateIsATableWithoutAnyOddity) {
  const Ran ran = check({"--template"});
  EXPECT_EQ(ran.status, 0);
  const auto table = parse_sweep_table(ran.out, "template.csv");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_THAT(table->warnings, testing::IsEmpty());
  EXPECT_EQ(table->groups.size(), 2);
}

TEST(Check, KnowsAFleetByItsHeader) {
  const auto table =
      check({WATTFLEX_SOURCE_DIR "/examples/phoenix/fleet.csv", "-o", "json"}).document()["tables"][0];
  EXPECT_EQ(table["kind"], "fleet");
  EXPECT_TRUE(table["usable"]);
  EXPECT_EQ(table["n_rows"], 6);
}

TEST(Check, GivesFleetsTheirOwnRemedies) {
  const TextFile file("job,group,gpus,value\na,g,8,1e10\n");
  const Ran ran = check({file.path(), "-o", "json"});
  EXPECT_EQ(ran.status, 1);
  const auto finding = ran.document()["tables"][0]["findings"][0];
  EXPECT_EQ(finding["kind"], "implausible");
  EXPECT_EQ(finding["remedy"], "gpus run from 1 to 10000000, value from 1e-9 to 1e9");
  EXPECT_THAT(check({file.path()}).out, HasSubstr("error implausible: gpus run from 1"));
}

TEST(Check, NothingToCheckIsAUsageError) {
  EXPECT_EQ(check({}).status, 2);
  EXPECT_EQ(check({"/nowhere.csv"}).status, 1);
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Check, TheFormatReferenceCarriesTheTablesOfTheCode) {
  const std::string page = contents(WATTFLEX_SOURCE_DIR "/docs/sweep-table.md");
  EXPECT_THAT(page, HasSubstr(ingest::columns_markdown()));
  EXPECT_THAT(page, HasSubstr(ingest::telemetry_markdown()));
  EXPECT_THAT(page, HasSubstr(ingest::findings_markdown()));
}

}  // namespace
}  // namespace wattflex::app
