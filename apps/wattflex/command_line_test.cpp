// The order of flags, environment, settings file and defaults, and what the program says when asked or
// misused.
#include "apps/wattflex/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace wattflex::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kSweep = WATTFLEX_SOURCE_DIR "/examples/phoenix/sweep.csv";

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

Ran run(std::vector<std::string> arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const int status = run_command_line(std::move(arguments), {.out = out, .err = err});
  return {status, out.str(), err.str()};
}

class CommandLine : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(config_) << "format = \"csv\"\n[plan]\ncut = \"10%\"\npolicy = \"equal\"\n";
  }
  void TearDown() override {
    std::filesystem::remove(config_);
    unsetenv("WATTFLEX_FORMAT");
    unsetenv("WATTFLEX_CUT");
  }

  const std::string config_ =
      ::testing::TempDir() + "wattflex-command-line-" + std::to_string(getpid()) + ".toml";
};

TEST_F(CommandLine, PrefersFlagsToEnvironmentToSettingsToDefaults) {
  EXPECT_THAT(run({"pfi", kSweep, "--ci", "0"}).out, StartsWith("Group "));  // the default: a table
  EXPECT_THAT(run({"pfi", kSweep, "--ci", "0", "--config", config_}).out, HasSubstr("group,"));
  setenv("WATTFLEX_FORMAT", "json", 1);
  EXPECT_THAT(run({"pfi", kSweep, "--ci", "0", "--config", config_}).out, StartsWith("{"));
  EXPECT_THAT(run({"pfi", kSweep, "--ci", "0", "--config", config_, "-o", "table"}).out,
              StartsWith("Group "));
}

TEST_F(CommandLine, TakesNeededOptionsFromAnySource) {
  EXPECT_EQ(run({"plan", kSweep}).status, 2);
  EXPECT_THAT(run({"plan", kSweep}).err, HasSubstr("--cut is needed"));
  EXPECT_EQ(run({"plan", kSweep, "--config", config_}).status, 0);
  EXPECT_EQ(run({"--config", config_, "plan", kSweep}).status, 0);
  setenv("WATTFLEX_CUT", "10%", 1);
  EXPECT_EQ(run({"plan", kSweep}).status, 0);
}

TEST_F(CommandLine, NamesTheSourceOfAWrongChoice) {
  setenv("WATTFLEX_FORMAT", "jsn", 1);
  const Ran ran = run({"pfi", kSweep});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--format: 'jsn' is not a choice (from WATTFLEX_FORMAT)"),
                             HasSubstr("'json'")));
}

TEST_F(CommandLine, ChecksASettingsFileWithoutRunningAnything) {
  EXPECT_EQ(run({"--check-config", "--config", config_}).status, 0);
  EXPECT_THAT(run({"--config", config_, "--check-config"}).out, HasSubstr("right, 3 settings"));
  std::ofstream(config_) << "[plan]\ncutt = \"10%\"\n";
  const Ran ran = run({"--check-config", "--config", config_});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr(config_ + ":2:"), HasSubstr("did you mean 'cut'?")));
  EXPECT_THAT(ran.out, IsEmpty());
}

TEST(CommandLineWithoutVerb, PrintsTheVerbs) {
  for (const auto& words : std::vector<std::vector<std::string>>{{}, {"--help"}, {"-h"}, {"help"}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, AllOf(HasSubstr("pfi"), HasSubstr("plan")));
    EXPECT_THAT(ran.err, IsEmpty());
  }
  EXPECT_THAT(run({"--version"}).out, StartsWith("wattflex "));
  EXPECT_EQ(run({"help", "plan"}).out, run({"plan", "--help"}).out);
}

TEST(CommandLineMisused, SuggestsAndEndsWithTwo) {
  EXPECT_EQ(run({"plam"}).status, 2);
  EXPECT_THAT(run({"plam"}).err, AllOf(HasSubstr("no verb 'plam'"), HasSubstr("did you mean 'plan'?")));
  EXPECT_THAT(run({"plan", kSweep, "--cot", "5%"}).err, HasSubstr("did you mean '--cut'?"));
  EXPECT_THAT(run({"plan", kSweep, "--cut", "5%", "--cut", "6%"}).err, HasSubstr("--cut is given 2 times"));
  EXPECT_EQ(run({"pfi"}).status, 2);
  EXPECT_THAT(run({"pfi"}).err, HasSubstr("TABLE is needed"));
}

TEST(CommandLineMisused, PutsErrorsOfARunIntoTheJson) {
  const Ran ran = run({"pfi", "/nowhere.csv", "-o", "json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\"status\""), HasSubstr("/nowhere.csv")));
  EXPECT_THAT(ran.err, HasSubstr("/nowhere.csv"));
}

}  // namespace
}  // namespace wattflex::app
