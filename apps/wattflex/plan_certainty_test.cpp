// What `wattflex plan` says of its own promise: expectations, intervals, and what cannot be told apart.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "apps/wattflex/plan_fixture.h"

namespace wattflex::app {
namespace {

double total_of(const Ran& ran, const std::string& key, int end) {
  return ran.document()["total"][key][end];
}

// Against a program of its own that draws and plans with other random numbers; 500 resamples there.
TEST(PlanCertaintyShown, SaysWhatToExpectOfThePromise) {
  const Ran optimum = plan_phoenix({"--policy", "oracle", "--cut", "25%"});
  EXPECT_NEAR(total_of(optimum, "kept_ci95", 0), .8852, .0015);
  EXPECT_NEAR(total_of(optimum, "kept_ci95", 1), .9010, .0025);
  EXPECT_NEAR(optimum.document()["total"]["kept_expected"].get<double>(), .8939, .001);
  EXPECT_NEAR(optimum.document()["total"]["gain_expected"].get<double>(), .0008, .001);
  const Ran literal = plan_phoenix({"--policy", "pfi", "--cut", "30%"});
  EXPECT_NEAR(total_of(literal, "gain_ci95", 0), -.0136, .0015);
  EXPECT_NEAR(total_of(literal, "gain_ci95", 1), -.0042, .0015);
}

TEST(PlanCertaintyShown, TellsGainsFromNoise) {
  const Ran open = plan({kTable, "--fleet", kFleet, "--cut", "25%", "--policy", "equal,pfi,oracle"});
  EXPECT_NE(open.out.find("Not told apart from equal sharing by these measurements: pfi and oracle."),
            std::string::npos)
      << open.out;
  const Ran worse = plan({kTable, "--fleet", kFleet, "--cut", "30%", "--policy", "pfi"});
  EXPECT_NE(worse.out.find("Worse than equal sharing: pfi; share equally instead."), std::string::npos)
      << worse.out;
  // One job loses in proportion, the other hardly anything, both measured to 0.01 %.
  const TestFile table(
      "group,gpus,cap_w,power_w,throughput,power_stderr,throughput_stderr\n"
      "a,1,700,600,1000,0.06,0.1\na,1,500,450,750,0.06,0.1\na,1,300,300,500,0.06,0.1\n"
      "b,1,700,600,1000,0.06,0.1\nb,1,500,450,990,0.06,0.1\nb,1,300,300,950,0.06,0.1\n");
  const Ran better = plan({table.path(), "--cut", "20%", "--policy", "oracle"});
  EXPECT_NE(better.out.find("Better than equal sharing: oracle."), std::string::npos) << better.out;
}

TEST(PlanCertaintyShown, SaysNothingOfGainsWhereAPolicyDividesAsEqualSharingDoes) {
  const TestFile table("group,gpus,cap_w,power_w,throughput\ng,1,700,600,1000\ng,1,400,390,820\n");
  const Ran ran = plan({table.path(), "--cut", "10%", "--policy", "equal,oracle"});
  EXPECT_EQ(ran.out.find("told apart"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("same"), std::string::npos) << ran.out;
}

TEST(PlanCertaintyShown, SaysWhyItHasNoIntervals) {
  // 73.1366 % is the deepest cut; on hardly any resample of the sweep exactly as deep a one.
  const Ran ran = plan({kTable, "--fleet", kFleet, "--cut", "73.1366%", "--policy", "equal"});
  EXPECT_NE(ran.out.find("No intervals: only "), std::string::npos) << ran.out;
}

// One quantity a row: of the raw sum all shares are, when that is the objective.
TEST(PlanCertaintyShown, ShowsTheSharesOfItsObjective) {
  // Uncapped 1000 and 10: the sum is nearly all of a's. A third cut off a keeps 900 of its 1000.
  const TestFile table(
      "group,gpus,cap_w,power_w,throughput\na,1,600,600,1000\na,1,400,400,900\n"
      "b,1,600,600,10\nb,1,400,400,5\n");
  const auto total = plan({table.path(), "--cut", "33.333333333333333%", "--objective", "tokens", "--policy",
                           "equal", "-o", "json"})
                         .document()["total"];
  EXPECT_NEAR(total["kept"].get<double>(), 905.0 / 1010, 1e-6);
  const Ran ran =
      plan({table.path(), "--cut", "33.333333333333333%", "--objective", "tokens", "--policy", "equal"});
  EXPECT_NE(ran.out.find("tokens kept %"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("89.60 "), std::string::npos) << ran.out;
}

TEST(PlanCertaintyShown, GivesNoIntervalsUnasked) {
  const auto total = plan_phoenix({"--policy", "oracle", "--cut", "25%", "--ci", "0"}).document()["total"];
  EXPECT_TRUE(total["kept_ci95"].is_null());
  EXPECT_EQ(total["certainty_reason"], "not asked for");
}

TEST(PlanCertaintyShown, WarnsOfScatterThatItsIntervalsAreWidenedBy) {
  const Ran ran = plan_phoenix({"--policy", "oracle", "--cut", "25%"});
  EXPECT_NE(ran.err.find("group 'pt_mpt_13b_sm' on 400 W GPU: points scatter "), std::string::npos)
      << ran.err;
}

}  // namespace
}  // namespace wattflex::app
