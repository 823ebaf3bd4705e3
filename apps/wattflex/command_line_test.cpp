// The order of flags, environment, settings file and defaults, and what the program says when asked or
// misused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/wattflex/terminal.h"
#include "apps/wattflex/test_run.h"

namespace wattflex::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

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
  EXPECT_THAT(run({"pfi", kPhoenixSweep, "--ci", "0"}).out, StartsWith("Group "));  // the default: a table
  EXPECT_THAT(run({"pfi", kPhoenixSweep, "--ci", "0", "--config", config_}).out, HasSubstr("group,"));
  setenv("WATTFLEX_FORMAT", "json", 1);
  EXPECT_THAT(run({"pfi", kPhoenixSweep, "--ci", "0", "--config", config_}).out, StartsWith("{"));
  EXPECT_THAT(run({"pfi", kPhoenixSweep, "--ci", "0", "--config", config_, "-o", "table"}).out,
              StartsWith("Group "));
}

TEST_F(CommandLine, TakesNeededOptionsFromAnySource) {
  EXPECT_EQ(run({"plan", kPhoenixSweep}).status, 2);
  EXPECT_THAT(run({"plan", kPhoenixSweep}).err, HasSubstr("--cut is needed"));
  EXPECT_EQ(run({"plan", kPhoenixSweep, "--config", config_}).status, 0);
  EXPECT_EQ(run({"--config", config_, "plan", kPhoenixSweep}).status, 0);
  setenv("WATTFLEX_CUT", "10%", 1);
  EXPECT_EQ(run({"plan", kPhoenixSweep}).status, 0);
}

