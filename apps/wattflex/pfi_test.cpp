// `wattflex pfi` end to end. Expected numbers are worked out by hand from the tables in the tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Ran pfi(std::vector<std::string> arguments) {
  return run_verb("pfi", std::move(arguments));
}

class PfiVerb : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string table(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("pfi_verb_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

constexpr const char* kHeader = "group,accelerator,task,gpus,cap_w,power_w,throughput\n";
// Cuts 0.2 and 0.5, losses 0.1 and 0.4; the rows out of order.
const std::string kOneJob = std::string(kHeader) +
                            "job,H200,pretraining,2,400,800,90\n"
                            "job,H200,pretraining,2,500,1000,100\n"
                            "job,H200,pretraining,2,250,500,60\n";

TEST_F(PfiVerb, GivesEveryIndexOfAJob) {
  const json group = pfi({table("sweep.csv", kOneJob), "-o", "json"}).document()["groups"][0];
  EXPECT_EQ(group["table"], "sweep");
  EXPECT_EQ(group["group"], "job");
  EXPECT_EQ(group["accelerator"], "H200");
  EXPECT_EQ(group["task"], "pretraining");
  EXPECT_EQ(group["gpus"], 2);
  EXPECT_EQ(group["pedigree"], "measured");
  EXPECT_EQ(group["n_points"], 3);
  EXPECT_THAT(group["cap_grid_w"], ElementsAre(500, 400, 250));
  EXPECT_NEAR(group["pfi"], (0.2 / 0.1 + 0.5 / 0.4) / 2, 1e-12);
  EXPECT_NEAR(group["pfi_guarded"], (0.2 / 0.1 + 0.5 / 0.4) / 2, 1e-12);
  EXPECT_NEAR(group["pfi_pooled"], 0.7 / 0.5, 1e-12);
  EXPECT_NEAR(group["pfi_area"], 0.065, 1e-12);
  EXPECT_NEAR(group["pfi_elasticity"], 0.24361534474538704, 1e-12);  // numpy.polyfit, flexibility_test.cpp
  EXPECT_EQ(group["ci_source"], "run-to-run default");
  EXPECT_EQ(group["n_used"], 2);
  EXPECT_EQ(group["n_refused"], 0);
  EXPECT_TRUE(group["pfi_reason"].is_null());
}

TEST_F(PfiVerb, GivesEveryPointItsVerdictAndReason) {
  const json points = pfi({table("sweep.csv", kOneJob), "-o", "json"}).document()["groups"][0]["points"];
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0]["verdict"], "uncapped");
  EXPECT_TRUE(points[0]["power_cut"].is_null());
  EXPECT_EQ(points[1]["cap_w"], 400);
  EXPECT_EQ(points[1]["power_w"], 800);
  EXPECT_EQ(points[1]["throughput"], 90);
  EXPECT_NEAR(points[1]["power_cut"], 0.2, 1e-12);
  EXPECT_NEAR(points[1]["throughput_loss"], 0.1, 1e-12);
  EXPECT_NEAR(points[1]["ratio"], 2, 1e-12);
  EXPECT_EQ(points[1]["verdict"], "used");
  // 2 sigma: 0.8 * 2 sqrt(2) * 0.4 % = 0.91 %, 0.9 * 2 sqrt(2) * 0.5 % = 1.27 %.
  EXPECT_EQ(points[1]["reason"],
            "power cut 20.00 % (2 sigma 0.91 %), throughput loss 10.00 % (2 sigma 1.27 %)");
}

TEST_F(PfiVerb, BracketsEachIndexWithAnIntervalUnlessToldNotTo) {
  const std::string path = table("sweep.csv", kOneJob);
  const json with = pfi({path, "-o", "json"}).document()["groups"][0];
  const json without = pfi({path, "-o", "json", "--ci", "0"}).document()["groups"][0];
  for (const char* index : {"pfi", "pfi_guarded", "pfi_pooled"}) {
    const std::string key = std::string(index) + "_ci95";
    EXPECT_LT(with[key][0], with[index]);
    EXPECT_GT(with[key][1], with[index]);
    EXPECT_TRUE(without[key].is_null());
    EXPECT_EQ(without[index], with[index]);
  }
}

TEST_F(PfiVerb, NarrowsTheIntervalForCapsChangedInsideOneRun) {
  const std::string path = table("sweep.csv", kOneJob);
  const json apart = pfi({path, "-o", "json"}).document()["groups"][0];
  const json inside = pfi({path, "-o", "json", "--noise", "within-run"}).document()["groups"][0];
  EXPECT_EQ(inside["ci_source"], "within-run default");
  const auto width = [](const json& group) -> double {
    return double(group["pfi_ci95"][1]) - double(group["pfi_ci95"][0]);
  };
  EXPECT_NEAR(width(apart) / width(inside), 10, 1);
}

