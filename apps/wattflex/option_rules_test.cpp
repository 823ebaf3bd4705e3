// Options that contradict each other, empty file names, standard input named twice: told, never passed over.
#include "apps/wattflex/option_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"

namespace wattflex::app {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Refused {
  std::vector<std::string> words;
  std::string message;
};

void expect_refused(const std::vector<Refused>& cases) {
  for (const Refused& refused : cases) {
    const Ran ran = run(refused.words);
    EXPECT_EQ(ran.status, 2) << refused.message;
    EXPECT_THAT(ran.err, HasSubstr(refused.message));
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 2) << ran.err;  // what is wrong, and what to do
    EXPECT_THAT(ran.out, IsEmpty()) << refused.message;
  }
}

TEST(Options, ThatContradictEachOtherAreRefused) {
  expect_refused({{{"cohort", "--bias", "2", "--traces", "/nowhere/t"}, "--bias takes no --traces"},
                  {{"cohort", "--bias", "2", "--assumptions"}, "--assumptions takes no --bias"},
                  {{"cohort", "--assumptions", "--traces", "/nowhere/t"}, "--assumptions takes no --traces"},
                  {{"cohort", "--bias", "2", "--seed", "7"}, "--bias takes no --seed"},
                  {{"cohort", "--bias", "2", "--noise", "none"}, "--bias takes no --noise"},
                  {{"study", "--reproduce", kPhoenixSweep}, "--reproduce takes no TABLE"},
                  {{"study", "--reproduce", "--jobs", "5"}, "--reproduce takes no --jobs"},
                  {{"study", "--reproduce", "--mix", "both"}, "--reproduce takes no --mix"},
                  {{"study", "--reproduce", "--cuts", "5%"}, "--reproduce takes no --cuts"},
                  {{"study", "--reproduce", "-m", "m.json"}, "--reproduce takes no --model"},
                  {{"check", "--template", kPhoenixSweep}, "--template takes no TABLE"},
                  {{"compare", "a.json", "b.json", "--match", "x=y"}, "--match: models have no groups"}});
}

TEST(Options, ThatMeanNothingWithoutAnotherAreRefused) {
  expect_refused({{{"study", kPhoenixSweep, "--seeds", "5"}, "--seeds means nothing without --reproduce"},
                  {{"study", kPhoenixSweep, "--mix-share", "50%"},
                   "--mix-share means nothing without --mix production or --mix both"},
                  {{"study", kPhoenixSweep, "--mix", "random", "--mix-share", "50%"},
                   "--mix-share means nothing without"}});
}

TEST(Options, ThatGoTogetherAreTaken) {
  const std::vector<std::string> study = {"study",  kPhoenixSweep, "--workloads", "2",
                                          "--jobs", "2",           "--cuts",      "5%"};
  for (const char* const mix : {"production", "both"}) {
    std::vector<std::string> words = study;
    words.insert(words.end(), {"--mix", mix, "--mix-share", "50%"});
    EXPECT_THAT(run(words).err, testing::Not(HasSubstr("means nothing"))) << mix;
  }
  EXPECT_EQ(run({"cohort", "--assumptions", "--set", "all"}).status, 0);
}

TEST(FileNames, ThatAreEmptyAreRefused) {
  expect_refused({{{"curve", ""}, "TABLE: the file name is empty"},
                  {{"compare", kPhoenixSweep, ""}, "B: the file name is empty"},
                  {{"plan", kPhoenixSweep, "--cut", "5%", "--fleet", ""}, "--fleet: the file name is empty"},
                  {{"plan", kPhoenixSweep, "--cut", "5%", "-m", ""}, "--model: the file name is empty"},
                  {{"fit", kPhoenixSweep, "-m", ""}, "--model: the file name is empty"},
                  {{"report", kPhoenixSweep, "-o", ""}, "--output: the file name is empty"},
                  {{"report", kPhoenixSweep, "--figures", ""}, "--figures: the file name is empty"},
                  {{"cohort", "--traces", ""}, "--traces: the file name is empty"}});
}

TEST(StandardInput, IsReadForOneFileOnly) {
  expect_refused({{{"plan", "-", "--cut", "5%", "--fleet", "-"},
                   "TABLE and --fleet: standard input can be read only once"},
                  {{"plan", "/dev/stdin", "--cut", "5%", "-m", "-"},
                   "TABLE and --model: standard input can be read only once"},
                  {{"compare", "-", "-"}, "A and B: standard input can be read only once"},
                  {{"predict", "-", "-m", "-"}, "TABLE and --model: standard input can be read only once"},
                  {{"report", "-", "--fleet", "-", "-o", "page.html"}, "TABLE and --fleet: standard input"}});
}

// Of every verb's table: what a rule names is there.
TEST(OptionRules, NameOptionsOfTheirVerb) {
  for (const Verb* const verb : all_verbs()) {
    const auto has = [&](std::string_view name) {
      const auto options = options_of(*verb);
      return std::ranges::find(options, name.substr(0, name.find('=')), plain_name) != options.end();
    };
    for (const OptionRule& rule : verb->rules) {
      EXPECT_TRUE(has(rule.option)) << verb->name << ' ' << rule.option;
      for (const std::string_view other : rule.others) EXPECT_TRUE(has(other)) << verb->name << ' ' << other;
    }
  }
}

}  // namespace
}  // namespace wattflex::app
