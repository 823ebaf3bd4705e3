#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "apps/wattflex/test_run.h"
#include "ingest/fleet_file.h"
#include "ingest/sweep_table.h"
#include "report/cut_study.h"
#include "tests/support/outside_data.h"

namespace wattflex::app {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kExample = WATTFLEX_SOURCE_DIR "/examples/phoenix/";

Ran report(std::vector<std::string> words) {
  return run_verb("report", std::move(words));
}

class ReportVerb : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) /
        ("wattflex-report-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string contents(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path folder_;
};

// Issue 2's reference for this fleet: GPU-weighted share of throughput kept, no floors.
TEST(PhoenixCutStudy, KeepsWhatTheReferenceKeeps) {
  const auto table = read_sweep_table(kExample + "sweep.csv");
  const auto fleet = read_fleet(kExample + "fleet.csv");
  ASSERT_TRUE(table && fleet);
  const auto problem = allocate::make_problem(*table, *fleet, {});
  ASSERT_TRUE(problem.has_value());
  const auto study =
      report::study_cuts(*problem, *table, {.name = "phoenix", .pedigree = "measured", .cut = 0.25});
  ASSERT_TRUE(study.has_value());
  EXPECT_EQ(study->gpus, 256);
  const auto kept = [&](allocate::Policy policy, double cut) {
    const auto cost = std::ranges::find(study->policies, policy, &report::PolicyCost::policy);
    return study->kept(*cost, cut).value();
  };
  struct Row {
    double cut, equal, literal, scaled, optimum;
  };
  for (const Row& row :
       {Row{0.10, .95804, .96059, .95993, .96818}, Row{0.20, .91645, .91489, .91468, .92297},
        Row{0.25, .89314, .88883, .88933, .89779}, Row{0.30, .86536, .85613, .86196, .87006}}) {
    EXPECT_NEAR(kept(allocate::Policy::equal, row.cut), row.equal, 6e-6) << row.cut;
    EXPECT_NEAR(kept(allocate::Policy::pfi, row.cut), row.literal, 6e-6) << row.cut;
    EXPECT_NEAR(kept(allocate::Policy::pfi_scaled, row.cut), row.scaled, 6e-6) << row.cut;
    // The reference searched its optimum on a grid of draws; the exact one lies a little above
    // (plan_test.cpp).
    EXPECT_GE(kept(allocate::Policy::oracle, row.cut), row.optimum - 6e-6) << row.cut;
    EXPECT_LE(kept(allocate::Policy::oracle, row.cut), row.optimum + 3e-5) << row.cut;
  }
}

TEST_F(ReportVerb, TellsWhatWasFoundOnThePhoenixFleet) {
  const Ran ran = report({kExample + "sweep.csv", "--fleet", kExample + "fleet.csv", "--cut", "25%",
                          "--title", "Phoenix", "-o", path("report.html")});
  ASSERT_EQ(ran.status, 0) << ran.err;
  // 1 - .89779 and 1 - .89314 of the reference.
  EXPECT_THAT(
      ran.out,
      HasSubstr("costs these 6 jobs on 256 GPUs 10.2 % of their throughput at best, 10.7 % shared equally"));
  const std::string page = contents("report.html");
  EXPECT_THAT(page, HasSubstr("<title>Phoenix</title>"));
  EXPECT_THAT(page, HasSubstr("does worse from"));
  EXPECT_THAT(page, HasSubstr("measured: 8 groups of sweep"));
}

