// `wattflex logs` end to end: what a person reads, JSON, rows, following, and what it refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"

namespace wattflex::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A file with a text, gone with the object.
class LogFile {
 public:
  explicit LogFile(std::string_view text)
      : path_(fmt::format("{}wattflex_logs_{}_{}.log", testing::TempDir(), getpid(),
                          testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Eight steps of 2 s, 32 sequences each, printed as a quarter of what they are.
std::string training(int first = 1) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += fmt::format("2026-01-01 10:00:{:02} step {} samples 32 tok/s 4096\n", 2 * i, first + i);
  return text;
}

TEST(Logs, ComputeTheWholeJobAndNameTheFactor) {
  const LogFile file(training());
  const Ran ran = run_verb("logs", {file.path(), "--seq-len", "1024", "--accumulation", "4", "-o", "json"});
  EXPECT_EQ(ran.status, 0);
  const auto document = ran.document();
  EXPECT_EQ(document["status"], "done");
  EXPECT_EQ(document["framework"], "generic");
  EXPECT_EQ(document["framework_source"], "detected");
  EXPECT_DOUBLE_EQ(document["all"]["tokens_per_s"].get<double>(), 16384);
  EXPECT_DOUBLE_EQ(document["all"]["step_time_s"].get<double>(), 2);
  EXPECT_DOUBLE_EQ(document["checks"]["tokens_per_s"]["ratio"].get<double>(), 0.25);
  EXPECT_THAT(document["warnings"][0].get<std::string>(), HasSubstr("gradient accumulation (4)"));
  EXPECT_THAT(ran.err, HasSubstr("gradient accumulation (4)")) << "also where nobody reads the JSON";
}

TEST(Logs, SayTheSameInWords) {
  const LogFile file(training());
  const Ran ran = run_verb("logs", {file.path(), "--seq-len", "1024"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("generic (detected), 7 steps in 1 run"));
  EXPECT_THAT(ran.out, HasSubstr("16384"));
  EXPECT_THAT(ran.out, HasSubstr("Tokens: declared (padding included)."));
  EXPECT_THAT(ran.out, HasSubstr("Lines: 8, 8 of steps."));
}

TEST(Logs, PrintOneRowAStep) {
  const LogFile file(training());
  const Ran ran = run_verb("logs", {file.path(), "--seq-len", "1024", "-o", "csv"});
  EXPECT_EQ(ran.status, 0);
  std::istringstream lines(ran.out);
  std::vector<std::string> rows;
  for (std::string row; std::getline(lines, row);) rows.push_back(row);
  ASSERT_EQ(rows.size(), 9U);
  EXPECT_EQ(
      rows[0],
      "time_s,step,steps,step_time_s,tokens_per_s,samples_per_s,printed_tokens_per_s,segment,pause,line");
  // date -u -d '2026-01-01 10:00:02' +%s
  EXPECT_EQ(rows[2], "1767261602.000,2,1,2,16384,16,4096,1,none,2");
}

TEST(Logs, PrintRowsOfTheFrameworkThatCountsOnly) {
  std::string text;
  for (int i = 1; i <= 3; ++i)
    text += fmt::format(
        "[2026-01-01 10:00:0{},000] [INFO] [timer.py:260:stop] epoch=0/micro_step={}/global_step={}, "
        "RunningAvgSamplesPerSec=8.1, CurrSamplesPerSec=8.0\n",
        i, i, i);
  for (int i = 1; i <= 4; ++i)
    text += fmt::format(
        " iteration   {}/  10 | elapsed time per iteration (ms): 1000.0 | global batch size:   8 |\n", i);
  const LogFile file(text);
  const Ran ran = run_verb("logs", {file.path(), "-o", "csv"});
  EXPECT_EQ(std::ranges::count(ran.out, '\n'), 5) << ran.out;
  EXPECT_EQ(ran.err, "");
}

TEST(Logs, ShowAResumedRunAsARowOfItsOwn) {
  const LogFile file(training() + training(4));
  const auto document = run_verb("logs", {file.path(), "-o", "json"}).document();
  EXPECT_EQ(document["n_segments"], 2);
  EXPECT_EQ(document["segments"][1]["first_step"], 4);
  EXPECT_EQ(document["all"]["n_steps"], 14);
}

TEST(Logs, FollowToTheSummaryWhenNothingComes) {
  const LogFile file(training());
  const Ran table = run_verb("logs", {file.path(), "--seq-len", "1024", "--follow", "--idle", "0s"});
  EXPECT_EQ(table.status, 0);
  EXPECT_THAT(table.out, StartsWith("step 1"));
  EXPECT_THAT(table.out, HasSubstr("step 2  2 s  16384 tokens/s\n"));
  EXPECT_THAT(table.out, HasSubstr("7 steps in 1 run"));
  const Ran in_json = run_verb("logs", {file.path(), "--follow", "--idle", "0s", "-o", "json"});
  std::istringstream lines(in_json.out);
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 9U);
  EXPECT_EQ(events[1]["event"], "step");
  EXPECT_EQ(events[1]["step"], 2);
  EXPECT_EQ(events[8]["event"], "summary");
}

TEST(Logs, SayWhyThereIsNothing) {
  const LogFile empty("");
  const Ran nothing = run_verb("logs", {empty.path(), "-o", "json"});
  EXPECT_EQ(nothing.status, 1);
  EXPECT_EQ(nothing.document()["status"], "no_data");
  const LogFile other("hello\nworld\n");
  EXPECT_THAT(run_verb("logs", {other.path()}).err, HasSubstr("--pattern"));
  const LogFile one("step 1 tok/s 5 step_time 1\n");
  const Ran single = run_verb("logs", {one.path()});
  EXPECT_EQ(single.status, 1);
  EXPECT_THAT(single.err, HasSubstr("no time between two of them"));
  EXPECT_EQ(run_verb("logs", {"/nonexistent.log"}).status, 1);
}

TEST(Logs, RefuseOptionsThatMeanNothing) {
  const LogFile file(training());
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--seq-len", "0"},
                                             {"--pattern", "(?P<bogus>x)"},
                                             {"--pattern", "("},
                                             {"--framework", "cobol"},
                                             {"--idle", "5s"},
                                             {"--follow", "--idle", "soon"},
                                             {"--pattern", "(?P<step>x)", "--framework", "hf"}}) {
    std::vector<std::string> all = {file.path()};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run_verb("logs", all).status, 2) << words.back();
  }
  EXPECT_EQ(run_verb("logs", {}).status, 2);
}

TEST(Logs, KeepControlCharactersOffTheTerminal) {
  const LogFile file(training());
  const std::string evil = file.path() + "\x1b[2J";
  std::filesystem::copy(file.path(), evil);
  const Ran ran = run_verb("logs", {evil});
  std::filesystem::remove(evil);
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace wattflex::app
