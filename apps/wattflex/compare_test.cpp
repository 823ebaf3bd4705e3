// `wattflex compare` end to end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"
#include "apps/wattflex/verb.h"

namespace wattflex::app {
namespace {

using testing::HasSubstr;
using testing::Not;

Ran compare(std::vector<std::string> arguments) {
  return run_verb("compare", std::move(arguments));
}

class CompareVerb : public testing::Test {
 protected:
  CompareVerb()
      : folder_(std::filesystem::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  CompareVerb(const CompareVerb&) = delete;
  CompareVerb& operator=(const CompareVerb&) = delete;
  ~CompareVerb() override { std::filesystem::remove_all(folder_); }

  std::string table(const std::string& name, const std::string& rows) const {
    const std::string path = folder_ / (name + ".csv");
    std::ofstream(path) << "group,accelerator,gpus,cap_w,power_w,throughput\n" << rows;
    return path;
  }

 private:
  std::filesystem::path folder_;
};

const std::string kBefore = "g,H200,1,700,600,100\ng,H200,1,500,480,92\ng,H200,1,400,390,82\n";

TEST_F(CompareVerb, TakesAHundredResamplesOrMore) {
  const std::string one = table("a", kBefore);
  EXPECT_EQ(compare({one, one, "--ci", "99"}).status, 2);
  EXPECT_EQ(compare({one, one, "--ci", "0"}).status, 2);
  EXPECT_EQ(compare({one, one, "--ci", "100"}).status, 0);
}

TEST_F(CompareVerb, TakesOneOrTwoSharesFromRunToRun) {
  const std::string one = table("a", kBefore);
  const auto both = compare({one, one, "--run-to-run", "0.3%,2%", "-o", "json", "--ci", "100"}).document();
  EXPECT_DOUBLE_EQ(both["run_to_run"]["power"], 0.003);
  EXPECT_DOUBLE_EQ(both["run_to_run"]["throughput"], 0.02);
  const auto single = compare({one, one, "--run-to-run", "1%", "-o", "json", "--ci", "100"}).document();
  EXPECT_DOUBLE_EQ(single["run_to_run"]["power"], 0.01);
  EXPECT_DOUBLE_EQ(single["run_to_run"]["throughput"], 0.01);
  EXPECT_THAT(compare({one, one, "--run-to-run", "1%,2%", "--ci", "100"}).out,
              HasSubstr("allow for 1 % of draw and 2 % of throughput"));
  for (const char* const equal : {"0.8%,0.8%", "0%,0%"})
    EXPECT_EQ(compare({one, one, "--run-to-run", equal, "--ci", "100"}).status, 0) << equal;
  for (const char* const wrong : {"", "1%,", ",1%", "-1%", "51%", "1%,2%,3%", "0.005", "much"}) {
    const auto ran = compare({one, one, "--run-to-run", wrong});
    EXPECT_EQ(ran.status, 2) << wrong;
    EXPECT_THAT(ran.err, HasSubstr("--run-to-run")) << wrong;
  }
}

// What reading a table warns of is said once a table, in every format.
TEST_F(CompareVerb, PassesOnTheWarningsOfBothTables) {
  const std::string above = "g,H200,1,700,600,100\ng,H200,1,500,480,92\ng,H200,1,400,430,82\n";
  const std::string a = table("a", above);
  const std::string b = table("b", kBefore);
  for (const auto& words : {std::vector{a, b}, std::vector{b, a}}) {
    const auto ran = compare({words[0], words[1], "-o", "json", "--ci", "100"});
    EXPECT_THAT(ran.err, HasSubstr("a.csv, row 4, column power_w: 430 W per GPU at a cap of 400 W"));
    EXPECT_THAT(ran.document()["warnings"].dump(), HasSubstr("a.csv, row 4, column power_w"));
    EXPECT_THAT(ran.err, Not(HasSubstr("b.csv, row")));
  }
}

TEST_F(CompareVerb, EndsForTheLargestAndSmallestThroughputsATableMayHold) {
  const std::string far = "g,H200,1,700,600,1e24\ng,H200,1,500,480,1e-12\ng,H200,1,400,390,1e24\n";
  const auto ran = compare({table("a", kBefore), table("b", far), "-o", "json", "--ci", "100"});
  EXPECT_EQ(ran.status, 0) << ran.err;
}

nlohmann::json difference(const nlohmann::json& document, const std::string& quantity) {
  for (const auto& entry : document["groups"][0]["differences"]) {
    if (entry["quantity"] == quantity) return entry;
  }
  return {};
}

TEST_F(CompareVerb, DocumentsEveryKeyItPrints) {
  const std::string other = table("other", kBefore + "h,H200,1,700,600,100\nh,H200,1,500,480,92\n");
  EXPECT_THAT(
      undocumented("compare", compare({table("a", kBefore), other, "-o", "json", "--ci", "100"}).document()),
      testing::IsEmpty());
}

TEST_F(CompareVerb, FindsNothingBetweenASweepAndItself) {
  const auto ran = compare({kPhoenixSweep, kPhoenixSweep, "-o", "json", "--ci", "100"});
  EXPECT_EQ(ran.status, 0);
  const auto document = ran.document();
  EXPECT_EQ(document["significant"], 0);
  EXPECT_EQ(document["groups"].size(), 8U);
  EXPECT_TRUE(document["only_in_a"].empty());
}

TEST_F(CompareVerb, NamesWhatADriverUpdateChanged) {
  const std::string after =
      table("after", "g,H200,1,700,570,100\ng,H200,1,500,480,96\ng,H200,1,400,390,88\n");
  const auto document = compare({table("before", kBefore), after, "-o", "json"}).document();
  const auto power = difference(document, "reference_power");
  EXPECT_NEAR(power["difference"], -0.05, 1e-12);
  EXPECT_EQ(power["significant"], true);
  EXPECT_EQ(difference(document, "reference_throughput")["significant"], false);
  const auto kept = difference(document, "throughput_kept_at_cap");
  EXPECT_EQ(kept["cap_w"], 500);
  EXPECT_NEAR(kept["difference"], 0.04, 1e-12);
  const auto text = compare({table("before", kBefore), after}).out;
  // ln 0.95 -+ 1.95996 sqrt(2) 0.008: exp(-0.05129 - 0.02217) - 1 and exp(-0.05129 + 0.02217) - 1.
  EXPECT_THAT(text, HasSubstr("-5.00 % (-7.08..-2.87)"));
  EXPECT_THAT(text, Not(HasSubstr("throughput per GPU")));
  EXPECT_THAT(compare({table("before", kBefore), after, "--all"}).out, HasSubstr("throughput per GPU"));
}

TEST_F(CompareVerb, ListsGroupsWithoutPartnerAndMatchesRenamedOnes) {
  const std::string other =
      table("other", "x,H200,1,700,600,100\nx,H200,1,500,480,92\ny,H200,1,700,600,9\ny,H200,1,500,480,8\n");
  const auto none = compare({table("before", kBefore), other, "-o", "json"});
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.document()["status"], "no_data");
  const auto matched = compare({table("before", kBefore), other, "--match", "g=x", "-o", "json"});
  EXPECT_EQ(matched.status, 0);
  EXPECT_EQ(matched.document()["groups"][0]["group_b"], "x");
  EXPECT_EQ(matched.document()["only_in_b"][0], "y on H200");
  EXPECT_EQ(compare({table("before", kBefore), other, "--match", "g"}).status, 2);
}

TEST_F(CompareVerb, RefusesToMatchGroupsThatAreNotThereAndNamesTheNearest) {
  const std::string before = table("before", kBefore);
  const std::string after = table("after", "llama,H200,1,700,600,100\nllama,H200,1,500,480,92\n");
  const auto refused = [&](const std::vector<std::string>& matches) {
    std::vector<std::string> words = {before, after, "--ci", "100"};
    for (const std::string& match : matches) words.insert(words.end(), {"--match", match});
    const Ran ran = compare(std::move(words));
    EXPECT_EQ(ran.status, 2) << ran.err;
    return ran.err;
  };
  EXPECT_EQ(compare({before, after, "--ci", "100", "--match", "g=llama"}).status, 0);
  EXPECT_THAT(refused({"g=lama"}), HasSubstr("--match: after has no group 'lama'\n  did you mean 'llama'?"));
  EXPECT_THAT(refused({"x=llama"}), HasSubstr("--match: before has no group 'x'"));
  EXPECT_THAT(refused({"g=mixtral-8x7b"}), HasSubstr("its groups are llama"));
  EXPECT_THAT(refused({"g=llama", "g=llama"}), HasSubstr("--match: 'g=llama' is there twice"));
  EXPECT_THAT(refused({""}), HasSubstr("--match: a value is empty"));
}

TEST_F(CompareVerb, ComparesTwoBoardsOfOneTable) {
  const std::string boards =
      table("boards", kBefore + "g,H100,1,700,650,90\ng,H100,1,500,490,80\ng,H100,1,400,395,70\n");
  const auto ran = compare({boards, boards, "--boards", "H100,H200", "-o", "json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto document = ran.document();
  EXPECT_EQ(document["groups"][0]["accelerator_a"], "H100");
  EXPECT_EQ(document["groups"][0]["accelerator_b"], "H200");
  EXPECT_NEAR(difference(document, "reference_throughput")["difference"], 100.0 / 90 - 1, 1e-12);
  EXPECT_EQ(compare({boards, boards, "--boards", "H100"}).status, 2);
  EXPECT_EQ(compare({boards, boards, "--boards", "H100,B200"}).status, 2);
  for (const char* bad : {"", "H100,", ",H100", "H100,H100", "H100,H200,B200"}) {
    EXPECT_EQ(compare({boards, boards, "--boards", bad}).status, 2) << bad;
  }
}

TEST_F(CompareVerb, RefusesATableBesideAModelAndFilesThatAreNotThere) {
  EXPECT_EQ(compare({kPhoenixSweep, "model.json"}).status, 2);
  EXPECT_EQ(compare({"nothing.json", "nothing.json"}).status, 1);
  EXPECT_EQ(compare({kPhoenixSweep, "nothing.csv"}).status, 1);
}

TEST_F(CompareVerb, ListsAGroupThatOneSideLeftOutWithItsReason) {
  const std::string head = "group,gpus,cap_w,power_w,throughput,aborted\n";
  const std::string fine = "ok,8,700,5000,100,0\nok,8,500,4000,90,0\nok,8,400,3200,80,0\n";
  const std::string rest = "bad,8,500,4000,90,0\nbad,8,400,3200,80,0\n";
  const std::string a = table("a", ""), b = table("b", "");
  std::ofstream(a) << head << fine << "bad,8,700,,,1\n" << rest;
  std::ofstream(b) << head << fine << "bad,8,700,5000,100,0\n" << rest;
  const auto document = compare({a, b, "--ci", "100", "-o", "json", "-q"}).document();
  ASSERT_EQ(document["groups"].size(), 2U);
  EXPECT_EQ(document["groups"][1]["reason"], "A: its uncapped run has no numbers");
  EXPECT_TRUE(document["only_in_b"].empty());
}

}  // namespace
}  // namespace wattflex::app