TEST_F(ReportVerb, ListsItsFilesAsJson) {
  const Ran ran = report({kExample + "sweep.csv", "-o", path("report.html"), "--format", "json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto document = nlohmann::json::parse(ran.out);
  EXPECT_EQ(document["status"], "done");
  EXPECT_EQ(document["files"], nlohmann::json::array({path("report.html")}));
}

// A model says nothing about jobs without telemetry; that another value stands in is told on the page.
TEST_F(ReportVerb, TellsWhatAModelCouldNotPredict) {
  const std::string cohort = write("cohort.csv", run_verb("cohort", {"-o", "csv"}).out);
  const Ran fitted = run_verb("fit", {cohort, "-m", path("model.json")});
  ASSERT_EQ(fitted.status, 0) << fitted.err;
  const Ran ran = report({kExample + "sweep.csv", "-m", path("model.json"), "-o", path("report.html")});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string page = contents("report.html");
  EXPECT_THAT(page, HasSubstr("group &#39;pt_mpt_13b_lg&#39;: no predicted PFI ("));
  EXPECT_THAT(page, HasSubstr("1 stands in"));
  // Where every job is predicted there is nothing to tell.
  ASSERT_EQ(report({cohort, "-m", path("model.json"), "-o", path("report.html")}).status, 0);
  EXPECT_THAT(contents("report.html"), Not(HasSubstr("stands in")));
}

TEST_F(ReportVerb, WritesEveryFigureAsSvgAndPng) {
  const Ran ran = report({kExample + "sweep.csv", "-o", path("report.html"), "--figures", path("figures")});
  if (ran.status != 0 && ran.err.find("gnuplot-nox") != std::string::npos)
    GTEST_SKIP() << "gnuplot is not installed";
  ASSERT_EQ(ran.status, 0) << ran.err;
  for (const char* const id :
       {"cost-of-cuts", "gain-over-equal", "curves", "raw-curves", "index", "definitions"}) {
    EXPECT_THAT(contents("figures/" + std::string(id) + ".svg"), HasSubstr("</svg>")) << id;
    EXPECT_THAT(contents("figures/" + std::string(id) + ".png"), HasSubstr("PNG")) << id;
  }
}

TEST_F(ReportVerb, ShowsHostileNamesAndRunsNoneOfThem) {
  const std::string name = "</script><script>x()</script> `touch hacked` $(touch hacked) 'q' %s &amp;";
  const std::string table =
      write("<b>.csv", "group,gpus,cap_w,power_w,throughput\n\"" + name + "\",1,400,390,100\n\"" + name +
                           "\",1,300,300,90\n\"" + name + "\",1,200,200,70\n");
  const Ran ran = report({table, "-o", path("report.html"), "--figures", path("figures")});
  if (ran.status != 0 && ran.err.find("gnuplot-nox") != std::string::npos)
    GTEST_SKIP() << "gnuplot is not installed";
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(contents("report.html"), Not(HasSubstr("<script>x()")));
  EXPECT_THAT(contents("report.html"), HasSubstr("&lt;script&gt;x()"));
  EXPECT_THAT(contents("report.html"), Not(HasSubstr("<b>")));
  EXPECT_THAT(contents("figures/index.svg"), Not(HasSubstr("<script")));
  EXPECT_FALSE(std::filesystem::exists("hacked"));
}

TEST_F(ReportVerb, LeavesAnOldReportAloneWhenSomethingFails) {
  write("report.html", "old");
  write("taken", "a file where the folder of figures should go");
  const Ran no_folder =
      report({kExample + "sweep.csv", "-o", path("report.html"), "--figures", path("taken") + "/figures"});
  EXPECT_EQ(no_folder.status, 1);
  EXPECT_THAT(no_folder.err, HasSubstr("taken"));
  const std::string broken =
      write("broken.csv", "group,gpus,cap_w,power_w,throughput\na,1,400,-1,10\na,1,300,2,9\n");
  EXPECT_EQ(report({broken, "-o", path("report.html")}).status, 1);
  EXPECT_EQ(contents("report.html"), "old");
}

TEST_F(ReportVerb, NamesThePathItCannotWrite) {
  const Ran ran = report({kExample + "sweep.csv", "-o", path("no/such/folder/report.html")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("no/such/folder/report.html: cannot create: No such file or directory"));
}

TEST_F(ReportVerb, NeverOverwritesWhatItReads) {
  std::filesystem::copy_file(kExample + "sweep.csv", path("sweep.csv"));
  std::filesystem::copy_file(kExample + "fleet.csv", path("fleet.csv"));
  std::filesystem::create_symlink("sweep.csv", path("link"));
  std::filesystem::create_hard_link(path("fleet.csv"), path("hard link"));
  write("settings.toml", "quiet = true\n");
  const std::string sweep = contents("sweep.csv");
  for (const char* const output :
       {"sweep.csv", "link", "./sweep.csv", "fleet.csv", "hard link", "settings.toml"}) {
    const Ran ran = report(
        {path("link"), "--fleet", path("fleet.csv"), "--config", path("settings.toml"), "-o", path(output)});
    EXPECT_EQ(ran.status, 2) << output;
    EXPECT_THAT(ran.err, HasSubstr("is the file read as ")) << output;
  }
  EXPECT_EQ(report({path("sweep.csv"), "-m", path("model.json"), "-o", write("model.json", "{}")}).status, 2);
  EXPECT_EQ(contents("sweep.csv"), sweep);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  // A copy is another file.
  EXPECT_EQ(report({path("sweep.csv"), "-o", write("copy.csv", sweep)}).status, 0);
}

TEST_F(ReportVerb, NeverDrawsAFigureOverWhatItReads) {
  std::filesystem::create_directory(path("figures"));
  std::filesystem::copy_file(kExample + "sweep.csv", path("figures/sweep.csv"));
  const std::vector<std::string> words = {path("figures/sweep.csv"), "--figures", path("figures"), "-o",
                                          path("r.html")};
  std::filesystem::create_symlink("sweep.csv", path("figures/index.svg"));
  const Ran ran = report(words);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--figures: '" + path("figures/index.svg") + "' is the file read as TABLE"));
  std::filesystem::remove(path("figures/index.svg"));
  EXPECT_NE(report(words).status, 2);  // a table beside the figures is none of them
}

TEST_F(ReportVerb, NeverWritesPageAndFigureUnderOneName) {
  for (const std::string page : {"figs/curves.svg", "figs/./index.png", "link"}) {
    std::filesystem::remove(path("link"));
    std::filesystem::create_symlink("figs/curves.svg", path("link"));
    const Ran ran = report({kExample + "sweep.csv", "--figures", path("figs"), "-o", path(page)});
    EXPECT_EQ(ran.status, 2) << page;
    EXPECT_THAT(ran.err, HasSubstr("is a figure of --figures")) << page;
    EXPECT_FALSE(std::filesystem::exists(path("figs"))) << page;
  }
}

TEST_F(ReportVerb, WritesNoFigureWhenThePageCannotBeWritten) {
  const Ran ran =
      report({kExample + "sweep.csv", "--figures", path("figs"), "-o", path("no/such/folder/report.html")});
  if (ran.err.find("gnuplot-nox") != std::string::npos) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(std::filesystem::is_empty(path("figs")));
}

TEST_F(ReportVerb, DoesNotTakeAFormatForAFile) {
  for (const char* const format : {"table", "json", "csv"}) {
    const Ran ran = report({kExample + "sweep.csv", "-o", format});
    EXPECT_EQ(ran.status, 2) << format;
    EXPECT_THAT(ran.err, HasSubstr("use --format " + std::string(format)));
    EXPECT_FALSE(std::filesystem::exists(format));
  }
  EXPECT_EQ(report({kExample + "sweep.csv", "-o", path("json")}).status, 0);
}

TEST_F(ReportVerb, RefusesWhatItCannotMean) {
  EXPECT_EQ(report({kExample + "sweep.csv", "--cut", "100%", "-o", path("r.html")}).status, 2);
  EXPECT_EQ(report({kExample + "sweep.csv", "--cut", "25", "-o", path("r.html")}).status, 2);
  EXPECT_EQ(report({kExample + "sweep.csv", kExample + "sweep.csv", "--fleet", kExample + "fleet.csv", "-o",
                    path("r.html")})
                .status,
            2);
  const std::string fleet = write("fleet.csv", "job,group,gpus,tier,value\nj,no such group,8,none,1\n");
  const Ran unknown = report({kExample + "sweep.csv", "--fleet", fleet, "-o", path("r.html")});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("no such group"));
  EXPECT_FALSE(std::filesystem::exists(path("r.html")));
}

// The example's figures are those of the public sweep, checked where the originals are at hand.
TEST(PhoenixExample, HasTheFiguresOfThePublicSweep) {
  const auto original = outside_data("sweeps/phoenix.csv");
  if (!original) return;
  const auto ours = read_sweep_table(kExample + "sweep.csv");
  const auto theirs = read_sweep_table(*original);
  ASSERT_TRUE(ours && theirs);
  ASSERT_EQ(ours->groups.size(), theirs->groups.size());
  for (const SweepGroup& group : ours->groups) {
    const std::string name = group.id.group + " x" + std::to_string(group.gpus);
    const auto match =
        std::ranges::find_if(theirs->groups, [&](const SweepGroup& g) { return g.id.group == name; });
    ASSERT_NE(match, theirs->groups.end()) << name;
    ASSERT_EQ(group.points.size(), match->points.size());
    for (std::size_t i = 0; i < group.points.size(); ++i) {
      EXPECT_EQ(group.points[i].cap, match->points[i].cap);
      EXPECT_NEAR(group.points[i].power / match->points[i].power, 1, 1e-7);
      EXPECT_NEAR(group.points[i].throughput / match->points[i].throughput, 1, 1e-9);
    }
  }
}

TEST(PhoenixExample, IsTheFleetOfTheExperiment) {
  const auto fleet = read_fleet(kExample + "fleet.csv");
  ASSERT_TRUE(fleet.has_value());
  int gpus = 0;
  for (const FleetJob& job : fleet->jobs) gpus += job.gpus;
  EXPECT_EQ(gpus, 256);
}

TEST_F(ReportVerb, IsOnlyPartlyDoneWhereAGroupIsLeftOut) {
  const std::string sweep = write("sweep.csv",
                                  "group,gpus,cap_w,power_w,throughput,aborted\n"
                                  "ok,8,700,5000,100,0\nok,8,500,4000,90,0\nok,8,400,3200,80,0\n"
                                  "bad,8,700,,,1\nbad,8,500,4000,90,0\nbad,8,400,3200,80,0\n");
  const Ran ran = report({sweep, "-o", path("r.html"), "--format", "json", "-q"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.document()["status"], "partial");
  EXPECT_THAT(contents("r.html"), HasSubstr("is left out: its uncapped run has no numbers"));
}

}  // namespace
}  // namespace wattflex::app
