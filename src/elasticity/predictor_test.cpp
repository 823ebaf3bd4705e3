#include "elasticity/predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elasticity/ablation.h"
#include "elasticity/test_cohort.h"

namespace wattflex::elasticity {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Result<Predictor> fitted(const SweepTable& table, std::vector<std::string> features = {"dram_copy_product"}) {
  const auto set = collect_training_set(table, std::move(features), Target::published);
  if (!set) return std::unexpected(set.error());
  return fit_predictor(*set);
}

// numpy.linalg.lstsq and numpy.linalg.inv on the rows of test_cohort.h, scipy.stats.t.ppf(0.975, 23).
TEST(Predictor, GivesNumpysCoefficientsAndStandardError) {
  const auto predictor = fitted(cohort_table());
  ASSERT_TRUE(predictor);
  EXPECT_THAT(predictor->model.coefficients,
              ElementsAre(DoubleNear(1.11690525, 1e-8), DoubleNear(2.48689968, 1e-8)));
  EXPECT_NEAR(predictor->model.residual_variance, 0.046246222018304424, 1e-12);
  const Prediction prediction =
      predict(*predictor, cohort_table().telemetry_columns, group_with_index("new", 1.4, {0.4, 0.5, 0.3}));
  ASSERT_TRUE(prediction.pfi);
  EXPECT_NEAR(*prediction.pfi, 1.6142851832599732, 1e-9);
  EXPECT_NEAR(prediction.standard_error, 0.2203870942945809, 1e-9);
  EXPECT_NEAR(prediction.leverage, 0.05025814459793336, 1e-9);
  EXPECT_NEAR(prediction.interval95.high - *prediction.pfi, 2.0686576104190406 * 0.2203870942945809, 1e-9);
  EXPECT_THAT(prediction.outside, IsEmpty());
}

// What the two authors of the simulated cohort state for it (R2 0.65, leave-one-out R2 0.52, RMSE 0.24, rho
// 0.44): a third computation from the same equations agrees within their rounding, rho of close ranks within
// 0.02.
TEST(Predictor, ScoresTheSimulatedCohortAsStated) {
  const auto predictor = fitted(cohort_table());
  ASSERT_TRUE(predictor);
  EXPECT_NEAR(predictor->scores.in_sample.r_squared, 0.65, 0.005);
  EXPECT_NEAR(predictor->scores.leave_one_out->r_squared, 0.52, 0.005);
  EXPECT_NEAR(predictor->scores.leave_one_out->rmse, 0.24, 0.005);
  EXPECT_NEAR(*predictor->scores.leave_one_out->rho, 0.44, 0.02);
}

struct ExpectedScores {
  std::string predictors;
  double r2, loo_r2, loo_rmse, loo_rho, loco_r2, loco_rmse, loco_rho;
};

// numpy.linalg.lstsq with an intercept column and scipy.stats.spearmanr on the rows of test_cohort.h; the
// job_metadata row is also the paper's (0.519; 0.310 0.290 0.377; -4.106 0.789 0.188).
TEST(Ablation, GivesNumpysScoresForEverySetOfTable3) {
  const ExpectedScores kExpected[] = {
      {"dram_copy_product", 0.651068, 0.518959, 0.242188, 0.430248, -0.114292, 0.368605, 0.289398},
      {"arithmetic_intensity", 0.407313, 0.252648, 0.301873, 0.569559, -1.431529, 0.544504, 0.384453},
      {"dram_copy_product+arithmetic_intensity", 0.656708, 0.477329, 0.252450, 0.506446, -0.955780, 0.488339,
       0.208582},
      {"job_metadata", 0.519109, 0.309787, 0.290104, 0.375986, -4.098713, 0.788482, 0.191459},
      {"dram_copy_product+job_metadata", 0.686878, 0.428812, 0.263907, 0.379065, -2.386178, 0.642564,
       0.086588},
  };
  const auto ablation = ablate(cohort_table(), Target::published);
  ASSERT_TRUE(ablation);
  ASSERT_EQ(ablation->rows.size(), 7);
  EXPECT_EQ(ablation->n, 25);
  for (std::size_t i = 0; i < std::size(kExpected); ++i) {
    const AblationRow& row = ablation->rows[i];
    const ExpectedScores& expected = kExpected[i];
    ASSERT_TRUE(row.scores) << row.reason;
    EXPECT_EQ(row.predictors, expected.predictors);
    EXPECT_NEAR(row.scores->in_sample.r_squared, expected.r2, 1e-6) << row.predictors;
    EXPECT_NEAR(row.scores->leave_one_out->r_squared, expected.loo_r2, 1e-6) << row.predictors;
    EXPECT_NEAR(row.scores->leave_one_out->rmse, expected.loo_rmse, 1e-6) << row.predictors;
    EXPECT_NEAR(*row.scores->leave_one_out->rho, expected.loo_rho, 1e-6) << row.predictors;
    EXPECT_NEAR(row.scores->leave_one_cluster_out->r_squared, expected.loco_r2, 1e-6) << row.predictors;
    EXPECT_NEAR(row.scores->leave_one_cluster_out->rmse, expected.loco_rmse, 1e-6) << row.predictors;
    EXPECT_NEAR(*row.scores->leave_one_cluster_out->rho, expected.loco_rho, 1e-6) << row.predictors;
    EXPECT_EQ(row.scores->clusters, 4);
  }
  EXPECT_EQ(ablation->rows[5].features.size(), 5);  // three columns, two composites
  EXPECT_EQ(ablation->rows[6].features.size(), 8);
}

TEST(Ablation, NamesWhatTheTableLacks) {
  SweepTable table = cohort_table();
  for (SweepGroup& group : table.groups) group.architecture = Architecture::unknown;
  const auto ablation = ablate(table, Target::published);
  ASSERT_TRUE(ablation);
  EXPECT_TRUE(ablation->rows[0].scores);
  EXPECT_EQ(ablation->rows[0].scores->no_clusters, "group group 1 does not state arch and task");
  EXPECT_EQ(ablation->rows[3].reason, "the group does not state its arch");
  table.telemetry_columns.clear();
  EXPECT_EQ(ablate(table, Target::published)->rows[0].reason, "the table has no column dram_active");
}

TEST(Ablation, LeavesConstantFeaturesOut) {
  SweepTable table = cohort_table();
  for (SweepGroup& group : table.groups) group.points.front().telemetry[2] = 0.5;
  const auto ablation = ablate(table, Target::published);
  ASSERT_TRUE(ablation);
  EXPECT_THAT(ablation->rows[5].constant, ElementsAre("tensor_active"));
}

TEST(Predictor, FlagsAJobJustOutsideTheFittedRange) {
  const auto predictor = fitted(cohort_table(), {"dram_active"});
  ASSERT_TRUE(predictor);
  const auto columns = cohort_table().telemetry_columns;
  EXPECT_THAT(predict(*predictor, columns, group_with_index("in", 1.4, {0.647385, 0.5, 0.3})).outside,
              IsEmpty());
  EXPECT_THAT(predict(*predictor, columns, group_with_index("out", 1.4, {0.648, 0.5, 0.3})).outside,
              ElementsAre("dram_active = 0.648 is outside 0.186 to 0.6474"));
  EXPECT_THAT(predict(*predictor, columns, group_with_index("in", 1.4, {0.186036, 0.5, 0.3})).outside,
              IsEmpty());
}

// Each value was seen, but never together: much DRAM activity with little copying.
TEST(Predictor, FlagsAnUnseenCombinationByItsLeverage) {
  const auto predictor = fitted(cohort_table(), {"dram_active", "mem_copy_util"});
  ASSERT_TRUE(predictor);
  const auto prediction =
      predict(*predictor, cohort_table().telemetry_columns, group_with_index("odd", 1.4, {0.6, 0.25, 0.3}));
  EXPECT_TRUE(prediction.pfi);
  EXPECT_THAT(prediction.outside, ElementsAre(HasSubstr("exceeds the largest fitted")));
}

TEST(Predictor, RefusesTelemetryThatCannotBeTrueWithItsReason) {
  const auto predictor = fitted(cohort_table());
  const auto columns = cohort_table().telemetry_columns;
  const auto dead = predict(*predictor, columns, group_with_index("dead", 1.4, {0.0, 0.9, 0.0}));
  EXPECT_EQ(dead.pfi, std::nullopt);
  EXPECT_THAT(dead.reason, HasSubstr("dram_active is invalid"));
  EXPECT_THAT(predict(*predictor, columns, group_with_index("mig", 1.4, {1.31, 0.9, 0.0})).reason,
              HasSubstr("impossible"));
}

TEST(Predictor, LearnsOnlyFromGroupsWithValidTelemetryAndAnIndex) {
  SweepTable table = cohort_table();
  table.groups[3].points.front().telemetry = {0.0, 0.9, 0.0};
  table.groups[4].points[1].throughput = table.groups[4].points[0].throughput;
  const auto set = collect_training_set(table, {"dram_copy_product"}, Target::published);
  ASSERT_TRUE(set);
  EXPECT_EQ(set->cases.size(), 23);
  ASSERT_EQ(set->left_out.size(), 2);
  EXPECT_EQ(set->left_out[0].id.group, "group 5");
  EXPECT_THAT(set->left_out[0].reason, HasSubstr("no index"));
  EXPECT_EQ(set->left_out[1].id.group, "group 4");
}

TEST(Predictor, RecordsWhatItWasFittedOn) {
  const auto predictor = fitted(cohort_table());
  EXPECT_EQ(predictor->table, "cohort");
  EXPECT_EQ(predictor->accelerator, "H200");
  EXPECT_EQ(predictor->pedigree, Pedigree::simulated);
  EXPECT_EQ(predictor->groups.size(), 25);
  EXPECT_THAT(predictor->cap_grids_w, ElementsAre(ElementsAre(700, 350)));
}

TEST(Predictor, FingerprintFollowsTheInputAlone) {
  SweepTable table = cohort_table();
  const auto first = fitted(table);
  EXPECT_EQ(first->fingerprint, fitted(cohort_table())->fingerprint);
  table.groups[0].points.front().telemetry[0] = 0.308250;
  EXPECT_NE(first->fingerprint, fitted(table)->fingerprint);
}

TEST(Predictor, RefusesWhatCannotBeFittedInOneSentence) {
  SweepTable table = cohort_table();
  table.groups.resize(1);
  EXPECT_EQ(fitted(table).error().message, "cohort: 1 feature needs 3 groups or more, 1 usable");
  table = cohort_table();
  for (SweepGroup& group : table.groups) group.points.front().telemetry[0] = 0.5;
  EXPECT_EQ(fitted(table, {"dram_active"}).error().message,
            "cohort: dram_active is the same in all 25 groups");
  table = cohort_table();
  for (SweepGroup& group : table.groups)
    group.points.front().telemetry[1] = group.points.front().telemetry[0];
  EXPECT_EQ(fitted(table, {"dram_active", "mem_copy_util"}).error().message,
            "cohort: the predictors are linearly dependent: 1 of 2 are independent");
}

TEST(TrainingSet, NeverMixesPedigreesOrAccelerators) {
  SweepTable table = cohort_table();
  table.groups[7].pedigree = Pedigree::measured;
  EXPECT_EQ(fitted(table).error().message, "cohort mixes simulated groups and measured ones");
  table = cohort_table();
  table.groups[7].id.accelerator = "H100";
  EXPECT_EQ(only_accelerator(table, "").error().kind, ErrorKind::usage);
  EXPECT_EQ(only_accelerator(table, "H100")->groups.size(), 1);
  EXPECT_EQ(only_accelerator(table, "B200").error().kind, ErrorKind::no_data);
}

}  // namespace
}  // namespace wattflex::elasticity
