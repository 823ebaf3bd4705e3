#include "apps/wattflex/grammar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wattflex::app {
namespace {

TEST(Grammar, NamesAnOptionInFlagsAndEnvironment) {
  const Option option{"-m,--model-file", "FILE", "", ""};
  EXPECT_EQ(plain_name(option), "model-file");
  EXPECT_EQ(environment_name(option), "WATTFLEX_MODEL_FILE");
  EXPECT_EQ(usage_of(option), "-m, --model-file FILE");
  EXPECT_FALSE(is_positional(option));
}

TEST(Grammar, TakesLowerCaseAlternativesAsChoicesAndOthersAsKinds) {
  EXPECT_THAT(choices_of({"--policy", "equal|moe-ft", "", ""}), ::testing::ElementsAre("equal", "moe-ft"));
  EXPECT_THAT(choices_of({"--cut", "PERCENT|POWER", "", ""}), ::testing::IsEmpty());
  EXPECT_THAT(choices_of({"--name", "text", "", ""}), ::testing::IsEmpty());
}

TEST(Grammar, TakesOneChoiceAndSuggestsTheNearest) {
  const Option option{"--policy", "equal|pfi|oracle", "", ""};
  EXPECT_TRUE(check_choice(option, "oracle"));
  EXPECT_FALSE(check_choice(option, "equal,oracle"));
  EXPECT_FALSE(check_choice(option, ""));
  const auto checked = check_choice(option, "oracel");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "--policy: 'oracel' is not a choice");
  EXPECT_EQ(checked.error().remedy, "did you mean 'oracle'?");
}

TEST(Grammar, RefusesEmptyAndDoubledValuesOfAList) {
  const std::vector<std::string> twice{"a.csv", "b.csv", "a.csv"};
  const std::vector<std::string> empty{"a.csv", ""};
  const Option tables{"TABLE", "FILE", "", "", Takes::list};
  EXPECT_EQ(check_list(tables, twice).error().message, "TABLE: 'a.csv' is there twice");
  EXPECT_EQ(check_list({"--match", "A=B", "", "", Takes::list}, empty).error().message,
            "--match: a value is empty");
  EXPECT_TRUE(check_list(tables, std::vector<std::string>{"a.csv", "b.csv"}));
}

TEST(Grammar, SuggestsAWordOnlyWhenItIsNear) {
  const std::vector<std::string> words{"plan", "predict", "pfi"};
  EXPECT_EQ(nearest("plna", words), std::nullopt);  // two of four letters: a swap is two replacements
  EXPECT_EQ(nearest("plam", words), "plan");
  EXPECT_EQ(nearest("perdict", words), "predict");
  EXPECT_EQ(nearest("pfii", words), "pfi");
  EXPECT_EQ(nearest("report", words), std::nullopt);
  EXPECT_EQ(nearest("x", {}), std::nullopt);
}

TEST(Grammar, KeepsShortOForTheVerbsOwnFile) {
  Verb verb{};
  EXPECT_EQ(common_options(verb).front().name, "-o,--format");
  verb.options = {{"-o,--output", "FILE", "", ""}};
  EXPECT_EQ(common_options(verb).front().name, "--format");
}

}  // namespace
}  // namespace wattflex::app