TEST_F(PfiVerb, RepeatsItselfForASeed) {
  const std::string path = table("sweep.csv", kOneJob);
  EXPECT_EQ(pfi({path, "-o", "json", "--seed", "7"}).out, pfi({path, "-o", "json", "--seed", "7"}).out);
  EXPECT_NE(pfi({path, "-o", "json", "--seed", "7"}).out, pfi({path, "-o", "json", "--seed", "8"}).out);
}

TEST_F(PfiVerb, KeepsGroupsOfOneNameApartByAcceleratorAndTable) {
  const std::string rows = "job,A100,training,1,400,400,100\njob,A100,training,1,200,200,80\n";
  const Ran ran = pfi({table("one.csv", kOneJob + rows), table("two.csv", kHeader + rows), "-o", "json"});
  const json groups = ran.document()["groups"];
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0]["accelerator"], "H200");
  EXPECT_EQ(groups[1]["accelerator"], "A100");
  EXPECT_EQ(groups[2]["table"], "two");
  EXPECT_EQ(groups[1]["pfi_ci95"], groups[2]["pfi_ci95"]);  // no group depends on its neighbours
}

// Case SWP-01.
TEST_F(PfiVerb, SaysNotEnforcedAndTooFewPoints) {
  const Ran ran = pfi({table("sweep.csv",
                             "group,gpus,cap_w,power_w,throughput,requested_w,enforced_w\n"
                             "job,1,140,138,50,140,140\njob,1,120,137,50,120,140\njob,1,100,99,38,100,100\n"),
                       "-o", "json"});
  EXPECT_EQ(ran.status, 0);
  const json group = ran.document()["groups"][0];
  EXPECT_EQ(group["points"][1]["verdict"], "not enforced");
  EXPECT_EQ(group["points"][1]["reason"], "120 W asked for, 140 W in force");
  EXPECT_EQ(group["n_used"], 1);
  EXPECT_EQ(group["n_refused"], 1);
  EXPECT_TRUE(group["pfi_guarded"].is_null());
  EXPECT_THAT(std::string(group["pfi_guarded_reason"]), HasSubstr("too few points"));
  EXPECT_THAT(ran.document()["warnings"].dump(), HasSubstr("too few points"));
  EXPECT_THAT(ran.err, HasSubstr("1 point left out, the first at 120 W"));
}

