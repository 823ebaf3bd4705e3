// The predictor on the simulated cohort, beside the paper's numbers. The bounds are what this project
// demands of its cohort; the paper has R2 0.675, leave-one-out R2 0.524, dense-only rho -0.178, MoE 0.509.
// Telemetry of the cohort follows from physics alone, never from an index; the class ranges of its parameters
// were chosen with these numbers in view (docs/math/chip-physics.md).
#include <gtest/gtest.h>

#include "elasticity/class_comparison.h"
#include "elasticity/predictor.h"
#include "elasticity/signal.h"
#include "study/cohort.h"

namespace wattflex::study {
namespace {

constexpr const char* kBest = "dram_copy_product";

class CohortPredictor : public ::testing::TestWithParam<CohortOptions> {
 protected:
  void SetUp() override {
    auto table = simulate_cohort(GetParam());
    ASSERT_TRUE(table) << table.error().message;
    table_ = *std::move(table);
    ASSERT_EQ(table_.groups.size(), 25);
  }
  SweepTable table_;
};

TEST_P(CohortPredictor, ComesOutNearThePaper) {
  const auto set = elasticity::collect_training_set(table_, {kBest}, elasticity::Target::published);
  ASSERT_TRUE(set);
  const auto predictor = elasticity::fit_predictor(*set);
  ASSERT_TRUE(predictor) << predictor.error().message;
  EXPECT_EQ(predictor->pedigree, Pedigree::simulated);
  EXPECT_EQ(predictor->groups.size(), 25);
  EXPECT_GT(predictor->scores.in_sample.r_squared, 0.55);
  EXPECT_LT(predictor->scores.in_sample.r_squared, 0.75);
  EXPECT_GT(predictor->scores.leave_one_out->r_squared, 0.40);
  EXPECT_LT(predictor->scores.leave_one_out->r_squared, 0.65);
  RecordProperty("r2", std::to_string(predictor->scores.in_sample.r_squared));
  RecordProperty("loo_r2", std::to_string(predictor->scores.leave_one_out->r_squared));
}

TEST_P(CohortPredictor, SeparatesMoeButNotDenseJobs) {
  const auto indexed = elasticity::index_groups(table_, elasticity::Target::published);
  ASSERT_TRUE(indexed);
  const auto subgroups = elasticity::correlate_subgroups(table_.telemetry_columns, *indexed, kBest);
  ASSERT_EQ(subgroups[0].name, "dense");
  EXPECT_NEAR(subgroups[0].association.correlation->rho, 0, 0.35);
  ASSERT_EQ(subgroups[1].name, "moe");
  EXPECT_NEAR(subgroups[1].association.correlation->rho, 0.5, 0.2);
}

TEST_P(CohortPredictor, ClassesDifferAsInThePaper) {
  const auto indexed = elasticity::index_groups(table_, elasticity::Target::published);
  const auto classes = elasticity::compare_classes(*indexed, elasticity::Grouping::paper_class);
  ASSERT_TRUE(classes);
  EXPECT_LT(classes->kruskal_wallis.p_value, 0.01);
  for (const auto& pair : classes->pairs) {
    const bool dense_and_moe_fine_tuning = classes->classes[pair.first].name == "dense" &&
                                           classes->classes[pair.second].name == "moe fine-tuning";
    EXPECT_EQ(pair.p_holm < 0.05, dense_and_moe_fine_tuning);
  }
}

INSTANTIATE_TEST_SUITE_P(Noise, CohortPredictor,
                         ::testing::Values(CohortOptions{.noise = twin::Noise::none},
                                           CohortOptions{.seed = 1, .noise = twin::Noise::within_run},
                                           CohortOptions{.seed = 1}, CohortOptions{.seed = 2}),
                         [](const auto& instance) { return "Case" + std::to_string(instance.index); });

}  // namespace
}  // namespace wattflex::study