TEST_F(CommandLine, NamesTheSourceOfAWrongChoice) {
  setenv("WATTFLEX_FORMAT", "jsn", 1);
  const Ran ran = run({"pfi", kPhoenixSweep});
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

TEST_F(CommandLine, SaysWhereANumberOutOfRangeOrADoubledListStands) {
  setenv("WATTFLEX_CUT", "1e300GW", 1);
  EXPECT_THAT(run({"plan", kPhoenixSweep}).err, HasSubstr("'1e300GW' is out of range"));
  unsetenv("WATTFLEX_CUT");
  std::ofstream(config_) << "[plan]\ncut = \"1e400%\"\n";
  EXPECT_THAT(run({"plan", kPhoenixSweep, "--config", config_}).err, HasSubstr("'1e400%' is out of range"));
  std::ofstream(config_) << "[curve]\nprice = 1e400\n";
  EXPECT_THAT(run({"curve", kPhoenixSweep, "--config", config_}).err, HasSubstr(config_ + ":2:"));
  std::ofstream(config_) << "[compare]\nmatch = [\"a=b\", \"a=b\"]\n";
  EXPECT_THAT(run({"compare", kPhoenixSweep, kPhoenixSweep, "--config", config_}).err,
              HasSubstr(config_ + ":2: --match: 'a=b' is there twice"));
}

TEST_F(CommandLine, NamesTheSourceOfAWrongValue) {
  setenv("WATTFLEX_CUT", "abc", 1);
  EXPECT_THAT(run({"plan", kPhoenixSweep}).err, HasSubstr("--cut: 'abc'"));
  EXPECT_THAT(run({"plan", kPhoenixSweep}).err, HasSubstr("(from WATTFLEX_CUT)"));
  EXPECT_THAT(run({"plan", kPhoenixSweep, "--cut", "xyz"}).err, Not(HasSubstr("(from")));
  unsetenv("WATTFLEX_CUT");
  std::ofstream(config_) << "[plan]\ncut = \"5%\"\nmodel = \"/nowhere/m.json\"\n";
  EXPECT_THAT(run({"plan", kPhoenixSweep, "--config", config_}).err,
              AllOf(HasSubstr("/nowhere/m.json:"), HasSubstr("(from " + config_ + ":3)")));
}

TEST_F(CommandLine, TakesAFlagOfTheEnvironmentOnlyAsTrueOrFalse) {
  const auto warnings = [&](const char* quiet) {
    setenv("WATTFLEX_QUIET", quiet, 1);
    const Ran ran = run({"plan", kPhoenixSweep, "--cut", "5%", "--objective", "tokens"});
    unsetenv("WATTFLEX_QUIET");
    return ran.err;
  };
  for (const char* const yes : {"1", "true", "yes", "on"}) EXPECT_THAT(warnings(yes), IsEmpty()) << yes;
  for (const char* const no : {"0", "false", "no", "off", ""})
    EXPECT_THAT(warnings(no), HasSubstr("objective tokens")) << no;
  EXPECT_THAT(warnings("junk"), HasSubstr("WATTFLEX_QUIET: 'junk' is neither true nor false"));
}

TEST_F(CommandLine, LetsAVerbsTableTurnOffAFlag) {
  std::ofstream(config_) << "quiet = true\n[plan]\nquiet = false\n";
  const std::vector<std::string> words = {"plan",        kPhoenixSweep, "--cut",    "5%",
                                          "--objective", "tokens",      "--config", config_};
  EXPECT_THAT(run(words).err, HasSubstr("objective tokens"));
  std::ofstream(config_) << "quiet = true\n";
  EXPECT_THAT(run(words).err, IsEmpty());
}

TEST_F(CommandLine, ChecksTheValuesOfASettingsFile) {
  std::ofstream(config_) << "[curve]\nprice = -1\n";
  for (const auto& words : {std::vector<std::string>{"--check-config", "--config", config_},
                            std::vector<std::string>{"pfi", kPhoenixSweep, "--config", config_}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr(config_ + ":2: --price: -1"));
  }
}

// What only a table can make wrong is left to the run.
TEST_F(CommandLine, ChecksACutOfASettingsFileWithoutItsTable) {
  const auto checked = [&](const std::string& cut) {
    std::ofstream(config_) << "[plan]\ncut = \"" << cut << "\"\n";
    return run({"--check-config", "--config", config_});
  };
  for (const char* const right : {"25%", "100%", "300kW"}) EXPECT_EQ(checked(right).status, 0) << right;
  for (const char* const wrong : {"120%", "25", "-5%", "junk"}) {
    const Ran ran = checked(wrong);
    EXPECT_EQ(ran.status, 2) << wrong;
    EXPECT_THAT(ran.err, HasSubstr("--cut: ")) << wrong;
  }
}

// What environment and settings file say of an option is a default for the runs it fits.
TEST_F(CommandLine, PassesOverDefaultsThatDoNotFitTheRun) {
  std::ofstream(config_) << "[plan]\nfloor = \"tier\"\n[check]\ntemplate = true\n[report]\nfleet = \"f\"\n"
                            "[compare]\nall = true\n";
  const Ran plan =
      run({"plan", kPhoenixSweep, "--cut", "5%", "--ci", "0", "-o", "json", "--config", config_});
  ASSERT_EQ(plan.status, 0) << plan.err;
  EXPECT_EQ(plan.document()["floor"], "none");
  EXPECT_THAT(run({"plan", kPhoenixSweep, "--cut", "5%", "--floor", "tier", "--config", config_}).err,
              HasSubstr("--floor tier means nothing without --fleet"));
  EXPECT_THAT(run({"check", kPhoenixSweep, "--config", config_}).out, HasSubstr("8 groups"));
  EXPECT_THAT(run({"check", "--config", config_}).out, StartsWith("#"));
  EXPECT_THAT(run({"compare", "/no/a.json", "/no/b.json", "--config", config_}).err, HasSubstr("/no/a.json"));
  const std::string copy = config_ + ".csv";
  std::filesystem::copy_file(kPhoenixSweep, copy);
  const Ran report = run({"report", kPhoenixSweep, copy, "--config", config_, "-o", config_ + ".html"});
  EXPECT_EQ(report.status, 0) << report.err;
  std::filesystem::remove(copy);
  std::filesystem::remove(config_ + ".html");
  setenv("WATTFLEX_TEMPLATE", "1", 1);
  EXPECT_THAT(run({"check", kPhoenixSweep}).out, HasSubstr("8 groups"));
  unsetenv("WATTFLEX_TEMPLATE");
}

TEST_F(CommandLine, RefusesAnEmptyNameOfTheSettingsFile) {
  for (const auto& words : {std::vector<std::string>{"--check-config", "--config", ""},
                            std::vector<std::string>{"pfi", kPhoenixSweep, "--config", ""}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("--config: the file name is empty"));
    EXPECT_THAT(ran.out, IsEmpty());
  }
}

TEST(LineWidth, IsWhatColumnsSaysFromTwentyOn) {
  const char* const before = std::getenv("COLUMNS");
  const std::string old = before == nullptr ? "" : before;
  for (const auto& [columns, width] :
       {std::pair("19", 20U), std::pair("20", 20U), std::pair("39", 39U), std::pair("120", 120U),
        std::pair("4000", 4000U), std::pair("0", 100U), std::pair("-5", 100U), std::pair("x", 100U)}) {
    setenv("COLUMNS", columns, 1);
    EXPECT_EQ(line_width(-1), width) << columns;
  }
  before == nullptr ? unsetenv("COLUMNS") : setenv("COLUMNS", old.c_str(), 1);
}

TEST(Terminal, GetsNoControlCharacterOutOfNamesAndCells) {
  const std::string evil = "/no/\x1b[31m\xC2\x9B\xE2\x80\xAEpe.csv";
  const std::string table = ::testing::TempDir() + "wattflex-\x1b[31m\xC2\x9B\xE2\x81\xA6.csv";
  std::ofstream(table) << "group,gpus,cap_w,power_w,throughput,\xC2\x9B\xE2\x80\xAE\x1b\n"
                          "a,8,700,zero,100,1\na,8,600,1,100,1\n";
  std::ofstream(table + ".toml") << "quiet = false\n";
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"pfi", evil},
                                             {evil},
                                             {"pfi", kPhoenixSweep, "--" + evil},
                                             {"pfi", kPhoenixSweep, evil + "x", "-q" + evil},
                                             {"plan", kPhoenixSweep, "--cut", evil},
                                             {"pfi", kPhoenixSweep, "-o", evil},
                                             {"pfi", table},
                                             {"check", table},
                                             {"check", table, "-o", "csv"},
                                             {"--check-config", "--config", evil},
                                             {"--check-config", "--config", table + ".toml"}}) {
    const Ran ran = run(words);
    for (const std::string& text : {ran.out, ran.err}) {
      for (const char* const mark : {"\x1b", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6"})
        EXPECT_THAT(text, Not(HasSubstr(mark))) << words.front() << ' ' << words.size();
    }
    EXPECT_THAT(ran.out + ran.err, HasSubstr("?[31m"));
  }
  std::filesystem::remove(table);
  std::filesystem::remove(table + ".toml");
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
  EXPECT_THAT(run({"plan", kPhoenixSweep, "--cot", "5%"}).err, HasSubstr("did you mean '--cut'?"));
  EXPECT_THAT(run({"plan", kPhoenixSweep, "--cut", "5%", "--cut", "6%"}).err,
              HasSubstr("--cut is given 2 times"));
  EXPECT_EQ(run({"pfi"}).status, 2);
  EXPECT_THAT(run({"pfi"}).err, HasSubstr("TABLE is needed"));
}

TEST(CommandLineMisused, RefusesEmptyAndDoubledEntriesOfEveryList) {
  const std::vector<std::string> base[] = {{"plan", kPhoenixSweep, "--cut", "5%", "--policy"},
                                           {"study", kPhoenixSweep, "--cuts"},
                                           {"curve", kPhoenixSweep, "--at"},
                                           {"fit", kPhoenixSweep, "--features"},
                                           {"analyze", kPhoenixSweep, "--grid"},
                                           {"pfi", kPhoenixSweep},
                                           {"check", kPhoenixSweep},
                                           {"report", kPhoenixSweep}};
  const std::vector<std::string> bad[] = {{"", "equal,", "equal,,pfi", "equal,equal"},
                                          {"", "5%,", "5%,,6%", "5%,5%", "5%,5.0%"},
                                          {"", "5%,", "5%,,6%", "5%,5%", "5%,5.0%"},
                                          {"", "dram_active,", "dram_active,dram_active"},
                                          {"", "400,", "400,400", "400,400W"},
                                          {"", kPhoenixSweep},
                                          {"", kPhoenixSweep},
                                          {"", kPhoenixSweep}};
  for (std::size_t i = 0; i < std::size(base); ++i) {
    for (const std::string& value : bad[i]) {
      std::vector<std::string> words = base[i];
      words.push_back(value);
      const Ran ran = run(words);
      EXPECT_EQ(ran.status, 2) << words[0] << ' ' << value << ": " << ran.err;
      EXPECT_THAT(ran.out, IsEmpty()) << words[0] << ' ' << value;
    }
  }
  EXPECT_EQ(run({"pfi", kPhoenixSweep, "-o", "json,csv"}).status, 2);
}

TEST(CommandLineMisused, NumbersOutOfRangeAreRefusedAsSuch) {
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"plan", kPhoenixSweep, "--cut", "1e300GW"},
                                             {"plan", kPhoenixSweep, "--cut", "1e400%"},
                                             {"study", kPhoenixSweep, "--cuts", "0%:1e400%:1%"},
                                             {"curve", kPhoenixSweep, "--price", "1e400"},
                                             {"report", kPhoenixSweep, "--cut", "1e400%"}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("' is out of range")) << words[0];
  }
}