// Case SWP-03.
TEST_F(PfiVerb, SaysReferenceMissingAndNoNumber) {
  const std::string path = table("sweep.csv",
                                 "group,gpus,cap_w,power_w,throughput,limited_by\n"
                                 "job,1,700,640,1500,hw_thermal\njob,1,500,499,1300,sw_power_cap\n");
  const Ran ran = pfi({path, "-o", "json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.document()["status"], "no_data");
  const json group = ran.document()["groups"][0];
  for (const char* index : {"pfi", "pfi_guarded", "pfi_pooled", "pfi_area", "pfi_elasticity", "pfi_ci95"}) {
    EXPECT_TRUE(group[index].is_null()) << index;
  }
  EXPECT_THAT(std::string(group["pfi_reason"]), HasSubstr("reference missing"));
  EXPECT_EQ(group["points"][0]["verdict"], "thermal or other limiter");
  EXPECT_EQ(group["points"][1]["verdict"], "no reference");
  EXPECT_THAT(pfi({path}).out, HasSubstr("reference missing"));
}

// Case SWP-08: a 400 W card held at 240 W with the software cap flag up.
TEST_F(PfiVerb, FlagsACapThatBindsFarBelowItsValueAndUsesTheMeasuredWatts) {
  const Ran ran = pfi({table("sweep.csv",
                             "group,gpus,cap_w,power_w,throughput,limited_by\n"
                             "job,1,400,240,100,sw_power_cap\njob,1,350,210,92,sw_power_cap\n"
                             "job,1,300,180,80,sw_power_cap\n"),
                       "-o", "json"});
  EXPECT_NEAR(ran.document()["groups"][0]["points"][1]["power_cut"], 1 - 210.0 / 240, 1e-12);
  EXPECT_THAT(ran.err, HasSubstr("the 400 W cap binds at a draw of 60 %"));
}

TEST_F(PfiVerb, PrintsNothingWhenATableIsRefused) {
  const Ran ran =
      pfi({table("good.csv", kOneJob), table("bad.csv", kOneJob + "job,H200,training,2,oops,1,1\n")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_THAT(ran.err, HasSubstr("bad.csv"));
}

TEST_F(PfiVerb, PrintsOneCsvRowAGroupWithAllDefinitions) {
  const Ran ran = pfi({table("sweep.csv", kOneJob), "-o", "csv", "--ci", "0"});
  std::istringstream lines(ran.out);
  std::string header, row, end;
  std::getline(lines, header);
  std::getline(lines, row);
  EXPECT_FALSE(std::getline(lines, end));
  EXPECT_EQ(std::ranges::count(header, ','), std::ranges::count(row, ','));
  EXPECT_THAT(row, testing::StartsWith("sweep,job,H200,pretraining,2,measured,3,2,0,1.625"));
}

TEST_F(PfiVerb, ShowsTheDefinitionAskedFor) {
  const std::string path = table("sweep.csv", kOneJob);
  EXPECT_THAT(pfi({path}).out, HasSubstr("PFI guarded"));
  EXPECT_THAT(pfi({path}).out, HasSubstr("2 of 2"));
  EXPECT_THAT(pfi({path, "--definition", "area"}).out, HasSubstr("0.065"));
  EXPECT_THAT(pfi({path, "--definition", "area"}).out, Not(HasSubstr("PFI guarded")));
  EXPECT_THAT(pfi({path, "--definition", "elasticity"}).out, HasSubstr("0.244"));
  EXPECT_THAT(pfi({path, "--definition", "all"}).out, HasSubstr("PFI elasticity"));
}

TEST_F(PfiVerb, RefusesOptionsThatMeanNothing) {
  const std::string path = table("sweep.csv", kOneJob);
  EXPECT_EQ(pfi({path, "--definition", "median"}).status, 2);
  EXPECT_EQ(pfi({path, "--noise", "none"}).status, 2);
  EXPECT_EQ(pfi({path, "--ci", "-1"}).status, 2);
  EXPECT_EQ(pfi({path, "--ci", "1000001"}).status, 2);
  EXPECT_EQ(pfi({path, "--seed", "x"}).status, 2);
  EXPECT_EQ(pfi({}).status, 2);
}

TEST_F(PfiVerb, TakesAHundredResamplesOrMoreOrNone) {
  const std::string path = table("sweep.csv", kOneJob);
  EXPECT_EQ(pfi({path, "--ci", "1"}).status, 2);
  EXPECT_EQ(pfi({path, "--ci", "99"}).status, 2);
  EXPECT_THAT(pfi({path, "--ci", "99"}).err, HasSubstr("give 100 to 1000000, or 0 for none"));
  EXPECT_EQ(pfi({path, "--ci", "100"}).status, 0);
  EXPECT_EQ(pfi({path, "--ci", "0"}).status, 0);
}

TEST_F(PfiVerb, WarnsWhenPointsScatterMoreThanTheirErrorsAllow) {
  const std::string path = table("sweep.csv",
                                 "group,gpus,cap_w,power_w,throughput\n"
                                 "job,1,700,600,100\njob,1,600,550,85\njob,1,500,500,95\n"
                                 "job,1,400,450,80\njob,1,300,400,90\n");
  const json document = pfi({path, "-o", "json"}).document();
  EXPECT_THAT(document["warnings"].dump(), HasSubstr("times more about the power curve than their errors"));
  EXPECT_THAT(std::string(document["groups"][0]["ci_source"]), HasSubstr("widened"));
  EXPECT_THAT(pfi({table("smooth.csv", kOneJob)}).err, Not(HasSubstr("scatter")));
}

// Throughputs of 1e-12 and 1e24 are the farthest apart a table may have them.
TEST_F(PfiVerb, PrintsNoNumberThatIsNotFinite) {
  const std::string path = table("sweep.csv",
                                 "group,gpus,cap_w,power_w,throughput\n"
                                 "a,1,700,600,1e-12\na,1,500,480,1e24\na,1,300,290,1e24\n"
                                 "b,1,700,0.001,1e24\nb,1,500,9000,1e-12\nb,1,300,290,1\n");
  for (const char* format : {"table", "json", "csv"}) {
    const Ran ran = pfi({path, "-o", format});
    EXPECT_THAT(ran.out, Not(testing::ContainsRegex("(^|[^a-z])(inf|nan)"))) << format;
  }
}

TEST_F(PfiVerb, DocumentsEveryJsonFieldItPrints) {
  EXPECT_THAT(undocumented("pfi", pfi({table("sweep.csv", kOneJob), "-o", "json"}).document()),
              testing::IsEmpty());
}

TEST_F(PfiVerb, ListsGroupsWhoseUncappedRunHasNoNumbersAndIsOnlyPartlyDone) {
  const std::string path = table("sweep.csv",
                                 "group,gpus,cap_w,power_w,throughput,aborted\n"
                                 "ok,8,700,5000,100,0\nok,8,500,4000,90,0\nok,8,400,3200,80,0\n"
                                 "bad,8,700,,,1\nbad,8,500,4000,90,0\nbad,8,400,3200,80,0\n");
  const Ran ran = pfi({path, "-o", "json", "-q"});
  EXPECT_EQ(ran.status, 1);
  const json document = ran.document();
  EXPECT_EQ(document["status"], "partial");
  EXPECT_EQ(document["groups"].size(), 1U);
  ASSERT_EQ(document["left_out"].size(), 1U);
  EXPECT_EQ(document["left_out"][0]["group"], "bad");
  EXPECT_EQ(document["left_out"][0]["reason"], "its uncapped run has no numbers");
  EXPECT_THAT(pfi({path, "-q"}).out, HasSubstr("left out: sweep: group 'bad': its uncapped run has no"));
}

}  // namespace
}  // namespace wattflex::app
