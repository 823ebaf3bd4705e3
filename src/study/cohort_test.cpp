#include "study/cohort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "elasticity/flexibility.h"
#include "ingest/sweep_table.h"
#include "ingest/sweep_table_writer.h"
#include "stats/correlation.h"
#include "stats/cross_validation.h"
#include "stats/least_squares.h"
#include "study/published_tables.h"
#include "twin/telemetry.h"

namespace wattflex::study {
namespace {

constexpr std::array kAllSets{twin::CohortSet::headline, twin::CohortSet::validation, twin::CohortSet::h100};

SweepTable cohort(std::uint64_t seed, twin::Noise noise, std::vector<twin::CohortSet> sets) {
  const auto table = simulate_cohort({.seed = seed, .noise = noise, .sets = std::move(sets)});
  EXPECT_TRUE(table);
  return table.value_or(SweepTable());
}

std::vector<twin::CohortSet> all_sets() {
  return {kAllSets.begin(), kAllSets.end()};
}

double index_of(const SweepGroup& group) {
  return elasticity::measure_flexibility(group, {.resamples = 0}).published.value.value_or(0);
}

TEST(SimulatedCohort, WithoutNoiseTheMeasuringChainGivesTables6And7WithinTwoHundredths) {
  const SweepTable table = cohort(1, twin::Noise::none, all_sets());
  const auto published = published_h200_groups();
  ASSERT_EQ(table.groups.size(), 35U);
  for (std::size_t i = 0; i < published.size(); ++i) {
    EXPECT_EQ(table.groups[i].gpus, published[i].gpus);
    EXPECT_EQ(table.groups[i].model, published[i].model);
    EXPECT_EQ(static_cast<int>(table.groups[i].points.size()), published[i].runs);
    EXPECT_NEAR(index_of(table.groups[i]), published[i].pfi, 0.02) << table.groups[i].id.group;
  }
}

TEST(SimulatedCohort, WithoutNoiseTheMeasuringChainGivesTable8WithinTwoHundredths) {
  const SweepTable table = cohort(1, twin::Noise::none, {twin::CohortSet::h100});
  ASSERT_EQ(table.groups.size(), published_board_pairs().size());
  for (const PublishedBoardPair& pair : published_board_pairs()) {
    const auto group = std::ranges::find_if(table.groups, [&](const SweepGroup& candidate) {
      return candidate.model == pair.model && candidate.task == pair.task &&
             candidate.architecture == pair.architecture;
    });
    ASSERT_NE(group, table.groups.end()) << pair.model;
    EXPECT_EQ(group->id.accelerator, "H100");
    EXPECT_NEAR(index_of(*group), pair.pfi_h100, 0.02) << pair.model;
  }
}

TEST(SimulatedCohort, WithoutNoiseTheMeasuringChainGivesTable9WithinFiveHundredths) {
  const SweepTable table = cohort(1, twin::Noise::none, {twin::CohortSet::headline});
  for (const PublishedGridPair& pair : published_grid_pairs()) {
    auto group = std::ranges::find_if(table.groups, [&](const SweepGroup& candidate) {
      return candidate.model == pair.model && candidate.task == pair.task && candidate.gpus == 8 &&
             candidate.id.group.ends_with(pair.options.empty() ? " x8" : " x8 " + std::string(pair.options));
    });
    ASSERT_NE(group, table.groups.end()) << pair.model << " " << pair.options;
    SweepGroup four = *group;
    std::erase_if(four.points, [](const SweepPoint& point) {
      return point.cap == Power::from_watts(300) || point.cap == Power::from_watts(400);
    });
    ASSERT_EQ(four.points.size(), 4U);
    EXPECT_NEAR(index_of(four), pair.pfi_four_caps, 0.05) << group->id.group;
  }
}

TEST(SimulatedCohort, SameSeedSameTableAndAnotherSeedAnother) {
  const auto text = [](std::uint64_t seed) {
    return write_sweep_table(cohort(seed, twin::Noise::run_to_run, {twin::CohortSet::headline}));
  };
  EXPECT_EQ(text(5), text(5));
  EXPECT_NE(text(5), text(6));
}

TEST(SimulatedCohort, AGroupDoesNotDependOnWhichSetsAreAskedFor) {
  const SweepTable all = cohort(3, twin::Noise::run_to_run, all_sets());
  const SweepTable h100 = cohort(3, twin::Noise::run_to_run, {twin::CohortSet::h100});
  EXPECT_EQ(all.groups[29].id, h100.groups[0].id);
  EXPECT_EQ(all.groups[29].points[2].power, h100.groups[0].points[2].power);
}

TEST(SimulatedCohort, EveryGroupSaysSimulatedAlsoAfterWritingAndReading) {
  const SweepTable table = cohort(1, twin::Noise::run_to_run, all_sets());
  const auto read = parse_sweep_table(write_sweep_table(table), "cohort");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->groups.size(), 35U);
  for (std::size_t i = 0; i < 35; ++i) {
    EXPECT_EQ(read->groups[i].pedigree, Pedigree::simulated);
    EXPECT_EQ(read->groups[i].id.group, table.groups[i].id.group);
    EXPECT_EQ(read->groups[i].points[0].power, table.groups[i].points[0].power);
    EXPECT_EQ(read->groups[i].points[0].telemetry, table.groups[i].points[0].telemetry);
  }
}

TEST(SimulatedCohort, EveryCapOfTheDefaultSeedIsUsable) {
  for (const SweepGroup& group : cohort(1, twin::Noise::run_to_run, all_sets()).groups) {
    const auto index = elasticity::measure_flexibility(group, {.resamples = 0});
    EXPECT_EQ(index.n_refused, 0) << group.id.group;
    EXPECT_TRUE(index.warnings.empty()) << group.id.group << ": " << index.warnings.front();
  }
}

TEST(SimulatedCohort, AnObserverSeesEveryRunAndItsErrorStopsTheSimulation) {
  int runs = 0;
  const RunObserver count = [&](const twin::SimulatedJob&, Power, const RunSamples& run) -> Result<void> {
    EXPECT_EQ(run.samples.size(), 360U);
    ++runs;
    return {};
  };
  ASSERT_TRUE(simulate_cohort({.sets = {twin::CohortSet::headline}}, count));
  EXPECT_EQ(runs, 131);
  const RunObserver refuse = [](const twin::SimulatedJob&, Power, const RunSamples&) -> Result<void> {
    return fail(ErrorKind::io, "disk full", "");
  };
  EXPECT_EQ(simulate_cohort({}, refuse).error().message, "disk full");
}

struct Predictor {
  double r_squared = 0;
  double leave_one_out = 0;
  double dense_rho = 0;
};

Predictor predictor_of(const SweepTable& table) {
  std::vector<stats::Observation> copy;
  std::vector<double> pfi;
  std::vector<double> dense_copy;
  std::vector<double> dense_pfi;
  for (const SweepGroup& group : table.groups) {
    const auto& telemetry = group.uncapped().telemetry;
    copy.push_back({telemetry[0].value_or(0) * telemetry[1].value_or(0)});
    pfi.push_back(index_of(group));
    if (group.architecture != Architecture::dense) continue;
    dense_copy.push_back(copy.back()[0]);
    dense_pfi.push_back(pfi.back());
  }
  const auto model = stats::fit_least_squares(copy, pfi);
  const auto left_out = stats::leave_one_out(copy, pfi);
  const auto rho = stats::spearman(dense_copy, dense_pfi);
  EXPECT_TRUE(model && left_out && rho);
  std::vector<double> fitted;
  for (const auto& row : copy) fitted.push_back(model->predict(row));
  return {stats::score(pfi, fitted).r_squared, left_out->scores.r_squared, rho->rho};
}

// Table 3: R2 0.675, leave-one-out 0.524; Table 13: dense rho -0.178.
TEST(SimulatedCohort, ThePredictorComesOutNearThePapers) {
  for (const std::uint64_t seed : {0, 1, 2, 3, 4}) {
    const auto noise = seed == 0 ? twin::Noise::none : twin::Noise::run_to_run;
    const Predictor predictor = predictor_of(cohort(seed, noise, {twin::CohortSet::headline}));
    EXPECT_TRUE(predictor.r_squared > 0.55 && predictor.r_squared < 0.75) << predictor.r_squared;
    EXPECT_TRUE(predictor.leave_one_out > 0.40 && predictor.leave_one_out < 0.65) << predictor.leave_one_out;
    EXPECT_LT(std::abs(predictor.dense_rho), 0.3) << predictor.dense_rho;
  }
}

}  // namespace
}  // namespace wattflex::study