TEST(CommandLineMisused, PutsErrorsOfARunIntoTheJson) {
  const Ran ran = run({"pfi", "/nowhere.csv", "-o", "json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\"status\""), HasSubstr("/nowhere.csv")));
  EXPECT_THAT(ran.err, HasSubstr("/nowhere.csv"));
}

TEST_F(CommandLine, PutsErrorsOfTheCommandLineIntoTheJson) {
  const std::vector<std::vector<std::string>> asked = {
      {"plan", "-o", "json", "--cut", "1%"},
      {"plan", kPhoenixSweep, "--cot", "5%", "-o", "json"},
      {"plan", kPhoenixSweep, "-ojson", "--cut"},
      {"plan", "a", "b", "--cut", "5%", "--format=json"},
      {"plam", kPhoenixSweep, "-o", "json"},
      {"report", "--format", "json"},
      {"--bogus", "-o", "json"},
      {"pfi", kPhoenixSweep, "-o", "json", "--config", "/no.toml"},
      {"plan", kPhoenixSweep, "-o", "json", "--cut", "x"},
      {"--check-config", "--config", "", "-o", "json"}};
  for (const auto& words : asked) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 2);
    const auto document = nlohmann::json::parse(ran.out, nullptr, false);
    ASSERT_FALSE(document.is_discarded()) << words[0] << words[1] << ran.out;
    EXPECT_EQ(document["status"], "usage");
    EXPECT_THAT(ran.err, HasSubstr(document["error"]["message"].get<std::string>()));
  }
  std::ofstream(config_) << "format = \"json\"\n";
  EXPECT_EQ(run({"plan", "--cut", "1%", "--config", config_}).document()["status"], "usage");
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"plan", "--cut", "1%"}, {"report", "-o", "json"}, {"plan", "--bogus", "--", "-o", "json"}})
    EXPECT_THAT(run(words).out, IsEmpty());
  setenv("WATTFLEX_FORMAT", "json", 1);
  EXPECT_EQ(run({"plan", "--bogus"}).document()["status"], "usage");
}

}  // namespace
}  // namespace wattflex::app
