#include "apps/wattflex/invocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wattflex::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Verb& sample_verb() {
  static const Verb kVerb = [] {
    Verb verb{};
    verb.name = "sample";
    verb.options = {{"FIRST", "", "", "", Takes::value, true},
                    {"TABLE", "", "", "", Takes::list},
                    {"--cut", "PERCENT", "", ""},
                    {"-f,--feature", "NAME", "", "", Takes::list},
                    {"--all", "", "", "", Takes::flag}};
    return verb;
  }();
  return kVerb;
}

Values parsed(std::vector<std::string> words) {
  const auto values = parse_invocation(sample_verb(), std::move(words));
  EXPECT_TRUE(values) << values.error().message;
  return values.value_or(Values());
}

std::string refusal(std::vector<std::string> words) {
  const auto values = parse_invocation(sample_verb(), std::move(words));
  EXPECT_FALSE(values);
  return values ? "" : values.error().message + " / " + values.error().remedy;
}

TEST(Invocation, KeepsValuesAsWritten) {
  EXPECT_THAT(parsed({"--cut", "10%,25%"})["cut"], ElementsAre("10%,25%"));
  EXPECT_THAT(parsed({"--cut=0%:40%:2%"})["cut"], ElementsAre("0%:40%:2%"));
  EXPECT_THAT(parsed({"--cut", "-5"})["cut"], ElementsAre("-5"));
  EXPECT_THAT(parsed({"--cut", "[a,b]"})["cut"], ElementsAre("[a,b]"));
  EXPECT_THAT(parsed({"-fdram", "[x]"})["FIRST"], ElementsAre("[x]"));
}

TEST(Invocation, NeverLetsAListOptionSwallowATable) {
  Values values = parsed({"-f", "dram", "--feature", "clock", "one.csv", "two.csv", "three.csv"});
  EXPECT_THAT(values["feature"], ElementsAre("dram", "clock"));
  EXPECT_THAT(values["FIRST"], ElementsAre("one.csv"));
  EXPECT_THAT(values["TABLE"], ElementsAre("two.csv", "three.csv"));
}

TEST(Invocation, TakesEverythingAfterTwoDashesAsPositional) {
  Values values = parsed({"--all", "--", "-odd.csv", "--cut"});
  EXPECT_THAT(values["FIRST"], ElementsAre("-odd.csv"));
  EXPECT_THAT(values["TABLE"], ElementsAre("--cut"));
  EXPECT_TRUE(values.contains("all"));
}

TEST(Invocation, TakesASingleDashAsStandardInput) {
  EXPECT_THAT(parsed({"-"})["FIRST"], ElementsAre("-"));
}

TEST(Invocation, RefusesAnOptionGivenTwiceByName) {
  EXPECT_THAT(refusal({"--cut", "5%", "--cut", "6%"}), HasSubstr("--cut is given 2 times ('5%', '6%')"));
}

TEST(Invocation, RefusesUnknownOptionsWithASuggestion) {
  EXPECT_THAT(refusal({"--cot=5%"}), HasSubstr("no option '--cot' / did you mean '--cut'?"));
  EXPECT_THAT(refusal({"--something"}), HasSubstr("'wattflex sample --help' lists them"));
}

TEST(Invocation, RefusesAnOptionWithoutItsValue) {
  EXPECT_THAT(refusal({"--cut"}), HasSubstr("--cut"));
}

TEST(Invocation, RefusesWordsTooMany) {
  Verb verb = sample_verb();
  verb.options.erase(verb.options.begin() + 1);
  const auto values = parse_invocation(verb, {"one.csv", "two.csv"});
  ASSERT_FALSE(values);
  EXPECT_THAT(values.error().message, HasSubstr("'two.csv' is one word too many"));
}

}  // namespace
}  // namespace wattflex::app
