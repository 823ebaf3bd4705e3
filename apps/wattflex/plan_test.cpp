// `wattflex plan` end to end, on the Phoenix example. The shares of throughput kept by the policies are
// those of docs/math/allocation.md (Phoenix); the optimum was enumerated by an independent script.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "apps/wattflex/plan_fixture.h"
#include "tests/support/outside_data.h"

namespace wattflex::app {
namespace {

double normalized(const std::string& policy, const std::string& cut) {
  return plan_phoenix({"--policy", policy, "--cut", cut, "--ci", "0"}).document()["total"]["normalized"];
}

TEST(Plan, ShowsRawSumsMarkedWhereNoUnitIsStated) {
  const Ran ran = plan({kTable, "--fleet", kFleet, "--cut", "25%", "--policy", "equal,oracle"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto document = plan_phoenix({"--cut", "25%", "--policy", "equal,oracle"}).document();
  for (const auto& each : document["plans"]) {
    double sum = 0;
    for (const auto& job : each["jobs"]) sum += job["throughput"].get<double>();
    EXPECT_NEAR(each["total"]["tokens"], sum, 1e-9 * sum);
    EXPECT_EQ(each["total"]["tokens_in_one_unit"], false);
    std::ostringstream shown;
    shown << std::fixed << std::setprecision(3) << sum << '?';
    EXPECT_NE(ran.out.find(shown.str()), std::string::npos) << ran.out << shown.str();
  }
  EXPECT_NE(ran.out.find("?  raw sum of throughput; the table does not state"), std::string::npos) << ran.out;
}

TEST(Plan, DoesNotMarkTheRawSumOfOneGroup) {
  const TestFile table("group,gpus,cap_w,power_w,throughput\ng,1,700,600,1000\ng,1,400,390,820\n");
  const Ran ran = plan({table.path(), "--cut", "10%"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out.find('?'), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1 job, 1 GPU, "), std::string::npos) << ran.out;
  EXPECT_EQ(plan({table.path(), "--cut", "10%", "-o", "json"}).document()["total"]["tokens_in_one_unit"],
            true);
}

TEST(Plan, NamesTheFleetFileRowAndColumnOfAnUnknownGroup) {
  const TestFile fleet("job,group,gpus\na,nowhere,8\n");
  const Ran ran = plan({kTable, "--fleet", fleet.path(), "--cut", "10%"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find(fleet.path() + ", row 2, column group: table sweep has no group 'nowhere'"),
            std::string::npos)
      << ran.err;
}

struct Reference {
  std::string cut;
  double equal;
  double pfi;
  double pfi_scaled;
  double stated_optimum;
  double optimum;
};

class PhoenixReference : public ::testing::TestWithParam<Reference> {};

TEST_P(PhoenixReference, SharesOfThroughputKeptComeOut) {
  const Reference& reference = GetParam();
  EXPECT_NEAR(normalized("equal", reference.cut), reference.equal, 5e-6);
  EXPECT_NEAR(normalized("pfi", reference.cut), reference.pfi, 5e-6);
  EXPECT_NEAR(normalized("pfi-scaled", reference.cut), reference.pfi_scaled, 5e-6);
  const double optimum = normalized("oracle", reference.cut);
  EXPECT_NEAR(optimum, reference.optimum, 1e-6);
  // The stated optimum was found in steps of a few watts: never above the true one, and close below it.
  EXPECT_GE(optimum, reference.stated_optimum - 5e-6);
  EXPECT_LE(optimum, reference.stated_optimum + 3e-5);
}

INSTANTIATE_TEST_SUITE_P(Cuts, PhoenixReference,
                         ::testing::Values(Reference{"10%", .95804, .96059, .95993, .96818, .968203},
                                           Reference{"20%", .91645, .91489, .91468, .92297, .922982},
                                           Reference{"25%", .89314, .88883, .88933, .89779, .897809},
                                           Reference{"30%", .86536, .85613, .86196, .87006, .870066}),
                         [](const auto& instance) {
                           return "Cut" + instance.param.cut.substr(0, instance.param.cut.size() - 1);
                         });

TEST(Plan, CutsTheDrawByWhatWasAskedAndNeverMoreThanTheCapsAllow) {
  for (const std::string policy : {"equal", "moe-ft", "pfi", "pfi-scaled", "oracle"}) {
    const auto total = plan_phoenix({"--policy", policy, "--cut", "25%"}).document()["total"];
    // 94,843.8149 W is the sum of the fleet's six uncapped draws in the published sweep.
    EXPECT_NEAR(total["uncapped_power_w"].get<double>(), 94843.8149, 0.01);
    EXPECT_NEAR(total["power_w"].get<double>(), 0.75 * 94843.8149, 0.01) << policy;
    EXPECT_LE(total["power_at_caps_w"].get<double>(), total["budget_w"].get<double>()) << policy;
    EXPECT_NEAR(total["cut"].get<double>(), 0.25, 1e-9) << policy;
    EXPECT_EQ(total["status"], "met");
  }
}

TEST(Plan, GivesWholeWattCapsThatSumBelowTheBudget) {
  const auto document = plan_phoenix({"--policy", "oracle", "--cut", "30%"}).document();
  double draw = 0;
  for (const auto& job : document["jobs"]) {
    const double cap = job["cap_w"];
    EXPECT_EQ(cap, std::floor(cap));
    EXPECT_LE(job["power_at_cap_w"].get<double>(), job["power_w"].get<double>() + 1e-9);
    draw += job["power_at_cap_w"].get<double>();
  }
  EXPECT_LE(draw, document["total"]["budget_w"].get<double>());
  // One watt less on every GPU is the most that rounding can cost.
  EXPECT_GE(draw, document["total"]["budget_w"].get<double>() - 256);
}

TEST(Plan, SaysPlainlyWhenAPolicyDoesWorseThanEqualSharing) {
  EXPECT_FALSE(plan_phoenix({"--policy", "pfi", "--cut", "10%"}).document()["total"]["worse_than_equal"]);
  EXPECT_TRUE(plan_phoenix({"--policy", "pfi", "--cut", "20%"}).document()["total"]["worse_than_equal"]);
  const Ran shown = plan({kTable, "--fleet", kFleet, "--cut", "20%", "--policy", "pfi"});
  EXPECT_NE(shown.out.find("On the measured curves pfi keeps less than equal sharing."), std::string::npos)
      << shown.out;
}

TEST(Plan, NamesGroupsItCannotCountAndIsOnlyPartlyDone) {
  const TestFile table(
      "group,accelerator,gpus,cap_w,power_w,throughput,limited_by\n"
      "a,H100,1,700,600,1000,\na,H100,1,400,390,820,\n"
      "b,H100,1,700,600,1000,hw_thermal\nb,H100,1,400,390,820,\n");
  const Ran ran = plan({table.path(), "--cut", "10%", "-o", "json"});
  EXPECT_EQ(ran.status, 1);
  const auto document = ran.document();
  EXPECT_EQ(document["status"], "no_data");
  EXPECT_EQ(document["left_out"].size(), 1U);
  EXPECT_EQ(document["left_out"][0]["group"], "b");
  EXPECT_EQ(document["jobs"].size(), 1U);
  EXPECT_NE(ran.err.find("group 'b'"), std::string::npos) << ran.err;
}

TEST(Plan, NamesGroupsWhoseUncappedRunHasNoNumbers) {
  const TestFile table(
      "group,gpus,cap_w,power_w,throughput,aborted\n"
      "ok,8,700,5000,100,0\nok,8,500,4000,90,0\nok,8,400,3200,80,0\n"
      "bad,8,700,,,1\nbad,8,500,4000,90,0\nbad,8,400,3200,80,0\n");
  const Ran ran = plan({table.path(), "--cut", "10%", "-o", "json", "-q"});
  EXPECT_EQ(ran.status, 1);
  const auto document = ran.document();
  EXPECT_EQ(document["status"], "no_data");
  ASSERT_EQ(document["left_out"].size(), 1U);
  EXPECT_EQ(document["left_out"][0]["group"], "bad");
  EXPECT_EQ(document["jobs"].size(), 1U);
}

TEST(Plan, WarnsWhereALowerCapDrewMoreThanUncapped) {
  const TestFile table(
      "group,gpus,cap_w,power_w,throughput\na,1,700,600,1000\na,1,600,630,990\n"
      "a,1,400,390,820\n");
  const Ran ran = plan({table.path(), "--cut", "10%"});
  EXPECT_NE(ran.err.find("group 'a': drew 5.0 % more at its 600 W cap than uncapped"), std::string::npos)
      << ran.err;
}

TEST(Plan, DoesNotWeighByCountersThatStopped) {
  const TestFile table(
      "group,gpus,cap_w,power_w,throughput,dram_active,mem_copy_util\n"
      "a,1,700,600,1000,0,0.4\na,1,400,390,820,0.2,0.3\n");
  const Ran ran = plan({table.path(), "--cut", "10%", "--policy", "dram"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("read exactly 0"), std::string::npos) << ran.err;
}

TEST(Plan, TellsNamesakesOnTwoAcceleratorsApart) {
  const TestFile table(
      "group,accelerator,gpus,cap_w,power_w,throughput\n"
      "a,H100,1,700,600,1000\na,H100,1,400,390,820\n"
      "a,H200,1,700,600,1000\na,H200,1,400,390,850\n");
  const Ran ran = plan({table.path(), "--cut", "10%"});
  EXPECT_NE(ran.out.find("a on H100"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("a on H200"), std::string::npos) << ran.out;
}

TEST(Plan, ItsTablesFitAPage) {
  for (const char* const policies : {"equal,oracle", "equal,pfi,pfi-scaled,oracle", "all"}) {
    const Ran ran = plan({kTable, "--fleet", kFleet, "--cut", "25%", "--policy", policies});
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
      const bool in_table = line.find("  ") != std::string::npos && !line.starts_with('!');
      EXPECT_TRUE(!in_table || line.size() <= 100) << line;
    }
  }
}

TEST(Plan, KeepsEveryPromiseWithTierFloors) {
  const std::vector<std::pair<std::string, double>> promises = {
      {"Flex 1", .90}, {"Flex 2", .75}, {"Flex 3", .50}};
  for (const std::string policy : {"equal", "pfi", "pfi-scaled", "oracle"}) {
    const auto document = plan_phoenix({"--policy", policy, "--cut", "40%", "--floor", "tier"}).document();
    EXPECT_EQ(document["total"]["status"], "met");
    for (const auto& job : document["jobs"]) {
      EXPECT_TRUE(job["promise_kept"]);
      for (const auto& [tier, kept] : promises) {
        if (job["tier"] != tier) continue;
        EXPECT_GE(job["throughput_kept_at_cap"].get<double>(), kept - 1e-9) << policy;
      }
    }
  }
}

TEST(Plan, FlagsBrokenPromisesWhenFloorsAreOff) {
  const auto document = plan_phoenix({"--policy", "oracle", "--cut", "25%"}).document();
  for (const auto& job : document["jobs"]) {
    EXPECT_EQ(job["promise_kept"].get<bool>(), job["job"] != "inference-b") << job;
  }
}

TEST(Plan, AnInfeasibleCutIsAResultOfItsOwnWithTheShortfall) {
  const Ran ran = plan_phoenix({"--policy", "equal", "--cut", "90%"});
  EXPECT_EQ(ran.status, 1);
  const auto total = ran.document()["total"];
  EXPECT_EQ(ran.document()["status"], "infeasible");
  EXPECT_NE(ran.document()["error"]["message"].get<std::string>().find(
                "The largest cut they can give is 73.13 % (69.3 kW)"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.err.find("The largest cut they can give is 73.13 % (69.3 kW)"), std::string::npos) << ran.err;
  EXPECT_EQ(total["status"], "infeasible");
  // The six lowest draws: 3203.7018 + 3134 + 2 * 4701 + 4939.6002 + 4798.8924 = 25478.1944 W; 10 % of the
  // uncapped draw is 9484.3815 W.
  EXPECT_NEAR(total["shortfall_w"].get<double>(), 25478.1944 - 9484.3815, 0.01);
}

TEST(Plan, TakesACutInWattsAsWell) {
  EXPECT_NEAR(plan_phoenix({"--policy", "equal", "--cut", "9.48438149kW"})
                  .document()["total"]["normalized"]
                  .get<double>(),
              .95804, 5e-6);
}

TEST(Plan, TreatsEveryGroupAsOneJobWithoutAFleet) {
  const auto document = plan({kTable, "--cut", "10%", "-o", "json"}).document();
  EXPECT_EQ(document["jobs"].size(), 8U);
  EXPECT_EQ(document["policy"], "oracle");
  EXPECT_EQ(document["jobs"][0]["tier"], "none");
  EXPECT_TRUE(document["jobs"][0]["promise_kept"].is_null());
}

TEST(Plan, ComparesPoliciesAndListsThoseTheTableCannotServe) {
  const auto document = plan_phoenix({"--policy", "all", "--cut", "25%"}).document();
  ASSERT_EQ(document["plans"].size(), 6U);
  EXPECT_EQ(document["plans"][4]["policy"], "dram");
  EXPECT_EQ(document["plans"][4]["total"]["status"], "refused");
  const std::string message = document["plans"][4]["error"]["message"];
  EXPECT_NE(message.find("dram_active"), std::string::npos) << message;
}

TEST(Plan, RefusesAPolicyByNameWhenItsColumnIsMissing) {
  const Ran ran = plan_phoenix({"--policy", "dram", "--cut", "25%"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.document()["status"], "refused");
}

TEST(Plan, ProvesItsOptimumOnEveryRealSweepTable) {
  const auto tables = outside_sweeps();
  for (const std::string path : tables) {
    // Most single-GPU sweeps cannot give more; a deeper cut would be infeasible.
    const auto document =
        plan({path, "--cut", "8%", "--policy", "all", "--ci", "0", "-o", "json"}).document();
    const auto& oracle = document["plans"].back()["total"];
    ASSERT_EQ(oracle["status"], "met") << path;
    EXPECT_LE(oracle["objective_bound"].get<double>() - oracle["objective"].get<double>(), 1e-6) << path;
    for (const auto& other : document["plans"]) {
      if (other["total"]["status"] == "refused") continue;
      EXPECT_LE(other["total"]["objective"].get<double>(), oracle["objective_bound"].get<double>() + 1e-9)
          << path;
    }
  }
}

using Rows = std::map<double, double>;  // cap, draw

// Per group, read without the program's own reader.
std::map<std::string, Rows> rows_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::map<std::string, Rows> rows;
  while (std::getline(file, line)) {
    // group,accelerator,task,gpus,cap_w,power_w,...; a quoted group may hold commas.
    const std::size_t quote = line.starts_with('"') ? line.find('"', 1) : 0;
    const std::string group = quote > 0 ? line.substr(1, quote - 1) : line.substr(0, line.find(','));
    std::stringstream rest(line.substr(line.find(',', quote) + 1));
    std::vector<std::string> cells;
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
    rows[group + "|" + cells[0]][std::stod(cells[3])] = std::stod(cells[4]);
  }
  return rows;
}

// On the straight line between the two rows around the cap.
double draw_between(const Rows& rows, double cap) {
  const auto above = rows.lower_bound(cap);
  if (above == rows.end()) return rows.rbegin()->second;
  if (above->first == cap || above == rows.begin()) return above->second;
  const auto below = std::prev(above);
  const double share = (cap - below->first) / (above->first - below->first);
  return below->second + share * (above->second - below->second);
}

TEST(Plan, CapsStayWithinTheBudgetByTheRowsOfEveryRealSweep) {
  const auto tables = outside_sweeps();
  if (tables.empty()) return;
  int met = 0;
  for (const std::string path : tables) {
    const auto rows = rows_of(path);
    for (const char* cut : {"1%", "5%", "15%", "30%"}) {
      const auto document =
          plan({path, "--cut", cut, "--policy", "all", "--ci", "0", "-o", "json"}).document();
      for (const auto& one : document["plans"]) {
        if (one["total"]["status"] != "met") continue;
        double draw = 0;
        for (const auto& job : one["jobs"]) {
          const std::string key =
              job["group"].get<std::string>() + "|" + job["accelerator"].get<std::string>();
          draw += draw_between(rows.at(key), job["cap_w"]);
        }
        EXPECT_LE(draw, one["total"]["budget_w"].get<double>() * (1 + 1e-9))
            << path << " " << cut << one["policy"];
        ++met;
      }
    }
  }
  EXPECT_GT(met, 100);
}

TEST(Plan, ProvesItsOptimumForAThousandJobs) {
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "wattflex-thousand-jobs.csv";
  {
    std::ofstream fleet(path);
    fleet << "job,group,gpus,value\n";
    const std::vector<std::string> groups = {"ft_llama_8b_p3", "infer_llama_8b_48g", "pt_mpt_13b_sm",
                                             "pt_mpt_7b_fast"};
    // Unlike sizes and values: hardly two jobs are the same to the solver.
    for (int j = 0; j < 1000; ++j) {
      fleet << "j" << j << ',' << groups[j % 4] << ',' << 8 * (1 + j % 7) << ',' << 1 + (j * 37 % 101) / 25.0
            << '\n';
    }
  }
  const auto total =
      plan({kTable, "--fleet", path.string(), "--cut", "25%", "--ci", "0", "-o", "json"}).document()["total"];
  EXPECT_LE(total["objective_bound"].get<double>() - total["objective"].get<double>(), 1e-6);
  EXPECT_GT(total["objective"].get<double>(), total["objective_equal"].get<double>());
  std::filesystem::remove(path);
}

TEST(Plan, PrintsJobsAsCsv) {
  const Ran ran = plan({kTable, "--fleet", kFleet, "--cut", "25%", "--policy", "equal,oracle", "-o", "csv"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(std::ranges::count(ran.out, '\n'), 1 + 2 * 6);
  EXPECT_TRUE(
      ran.out.starts_with("policy,job,group,accelerator,gpus,tier,value,uncapped_power_w,power_w,cap_w,"))
      << ran.out;
}

TEST(Plan, RefusesNonsenseAsAUsageError) {
  EXPECT_EQ(plan_phoenix({"--cut", "25%", "--policy", "fair"}).status, 2);
  EXPECT_EQ(plan_phoenix({"--cut", "25"}).status, 2);
  EXPECT_EQ(plan_phoenix({"--cut", "120%"}).status, 2);
  EXPECT_EQ(plan_phoenix({"--cut", "25%", "--objective", "fun"}).status, 2);
  EXPECT_EQ(plan_phoenix({"--cut", "25%", "--floor", "oak"}).status, 2);
  EXPECT_EQ(plan({kTable, "--cut", "25%", "--floor", "tier"}).status, 2);
  EXPECT_EQ(plan_phoenix({}).status, 2);
}

// What is typed in from the table must keep the budget: the lowest cap is 400.7 W, not 401.
TEST(Plan, NeverShowsACapRoundedUp) {
  const TestFile table("group,gpus,cap_w,power_w,throughput\na,1,700.6,600,1000\na,1,400.7,390,820\n");
  EXPECT_NE(plan({table.path(), "--cut", "35%"}).out.find(" 400.7 "), std::string::npos);
  EXPECT_NE(plan({table.path(), "--cut", "0%"}).out.find(" 700.6 "), std::string::npos);
}

// Of 600 W uncapped at least 391.7 W stay, so 34.7166 % can go: not 34.72.
TEST(Plan, NamesALargestCutThatCanBeGiven) {
  const TestFile table("group,gpus,cap_w,power_w,throughput\na,1,700,600,1000\na,1,400,391.7,820\n");
  const Ran ran = plan({table.path(), "--cut", "50%"});
  EXPECT_NE(ran.out.find("The largest cut they can give is 34.71 % (208.3 W)"), std::string::npos) << ran.out;
  EXPECT_EQ(plan({table.path(), "--cut", "34.71%"}).status, 0);
  EXPECT_EQ(plan({table.path(), "--cut", "208.3W"}).status, 0);
}

TEST(Plan, NamesTheOptionOfACutThatIsTooLarge) {
  const Ran ran = plan_phoenix({"--cut", "200kW"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("--cut: 200kW is more than the jobs draw uncapped, 94843.8 W"), std::string::npos)
      << ran.err;
}

TEST(Plan, NeverReachesMoreThanItsBound) {
  for (const char* const cut : {"0%", "3%", "10%", "25%", "40%"}) {
    const auto total = plan_phoenix({"--cut", cut, "--ci", "0"}).document()["total"];
    EXPECT_LE(total["objective"].get<double>(), total["objective_bound"].get<double>()) << cut;
  }
}

// 94843.8149 W uncapped less the six lowest draws, 25478.1944 W, is 69365.62 W.
TEST(Plan, MeetsTheLargestCutAndNotAWattMore) {
  for (const std::string policy : {"equal", "oracle"}) {
    const auto met = plan_phoenix({"--policy", policy, "--cut", "69.365kW", "--ci", "0"}).document();
    EXPECT_EQ(met["total"]["status"], "met") << policy;
    const auto above = plan_phoenix({"--policy", policy, "--cut", "69.366kW", "--ci", "0"}).document();
    EXPECT_EQ(above["total"]["status"], "infeasible") << policy;
  }
}

// Two alike jobs share a cut equally. Flex 1 keeps 90 %, which takes 483.3 of the 600 W: a cut of 19.4 %.
// Lower than 390 W, a cut of 35 %, none goes.
TEST(Plan, CountsBrokenPromisesInTheStatus) {
  const std::filesystem::path folder = ::testing::TempDir();
  const std::string table = folder / "wattflex_promises.csv";
  const std::string fleet = folder / "wattflex_promises_fleet.csv";
  std::ofstream(table) << "group,gpus,cap_w,power_w,throughput\na,1,700,600,1000\na,1,400,390,820\n";
  const auto status = [&](const std::string& other_tier, const std::string& cut) {
    std::ofstream(fleet) << "job,group,gpus,tier,value\nx,a,1,Flex 1,1\ny,a,1," << other_tier << ",1\n";
    const std::string text = plan({table, "--fleet", fleet, "--cut", cut, "--policy", "equal"}).out;
    const auto row = text.find("\nequal ");
    return row == std::string::npos ? text : text.substr(row + 1, text.find('\n', row + 1) - row - 1);
  };
  EXPECT_TRUE(status("Flex 3", "19%").ends_with("  met")) << status("Flex 3", "19%");
  EXPECT_TRUE(status("Flex 3", "20%").ends_with("  met, 1 promise broken")) << status("Flex 3", "20%");
  EXPECT_TRUE(status("Flex 1", "20%").ends_with("  met, 2 promises broken")) << status("Flex 1", "20%");
  EXPECT_EQ(status("Flex 1", "36%").find("broken"), std::string::npos) << status("Flex 1", "36%");
  std::filesystem::remove(table);
  std::filesystem::remove(fleet);
}

}  // namespace
}  // namespace wattflex::app
