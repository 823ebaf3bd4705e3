// `wattflex analyze` end to end, on the cohort of src/elasticity/test_cohort.h and on real sweeps. Expected
// numbers are the paper's and scipy's (src/elasticity/class_comparison_test.cpp, signal_test.cpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/wattflex/test_run.h"
#include "elasticity/test_cohort.h"
#include "ingest/sweep_table_writer.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Ran analyze(std::vector<std::string> arguments) {
  return run_verb("analyze", std::move(arguments));
}

class AnalyzeVerb : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& text) const {
    const std::filesystem::path path = folder_ / "cohort.csv";
    std::ofstream(path) << text;
    return path;
  }
  std::string cohort() const { return file(write_sweep_table(elasticity::cohort_table())); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("analyze_verb_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(AnalyzeVerb, GivesThePublishedClassTests) {
  const Ran ran = analyze({cohort(), "-o", "json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json analysis = ran.document()["analyses"][0];
  EXPECT_EQ(analysis["accelerator"], "H200");
  EXPECT_EQ(analysis["pedigree"], "simulated");
  EXPECT_EQ(analysis["n_used"], 25);
  const json& classes = analysis["classes"];
  EXPECT_NEAR(classes["kruskal_wallis"]["h"], 12.485, 0.0005);
  EXPECT_NEAR(classes["kruskal_wallis"]["p"], 0.001945, 5e-7);
  EXPECT_EQ(classes["classes"][1]["class"], "moe fine-tuning");
  EXPECT_NEAR(classes["classes"][1]["median"], 2.10, 1e-9);
  EXPECT_NEAR(classes["dunn"][0]["z"], -3.451, 0.0005);  // dense, MoE fine-tuning
  EXPECT_NEAR(classes["dunn"][1]["z"], -1.668, 0.0005);  // dense, MoE pretraining
  EXPECT_NEAR(classes["dunn"][2]["z"], 1.890, 0.0005);   // MoE fine-tuning, MoE pretraining
}

TEST_F(AnalyzeVerb, CorrelatesTelemetryAndTestsItsRobustness) {
  const json analysis = analyze({cohort(), "-o", "json", "--drops", "2"}).document()["analyses"][0];
  EXPECT_EQ(analysis["correlations"]["metrics"].size(), 5);
  const json drops = analysis["leverage_drop"]["steps"];
  ASSERT_EQ(drops.size(), 3);
  EXPECT_NEAR(drops[0]["rho"], 0.476428788249, 1e-9);
  EXPECT_NEAR(drops[2]["rho"], 0.329295517018, 1e-9);
  EXPECT_EQ(drops[1]["dropped"], "group 18");
  const json subgroups = analysis["subgroups"]["rows"];
  EXPECT_EQ(subgroups[0]["subgroup"], "dense");
  EXPECT_NEAR(subgroups[0]["rho"], -0.189427772293, 1e-9);
}

TEST_F(AnalyzeVerb, NamesWhatARealSweepDoesNotAllow) {
  const Ran ran = analyze({kPhoenixSweep, "-o", "json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json analysis = ran.document()["analyses"][0];
  EXPECT_EQ(analysis["correlations"]["status"], "not_available");
  EXPECT_EQ(analysis["correlations"]["reason"], "the table has no telemetry columns");
  EXPECT_EQ(analysis["classes"]["by"], "task");  // all are dense
  EXPECT_EQ(analysis["grid"]["reason"], "no --grid was given");
  EXPECT_EQ(analysis["sub_grids"]["sizes"].size(), 3);
  EXPECT_THAT(analyze({kPhoenixSweep, "--by", "arch"}).out,
              HasSubstr("not available: all groups are of one class, dense"));
}

TEST_F(AnalyzeVerb, ComparesASubGridWithTheFullOne) {
  const json grid =
      analyze({kPhoenixSweep, "-o", "json", "--grid", "400,300W,200"}).document()["analyses"][0]["grid"];
  EXPECT_EQ(grid["status"], "done");
  EXPECT_EQ(grid["n"], 8);
  EXPECT_EQ(
      analyze({kPhoenixSweep, "-o", "json", "--grid", "400,299"}).document()["analyses"][0]["grid"]["status"],
      "not_available");
  EXPECT_THAT(analyze({kPhoenixSweep, "-o", "csv", "--grid", "400,300,200"}).out,
              HasSubstr(",grid,400 300 200,8,rho,"));
}

TEST_F(AnalyzeVerb, SaysInEveryFormatWhyASubGridIsNotAvailable) {
  const json grid =
      analyze({kPhoenixSweep, "-o", "json", "--grid", "400,299"}).document()["analyses"][0]["grid"];
  const auto reason = grid["reason"].get<std::string>();
  ASSERT_NE(reason, "");
  EXPECT_THAT(analyze({kPhoenixSweep, "--grid", "400,299"}).out,
              HasSubstr("What would these caps have said?: not available: " + reason));
  EXPECT_THAT(analyze({kPhoenixSweep, "-o", "csv", "--grid", "400,299"}).out, HasSubstr(",grid,,,,,,,"));
  EXPECT_THAT(analyze({kPhoenixSweep, "-o", "csv", "--grid", "400,299"}).out,
              HasSubstr(reason.substr(0, 20)));
  // Without the option nobody asked.
  EXPECT_THAT(analyze({kPhoenixSweep}).out, testing::Not(HasSubstr("these caps")));
  EXPECT_THAT(analyze({kPhoenixSweep, "-o", "csv"}).out, testing::Not(HasSubstr(",grid,")));
}

TEST_F(AnalyzeVerb, RefusesListsOfCapsThatAreNone) {
  for (const char* caps : {"400,x", "", "400,", "400,,300", "400,400", "400,400W", "400,0", "400,1e400"}) {
    const Ran ran = analyze({kPhoenixSweep, "--grid", caps});
    EXPECT_EQ(ran.status, 2) << caps;
    EXPECT_THAT(ran.err, HasSubstr("--grid: ")) << caps;
  }
}

TEST_F(AnalyzeVerb, AnalysesEachAcceleratorAlone) {
  SweepTable table = elasticity::cohort_table();
  for (std::size_t i = 20; i < 25; ++i) table.groups[i].id.accelerator = "H100";
  const json analyses = analyze({file(write_sweep_table(table)), "-o", "json"}).document()["analyses"];
  ASSERT_EQ(analyses.size(), 2);
  EXPECT_EQ(analyses[0]["n_groups"], 20);
  EXPECT_EQ(analyses[1]["n_groups"], 5);
  EXPECT_EQ(analyses[1]["correlations"]["metrics"][0]["p_method"], "exact_permutation");
}

TEST_F(AnalyzeVerb, WorksOnOneGroupByNamingWhatIsMissing) {
  const Ran ran = analyze({file("group,gpus,cap_w,power_w,throughput,dram_active\n"
                                "a,1,700,600,100,0.4\na,1,350,350,80,0.4\n"),
                           "-o", "json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json analysis = ran.document()["analyses"][0];
  EXPECT_EQ(analysis["classes"]["status"], "not_available");
  EXPECT_EQ(analysis["leverage_drop"]["status"], "not_available");
  EXPECT_EQ(analysis["sub_grids"]["status"], "not_available");
  EXPECT_EQ(analysis["correlations"]["metrics"][0]["reason"],
            "a rank correlation needs 3 pairs, there are 1");
}

TEST_F(AnalyzeVerb, NeverMixesSimulatedAndMeasuredGroups) {
  SweepTable table = elasticity::cohort_table();
  table.groups[3].pedigree = Pedigree::measured;
  const Ran ran = analyze({file(write_sweep_table(table))});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("cohort mixes simulated groups and measured ones"));
}

TEST_F(AnalyzeVerb, PrintsTablesAndCsv) {
  const Ran table = analyze({cohort()});
  EXPECT_THAT(table.out, HasSubstr("Kruskal-Wallis H = 12.485, 2 degrees of freedom, p = 0.0019"));
  EXPECT_THAT(table.out, HasSubstr("dense / moe fine-tuning"));
  const Ran csv = analyze({cohort(), "-o", "csv"});
  EXPECT_THAT(csv.out,
              HasSubstr("accelerator,pedigree,part,subject,n,statistic,value,p,p_adjusted,reason\n"));
  EXPECT_THAT(csv.out, HasSubstr("H200,simulated,subgroups,dense,14,rho,-0.18942777"));
}

TEST_F(AnalyzeVerb, RefusesUnknownWords) {
  EXPECT_EQ(analyze({kPhoenixSweep, "--target", "x"}).status, 2);
  EXPECT_EQ(analyze({kPhoenixSweep, "--by", "x"}).status, 2);
  EXPECT_EQ(analyze({kPhoenixSweep, "--metric", "x"}).status, 2);
  EXPECT_EQ(analyze({kPhoenixSweep, "--fewest-caps", "1"}).status, 2);
}

TEST_F(AnalyzeVerb, DocumentsEveryJsonFieldItPrints) {
  SweepTable table = elasticity::cohort_table();
  table.groups[20].task = Task::unknown;
  table.groups[4].points[1].throughput = table.groups[4].points[0].throughput;
  EXPECT_THAT(undocumented("analyze", analyze({file(write_sweep_table(table)), "-o", "json"}).document()),
              testing::IsEmpty());
  EXPECT_THAT(
      undocumented("analyze", analyze({kPhoenixSweep, "-o", "json", "--grid", "400,300,200"}).document()),
      testing::IsEmpty());
}

}  // namespace
}  // namespace wattflex::app
