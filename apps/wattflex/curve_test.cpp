// `wattflex curve` end to end, on the Phoenix example and, where it is present, on every real sweep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"
#include "tests/support/outside_data.h"

namespace wattflex::app {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

Ran curve(std::vector<std::string> arguments) {
  return run_verb("curve", std::move(arguments));
}

// A table on disk for as long as the test runs.
class TableFile {
 public:
  explicit TableFile(const std::string& text)
      : path_(std::filesystem::path(testing::TempDir()) /
              (testing::UnitTest::GetInstance()->current_test_info()->name() + std::string(".csv"))) {
    std::ofstream(path_) << text;
  }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;
  ~TableFile() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// "groups[].points[].cap_w" for every leaf.
TEST(CurveVerb, DocumentsEveryKeyItPrints) {
  EXPECT_THAT(undocumented("curve",
                           curve({kPhoenixSweep, "-o", "json", "--ci", "100", "--at", "10%,90%"}).document()),
              testing::IsEmpty());
}

TEST(CurveVerb, ListsGroupsThatReadingLeftOutAndIsOnlyPartlyDone) {
  const TableFile table(
      "group,gpus,cap_w,power_w,throughput,aborted\n"
      "ok,8,700,5000,100,0\nok,8,500,4000,90,0\nok,8,400,3200,80,0\n"
      "bad,8,700,,,1\nbad,8,500,4000,90,0\nbad,8,400,3200,80,0\n");
  const Ran ran = curve({table.path(), "-o", "json", "-q"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.document()["status"], "partial");
  EXPECT_EQ(ran.document()["left_out"][0]["group"], "bad");
  EXPECT_EQ(ran.document()["left_out"][0]["reason"], "its uncapped run has no numbers");
  EXPECT_THAT(curve({table.path(), "-q"}).out, HasSubstr("left out: "));
  // Who asked for the sound group alone has all of it; who asked for the other is told why there is none.
  const Ran sound = curve({table.path(), "--group", "ok", "-o", "json", "-q"});
  EXPECT_EQ(sound.status, 0);
  EXPECT_EQ(sound.document()["left_out"].size(), 0U);
  EXPECT_THAT(curve({table.path(), "--group", "bad"}).err, HasSubstr("its uncapped run has no numbers"));
}

TEST(CurveVerb, StatesTheAdviceOfASweepCalculatedByHand) {
  // 1 GPU; work per joule 100/600, 96/480 = 0.2 and 60/390: the 500 W cap, which saves 1 - (480/96)/6 = 16.67
  // % of 600 W x 24 h = 14.4 kWh, 2.4 kWh or 0.48 at 0.20 per kWh.
  const TableFile table(
      "group,gpus,cap_w,power_w,throughput\ng,1,700,600,100\ng,1,500,480,96\ng,1,400,390,60\n");
  const auto ran = curve({table.path(), "-o", "json", "--price", "0.20"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto group = ran.document()["groups"][0];
  const auto best = group["advice"][0];
  EXPECT_EQ(best["cap_w"], 500);
  EXPECT_NEAR(best["energy_saved"], 1.0 / 6, 1e-9);
  EXPECT_NEAR(best["kwh_saved_per_day"], 2.4, 1e-9);
  EXPECT_NEAR(best["money_saved_per_day"], 0.48, 1e-9);
  EXPECT_THAT(
      group["sentence"].get<std::string>(),
      testing::AllOf(HasSubstr("within 5 % loss: "), HasSubstr("; the most work per joule is at 500 W, ")));
  int advised = 0;
  for (const auto& advice : group["advice"]) advised += advice["advised"].get<bool>();
  EXPECT_EQ(advised, 1);
  EXPECT_EQ(group["advice"][2]["advised"], true);
  // Cut by 10 % the job draws 540 W, half way from 480 to 600; a watt less costs 4 / 120.
  const auto cut = group["cuts"][1];
  EXPECT_NEAR(cut["power_w"], 540, 1e-9);
  EXPECT_NEAR(cut["throughput_kept"], 0.98, 1e-9);
  EXPECT_NEAR(cut["marginal_per_w"], 4.0 / 120, 1e-9);
  EXPECT_NEAR(cut["elasticity"], 4.0 / 120 * 540 / 98, 1e-9);
}

TEST(CurveVerb, StatesNothingBeyondTheMeasuredRange) {
  const TableFile table("group,gpus,cap_w,power_w,throughput\ng,1,700,600,100\ng,1,500,480,96\n");
  const auto group = curve({table.path(), "-o", "json", "--at", "20%,21%"}).document()["groups"][0];
  EXPECT_NEAR(group["cuts"][0]["throughput_kept"], 0.96, 1e-9);
  EXPECT_TRUE(group["cuts"][1]["throughput_kept"].is_null());
}

// Cases SWP-01 and SWP-03.
TEST(CurveVerb, LeavesOutUnsoundPointsAndSaysSo) {
  const TableFile table(
      "group,gpus,cap_w,power_w,throughput,requested_w,enforced_w\n"
      "g,1,140,138,50,140,140\ng,1,120,138,50,120,140\ng,1,100,99,38,100,100\n");
  const auto group = curve({table.path(), "-o", "json"}).document()["groups"][0];
  EXPECT_EQ(group["curve"].size(), 2U);
  EXPECT_EQ(group["points"][1]["verdict"], "not enforced");
  EXPECT_TRUE(group["points"][1]["fitted"].is_null());
  const TableFile hot(
      "group,gpus,cap_w,power_w,throughput,limited_by\ng,1,700,640,90,hw_thermal\ng,1,500,499,80,power_"
      "cap\n");
  const auto refused = curve({hot.path(), "-o", "json"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.document()["status"], "no_data");
  EXPECT_THAT(refused.err, HasSubstr("reference missing"));
}

TEST(CurveVerb, ShowsOneGroupInFullAndNamesAnUnknownOne) {
  const auto one = curve({kPhoenixSweep, "--group", "pt_mpt_7b_fast", "--ci", "100"});
  EXPECT_EQ(one.status, 0);
  EXPECT_THAT(one.out, HasSubstr("Power curve at the measured caps"));
  EXPECT_THAT(one.out, HasSubstr("within 5 % loss *"));
  const auto none = curve({kPhoenixSweep, "--group", "nobody"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("no group 'nobody'"));
}

TEST(CurveVerb, NarrowsItsIntervalsForCapsChangedInsideOneRun) {
  const TableFile table(
      "group,gpus,cap_w,power_w,throughput\ng,1,700,600,100\ng,1,500,480,92\ng,1,400,390,82\n");
  const auto width = [&](const std::string& noise) {
    const auto document = curve({table.path(), "-o", "json", "--noise", noise}).document();
    const auto interval = document["groups"][0]["curve"][1]["throughput_kept_ci95"];
    return interval[1].get<double>() - interval[0].get<double>();
  };
  // 0.5 % against 0.05 % on throughput, 0.4 % against 0.04 % on draw.
  EXPECT_NEAR(width("within-run") / width("run-to-run"), 0.1, 0.005);
}

TEST(CurveVerb, RefusesOptionsThatMakeNoSense) {
  EXPECT_EQ(curve({kPhoenixSweep, "--noise", "none"}).status, 2);
  EXPECT_EQ(curve({kPhoenixSweep, "--at", "100%"}).status, 2);
  EXPECT_EQ(curve({kPhoenixSweep, "--price", "-1"}).status, 2);
  EXPECT_EQ(curve({kPhoenixSweep, "--price", "twelve"}).status, 2);
  EXPECT_EQ(curve({kPhoenixSweep, "--ci", "0"}).status, 2);
  EXPECT_EQ(curve({kPhoenixSweep, "--ci", "99"}).status, 2);
  EXPECT_EQ(curve({kPhoenixSweep, "--price", "1000000", "--ci", "100"}).status, 0);
  EXPECT_EQ(curve({kPhoenixSweep, "--price", "1000000.01"}).status, 2);
  EXPECT_EQ(curve({kPhoenixSweep, "--price", "inf"}).status, 2);
}

TEST(CurveVerb, EndsForTheLargestAndSmallestThroughputsATableMayHold) {
  const std::string header = "group,gpus,cap_w,power_w,throughput\n";
  for (const std::string& rows :
       {"g,1,700,600,1e24\ng,1,500,480,1e-12\ng,1,400,390,1e24\ng,1,300,290,1e-12\n"s,
        "g,1,700,600,1e-12\ng,1,500,480,1e24\ng,1,400,390,1e-12\ng,1,300,290,1\n"s,
        "g,1,700,10000,1e24\ng,1,500,0.001,1e-12\ng,1,400,390,1e24\n"s,
        "g,1,700,600,1e24\ng,1,500,480,1e-12\ng,1,300,290,1e23\n"s}) {
    const TableFile table(header + rows);
    const auto ran = curve({table.path(), "--group", "g", "--ci", "100"});
    EXPECT_TRUE(ran.status == 0 || ran.status == 1) << ran.err;
    EXPECT_THAT(ran.out, testing::Not(testing::ContainsRegex("(^|[^a-z])(inf|nan)"))) << rows;
  }
}

TEST(CurveVerb, PrintsOneCsvTableWithTheSameHeaderForEveryTable) {
  const auto csv = curve({kPhoenixSweep, "-o", "csv", "--ci", "100"}).out;
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "group,accelerator,gpus,class,pfi_guarded,power_w,advice,advised_cap_w,"
            "advised_loss_percent,advised_energy_saved_percent,advised_break_even_gpu_hour,best_cap_w,loss_"
            "percent,energy_saved_percent,"
            "break_even_gpu_hour,cap_within_2_percent_w,cap_within_5_percent_w,cap_within_10_percent_w");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 9);
}

void expect_sensible(const nlohmann::json& advice, double lowest_cap, double uncapped_cap) {
  EXPECT_GE(advice["cap_w"], lowest_cap);
  EXPECT_LE(advice["cap_w"], uncapped_cap);
  EXPECT_GE(advice["power_cut"], -1e-12);
  EXPECT_GE(advice["throughput_loss"], -1e-12);
  const auto& limit = advice["loss_limit"];
  EXPECT_TRUE(limit.is_null() || advice["throughput_loss"] <= limit.get<double>() + 1e-6);
  for (const char* quantity : {"power_cut", "throughput_loss", "energy_saved"}) {
    const auto interval = advice[std::string(quantity) + "_ci95"];
    EXPECT_LE(interval[0], advice[quantity]);
    EXPECT_GE(interval[1], advice[quantity]);
  }
  EXPECT_EQ(advice["saves"].get<bool>(), advice["energy_saved_ci95"][0] > 0);
}

TEST(CurveVerb, GivesSensibleAdviceForEveryRealSweep) {
  const auto tables = outside_sweeps();
  if (tables.empty()) return;
  int groups = 0;
  for (const std::string table : tables) {
    const auto ran = curve({table, "-o", "json", "--ci", "100"});
    ASSERT_EQ(ran.status, 0) << table << ran.err;
    const nlohmann::json document = ran.document();
    for (const auto& group : document["groups"]) {
      SCOPED_TRACE(table + ": " + group["group"].get<std::string>());
      ++groups;
      for (const auto& advice : group["advice"]) {
        expect_sensible(advice, group["curve"].back()["cap_w"], group["uncapped"]["cap_w"]);
      }
      if (group["advice"].empty()) continue;
      EXPECT_GE(group["advice"][0]["energy_saved"], 0);
      const bool advised = group["sentence"].get<std::string>().starts_with("Cap each GPU at");
      int marked = 0;
      for (const auto& advice : group["advice"]) {
        if (!advice["advised"]) continue;
        ++marked;
        EXPECT_TRUE(advice["saves"] && !advice["doubtful"] && !advice["loss_limit"].is_null());
      }
      EXPECT_EQ(marked, advised ? 1 : 0);
    }
  }
  EXPECT_EQ(groups, 169);
}

}  // namespace
}  // namespace wattflex::app
