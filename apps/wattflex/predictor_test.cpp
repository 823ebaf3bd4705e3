// `wattflex fit` and `wattflex predict` end to end, on the cohort of src/elasticity/test_cohort.h. Expected
// numbers are numpy's (src/elasticity/predictor_test.cpp).
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
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PredictorVerbs : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    cohort_ = file("cohort.csv", write_sweep_table(elasticity::cohort_table()));
    model_ = path("model.json");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  Ran fit(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"fit", cohort_, "-m", model_, "-o", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }
  Ran predict(const std::string& text, const std::string& format = "json") const {
    return run({"predict", "-m", model_, file("jobs.csv", text), "-o", format});
  }

  std::string cohort_;
  std::string model_;

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("predictor_verbs_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

// Rows of uncapped runs only: what there is when no time was to sweep.
const std::string kHeader =
    "group,accelerator,gpus,cap_w,power_w,throughput,gpu_util,gr_engine_active,dram_active,mem_copy_util,"
    "tensor_active\n";

TEST_F(PredictorVerbs, FitAndPredictGiveNumpysNumbers) {
  const json fitted = fit().document();
  EXPECT_EQ(fitted["status"], "done");
  EXPECT_EQ(fitted["n_groups"], 25);
  EXPECT_EQ(fitted["pedigree"], "simulated");
  EXPECT_NEAR(fitted["predictor"]["intercept"]["coefficient"], 1.11690525, 1e-8);
  EXPECT_NEAR(fitted["predictor"]["features"][0]["coefficient"], 2.48689968, 1e-8);
  EXPECT_NEAR(fitted["predictor"]["scores"]["leave_one_out"]["r_squared"], 0.518959, 1e-6);
  const Ran ran = predict(kHeader + "new,H200,8,700,5600,1000,1,0.97,0.4,0.5,0.3\n");
  EXPECT_EQ(ran.status, 0);
  const json predicted = ran.document();
  EXPECT_EQ(predicted["status"], "done");
  EXPECT_EQ(predicted["pedigree"], "predicted");
  EXPECT_EQ(predicted["model"]["pedigree"], "simulated");
  const json group = predicted["groups"][0];
  EXPECT_NEAR(group["pfi"], 1.6142851832599732, 1e-9);
  EXPECT_NEAR(group["standard_error"], 0.2203870942945809, 1e-9);
  EXPECT_NEAR(group["interval95"][1], 1.6142851832599732 + 2.0686576104190406 * 0.2203870942945809, 1e-9);
  EXPECT_EQ(group["extrapolated"], false);
  EXPECT_TRUE(group["measured"].is_null());
}

TEST_F(PredictorVerbs, ModelFileRecordsWhatItWasFittedOn) {
  fit();
  const json model = json::parse(std::ifstream(model_));
  EXPECT_EQ(model["format"], "wattflex-predictor");
  EXPECT_EQ(model["version"], 1);
  EXPECT_EQ(model["target"]["index"], "pfi");
  EXPECT_EQ(model["fitted_on"]["table"], "cohort");
  EXPECT_EQ(model["fitted_on"]["accelerator"], "H200");
  EXPECT_EQ(model["fitted_on"]["pedigree"], "simulated");
  EXPECT_EQ(model["fitted_on"]["groups"].size(), 25);
  EXPECT_THAT(model["fitted_on"]["cap_grids_w"][0], ElementsAre(700, 350));
}

TEST_F(PredictorVerbs, FittingAgainWritesTheSameBytes) {
  const auto read = [&] {
    std::ifstream in(model_);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  fit();
  const std::string first = read();
  fit();
  EXPECT_EQ(read(), first);
}

// Case DCG-02: GPU3 of the case as a job of its own beside GPU0.
TEST_F(PredictorVerbs, RefuseDeadProfilingCountersAndKeepTheOthers) {
  fit();
  const Ran ran = predict(kHeader +
                          "gpu0,H200,1,700,650,100,1,0.97,0.4,0.5,0.3\n"
                          "gpu3,H200,1,700,640,100,1,0,0,0.5,0\n");
  EXPECT_EQ(ran.status, 1);
  const json document = ran.document();
  EXPECT_EQ(document["status"], "partial");
  EXPECT_EQ(document["n_refused"], 1);
  EXPECT_EQ(document["groups"][0]["status"], "predicted");
  EXPECT_EQ(document["groups"][1]["status"], "refused");
  EXPECT_TRUE(document["groups"][1]["pfi"].is_null());
  EXPECT_THAT(document["groups"][1]["reason"], HasSubstr("profiling counters read exactly 0"));
}

TEST_F(PredictorVerbs, ListGroupsThatReadingLeftOut) {
  fit();
  std::string header = kHeader;
  header.insert(header.find('\n'), ",aborted");
  const Ran ran = predict(header +
                          "gpu0,H200,1,700,650,100,1,0.97,0.4,0.5,0.3,0\n"
                          "broken,H200,1,700,,,1,0.97,0.4,0.5,0.3,1\n");
  EXPECT_EQ(ran.status, 1);
  const json document = ran.document();
  EXPECT_EQ(document["status"], "partial");
  EXPECT_EQ(document["n_refused"], 0);
  ASSERT_EQ(document["left_out"].size(), 1U);
  EXPECT_EQ(document["left_out"][0]["group"], "broken");
}

// Case TEL-05: impossible values count as missing and are named; nothing is clipped to 1.
TEST_F(PredictorVerbs, RefuseImpossibleTelemetry) {
  fit();
  const Ran ran = predict(kHeader + "mig,H200,1,700,650,100,1,0.97,1.31,0.5,0.3\n");
  EXPECT_EQ(ran.status, 1);
  const json document = ran.document();
  EXPECT_EQ(document["status"], "refused");
  EXPECT_THAT(document["groups"][0]["reason"], HasSubstr("dram_active has no valid reading"));
  EXPECT_THAT(document["warnings"].dump(), HasSubstr("1.31 is outside 0 to 1"));
}

TEST_F(PredictorVerbs, FlagJobsOutsideTheFittedRangeAndOnAnotherBoard) {
  fit();
  const json document = predict(kHeader + "hot,B200,1,1000,650,100,1,0.97,0.9,0.9,0.3\n").document();
  EXPECT_EQ(document["groups"][0]["extrapolated"], true);
  EXPECT_THAT(document["groups"][0]["outside"][0], HasSubstr("dram_copy_product = 0.81 is outside"));
  EXPECT_THAT(document["warnings"].dump(), HasSubstr("fitted on 'H200', these jobs ran on 'B200'"));
}

TEST_F(PredictorVerbs, ScoreAPredictionWhereTheIndexWasMeasured) {
  fit();
  const json document = run({"predict", "-m", model_, cohort_, "-o", "json"}).document();
  EXPECT_EQ(document["n_scored"], 25);
  EXPECT_NEAR(document["scores"]["r_squared"], 0.651068, 1e-6);
  EXPECT_NEAR(document["groups"][0]["measured"], 1.10, 1e-9);
}

TEST_F(PredictorVerbs, AblationNeedsNoModelFile) {
  const Ran ran = run({"fit", cohort_, "--ablation", "-o", "json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const json rows = ran.document()["ablation"]["rows"];
  ASSERT_EQ(rows.size(), 7);
  EXPECT_EQ(rows[3]["predictors"], "job_metadata");
  EXPECT_NEAR(rows[3]["scores"]["leave_one_cluster_out"]["r_squared"], -4.106, 0.01);
  EXPECT_FALSE(std::filesystem::exists(model_));
}

TEST_F(PredictorVerbs, RefuseWhatCannotBeFittedInOneClearError) {
  const std::string one_group =
      "group,gpus,cap_w,power_w,throughput,dram_active,mem_copy_util\n"
      "a,1,700,600,100,0.4,0.5\na,1,350,350,80,0.4,0.5\n";
  const Ran one = run({"fit", file("one.csv", one_group), "-m", model_});
  EXPECT_EQ(one.status, 1);
  EXPECT_THAT(one.err, HasSubstr("1 feature needs 3 groups or more, 1 usable"));
  EXPECT_FALSE(std::filesystem::exists(model_));
  const std::string plain =
      "group,gpus,cap_w,power_w,throughput\n"
      "a,1,700,600,100\na,1,350,350,80\n";
  const Ran none = run({"fit", file("plain.csv", plain), "-m", model_});
  EXPECT_THAT(none.err, HasSubstr("a: the table has no column dram_active"));
  EXPECT_EQ(run({"fit", cohort_, "-m", model_, "--features", "moon_phase"}).status, 2);
  EXPECT_EQ(run({"fit", cohort_, "-m", model_, "--accelerator", "B200"}).status, 1);
  EXPECT_EQ(run({"fit", cohort_, "-m", "/nonexistent/model.json"}).status, 1);
}

TEST_F(PredictorVerbs, NeverWriteAModelOverTheTableItIsFittedOn) {
  const std::string link = path("link.csv");
  std::filesystem::create_symlink(cohort_, link);
  const auto size = std::filesystem::file_size(cohort_);
  for (const std::string& model : {cohort_, link}) {
    const Ran ran = run({"fit", cohort_, "-m", model});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("--model: '" + model + "' is the file read as TABLE"));
  }
  EXPECT_EQ(std::filesystem::file_size(cohort_), size);
}

TEST_F(PredictorVerbs, RefuseADamagedModelFile) {
  const std::string damaged = file("damaged.json", "{\"format\": \"wattflex-predictor\", \"version\": 7}");
  const Ran ran = run({"predict", "-m", damaged, cohort_});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("version 7 is not known"));
  EXPECT_THAT(ran.out, IsEmpty());
}

TEST_F(PredictorVerbs, SaysWhenNoPolicyOfAPlanWeighsByTheModel) {
  ASSERT_EQ(fit().status, 0);
  const Ran idle =
      run({"plan", cohort_, "--cut", "20%", "--policy", "equal,oracle", "-m", model_, "--ci", "0"});
  EXPECT_NE(idle.err.find("--model changes nothing here"), std::string::npos) << idle.err;
  const Ran used = run({"plan", cohort_, "--cut", "20%", "--policy", "equal,pfi", "-m", model_, "--ci", "0"});
  EXPECT_EQ(used.err.find("--model changes nothing here"), std::string::npos) << used.err;
}

// The coefficients are numpy's (FitAndPredictGiveNumpysNumbers).
TEST_F(PredictorVerbs, PlanAndStudyWeighByTheFittedModel) {
  ASSERT_EQ(fit().status, 0);
  const Ran plan = run({"plan", cohort_, "--cut", "20%", "--policy", "pfi", "-m", model_, "-o", "json"});
  ASSERT_EQ(plan.status, 0) << plan.err;
  const json jobs = plan.document()["jobs"];
  ASSERT_EQ(jobs.size(), elasticity::kCohortRows.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const elasticity::CohortRow& row = elasticity::kCohortRows[j];
    EXPECT_EQ(jobs[j]["pfi_source"], "predicted");
    EXPECT_NEAR(jobs[j]["pfi"], 1.11690525 + 2.48689968 * row.dram_active * row.mem_copy_util, 1e-7);
  }
  const Ran measured = run({"plan", cohort_, "--cut", "20%", "--policy", "pfi", "-o", "json"});
  EXPECT_NEAR(measured.document()["jobs"][0]["pfi"], 1.10, 1e-9);
  EXPECT_EQ(measured.document()["jobs"][0]["pfi_source"], "published");
  const Ran study =
      run({"study", cohort_, "--workloads", "3", "--jobs", "5", "--cuts", "20%", "-m", model_, "-o", "csv"});
  ASSERT_EQ(study.status, 0) << study.err;
  EXPECT_THAT(study.out, HasSubstr("random,pfi,measured,0.2,"));
  EXPECT_THAT(study.out, HasSubstr("random,pfi,predicted,0.2,"));
}

TEST_F(PredictorVerbs, PrintTablesAndCsv) {
  const Ran table = run({"fit", cohort_, "-m", model_, "--ablation"});
  EXPECT_THAT(table.out, HasSubstr("pfi = 1.117 +2.487 dram_copy_product"));
  EXPECT_THAT(table.out, HasSubstr("fitted on 25 simulated groups of cohort (H200)"));
  const std::string jobs = kHeader + "new,H200,8,700,5600,1000,1,0.97,0.4,0.5,0.3\n";
  EXPECT_THAT(predict(jobs, "csv").out, HasSubstr("new,H200,1.61,0.22,1.16,2.07,,"));
  EXPECT_THAT(predict(jobs, "table").out, HasSubstr("fitted on 25 simulated groups"));
}

TEST_F(PredictorVerbs, DocumentEveryJsonFieldTheyPrint) {
  const auto check = [](const std::string& verb, const json& document) {
    EXPECT_THAT(undocumented(verb, document), testing::IsEmpty()) << verb;
  };
  check("fit", fit({"--ablation"}).document());
  check("predict", predict(kHeader + "a,H200,1,700,650,100,1,0.97,0.9,0.9,0.3\n"
                                     "b,H200,1,700,640,100,1,0,0,0.5,0\n")
                       .document());
  check("predict", run({"predict", "-m", model_, cohort_, "-o", "json"}).document());
}

}  // namespace
}  // namespace wattflex::app
