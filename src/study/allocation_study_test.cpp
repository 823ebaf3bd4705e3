#include "study/allocation_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "allocate/allocation.h"

namespace wattflex::study {
namespace {

using allocate::Policy;

SweepGroup group(const std::string& name, Architecture architecture, Task task, int gpus,
                 const std::vector<std::array<double, 3>>& points) {
  SweepGroup made;
  made.id = {"table", name, "GPU"};
  made.architecture = architecture;
  made.task = task;
  made.gpus = gpus;
  for (const auto& [cap, power, throughput] : points) {
    SweepPoint point;
    point.cap = Power::from_watts(cap);
    point.power = Power::from_watts(power);
    point.throughput = throughput;
    made.points.push_back(point);
  }
  return made;
}

// Three kinds of jobs of unlike flexibility; the last can be cut by a fifth only.
SweepTable small_table() {
  SweepTable table;
  table.name = "table";
  table.groups = {
      group("stiff", Architecture::dense, Task::pretraining, 8,
            {{700, 5200, 100}, {500, 3900, 78}, {300, 2350, 44}}),
      group("bent", Architecture::moe, Task::pretraining, 8,
            {{700, 5000, 300}, {500, 3800, 240}, {400, 3100, 230}, {300, 2300, 150}}),
      group("flexible", Architecture::moe, Task::fine_tuning, 8,
            {{700, 4400, 50}, {500, 3800, 49}, {300, 2300, 40}}),
      group("narrow", Architecture::dense, Task::fine_tuning, 8, {{700, 5000, 80}, {600, 4000, 70}})};
  return table;
}

StudyOptions small_study() {
  StudyOptions options;
  options.workloads = 40;
  options.jobs = 12;
  options.cuts = {0, 0.1, 0.2, 0.3, 0.6};
  return options;
}

AllocationStudy run(const StudyOptions& options) {
  auto study = run_allocation_study(small_table(), options);
  EXPECT_TRUE(study) << study.error().message;
  return std::move(*study);
}

const StudyRow& row_of(const AllocationStudy& study, Policy policy, IndexSource index = IndexSource::none) {
  for (const StudyRow& row : study.rows) {
    if (row.policy == policy && row.index == index) return row;
  }
  ADD_FAILURE() << "no row for " << to_string(policy);
  return study.rows.front();
}

TEST(AllocationStudy, NoPolicyBeatsTheOracle) {
  for (const Values values : {Values::equal, Values::decade}) {
    for (const auto objective : {allocate::Objective::normalized, allocate::Objective::tokens}) {
      StudyOptions options = small_study();
      options.values = values;
      options.objective = objective;
      const AllocationStudy study = run(options);
      const StudyRow& oracle = row_of(study, Policy::oracle);
      for (const StudyRow& row : study.rows) {
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
          if (!row.cells[c]) continue;
          EXPECT_LE(row.cells[c]->kept, oracle.cells[c]->kept + 1e-6);
        }
      }
      EXPECT_LE(study.largest_oracle_gap, options.oracle_tolerance);
    }
  }
}

TEST(AllocationStudy, KeepsEverythingWithoutACutAndLessTheDeeperItIs) {
  const AllocationStudy study = run(small_study());
  for (const StudyRow& row : study.rows) {
    EXPECT_NEAR(row.cells[0]->kept, 1, 1e-12);
    for (std::size_t c = 1; c < 4; ++c) EXPECT_LT(row.cells[c]->kept, row.cells[c - 1]->kept);
  }
}

TEST(AllocationStudy, EqualSharingRecoversNothingOfTheGapAndTheOracleAllOfIt) {
  const AllocationStudy study = run(small_study());
  EXPECT_FALSE(row_of(study, Policy::equal).cells[0]->gap_recovered);
  EXPECT_DOUBLE_EQ(*row_of(study, Policy::equal).cells[2]->gap_recovered, 0);
  EXPECT_DOUBLE_EQ(*row_of(study, Policy::oracle).cells[2]->gap_recovered, 1);
}

TEST(AllocationStudy, CountsWhatCannotBeCutSoFarAndDoesNotAverageIt) {
  // The four lowest draws are 45, 46, 52 and 80 % of uncapped: a cut of 60 % is out of reach for every mix,
  // 20 % for none.
  const AllocationStudy study = run(small_study());
  EXPECT_EQ(study.infeasible[2], 0);
  EXPECT_EQ(study.infeasible[4], 40);
  for (const StudyRow& row : study.rows) EXPECT_FALSE(row.cells[4]);
}

TEST(AllocationStudy, DrawsTheSameWorkloadsForTheSameSeedAndOthersForAnother) {
  StudyOptions options = small_study();
  const AllocationStudy first = run(options);
  const AllocationStudy again = run(options);
  options.seed = 2;
  const AllocationStudy other = run(options);
  EXPECT_EQ(row_of(first, Policy::oracle).cells[2]->kept, row_of(again, Policy::oracle).cells[2]->kept);
  EXPECT_NE(row_of(first, Policy::oracle).cells[2]->kept, row_of(other, Policy::oracle).cells[2]->kept);
}

TEST(AllocationStudy, OneWorkloadIsWhatDividingItsCutGives) {
  StudyOptions options = small_study();
  options.workloads = 1;
  options.values = Values::decade;
  const AllocationStudy study = run(options);
  // The same workload by hand, drawn from the groups by name.
  SweepTable by_name = small_table();
  std::ranges::sort(by_name.groups, {}, &SweepGroup::id);
  const auto groups = allocate::make_problem(by_name, std::nullopt, {});
  ASSERT_TRUE(groups);
  RandomStream random(options.seed, 0);
  const auto mix = WorkloadMix::from(std::vector<Task>(4), Mix::random, 0, Values::decade);
  allocate::Problem problem;
  for (const DrawnJob& job : mix->draw(12, random)) {
    problem.jobs.push_back(groups->problem.jobs[job.group]);
    problem.jobs.back().value = job.value;
  }
  for (const Policy policy :
       {Policy::equal, Policy::moe_ft, Policy::pfi, Policy::pfi_scaled, Policy::oracle}) {
    const auto plan = allocate::divide_cut(problem, policy, problem.uncapped_draw() * 0.2);
    const bool indexed = policy == Policy::pfi || policy == Policy::pfi_scaled;
    const StudyRow& row = row_of(study, policy, indexed ? IndexSource::measured : IndexSource::none);
    EXPECT_NEAR(row.cells[2]->kept, plan->objective, policy == Policy::oracle ? 1e-6 : 1e-12)
        << to_string(policy);
  }
}

TEST(AllocationStudy, RunsIndexPoliciesOnMeasuredAndPredictedIndicesAndLabelsBoth) {
  StudyOptions options = small_study();
  options.predicted_pfi = {1, 1, 1, 1};
  const AllocationStudy study = run(options);
  const double measured = row_of(study, Policy::pfi, IndexSource::measured).cells[2]->kept;
  const double predicted = row_of(study, Policy::pfi, IndexSource::predicted).cells[2]->kept;
  EXPECT_NE(measured, predicted);
}

TEST(AllocationStudy, LeavesOutPoliciesTheTableLacksColumnsForAndSaysWhichColumn) {
  const AllocationStudy study = run(small_study());
  ASSERT_EQ(study.refused.size(), 1U);
  EXPECT_EQ(study.refused[0].policy, Policy::dram);
  EXPECT_THAT(study.refused[0].error.message, ::testing::HasSubstr("dram_active"));
}

TEST(WorkloadMix, ProductionDrawsFineTuningJobsByTheirShareOfCounts) {
  // Acme trace, Seren: 14.9 % of jobs fine-tuning, 0.9 % pretraining.
  EXPECT_NEAR(seren_fine_tuning_share(), 14.9 / 15.8, 1e-12);
  const std::vector<Task> tasks = {Task::pretraining, Task::fine_tuning, Task::pretraining, Task::fine_tuning,
                                   Task::inference};
  const auto mix = WorkloadMix::from(tasks, Mix::production, seren_fine_tuning_share(), Values::equal);
  ASSERT_TRUE(mix);
  EXPECT_EQ(mix->groups(), 4U);
  RandomStream random(3);
  std::vector<int> counts(tasks.size(), 0);
  const int draws = 100'000;
  for (const DrawnJob& job : mix->draw(draws, random)) ++counts[job.group];
  // Four standard deviations of a binomial count.
  const auto expect_share = [&](double count, double share) {
    EXPECT_NEAR(count, draws * share, 4 * std::sqrt(draws * share * (1 - share)));
  };
  expect_share(counts[1], 0.943 / 2);
  expect_share(counts[3], 0.943 / 2);
  expect_share(counts[0], 0.057 / 2);
  expect_share(counts[2], 0.057 / 2);
  EXPECT_EQ(counts[4], 0);
}

TEST(WorkloadMix, DecadeValuesAreLogUniformFromOneToTen) {
  const auto mix = WorkloadMix::from({Task::unknown}, Mix::random, 0, Values::decade);
  RandomStream random(4);
  double logs = 0;
  const std::size_t draws = 20'000;
  for (const DrawnJob& job : mix->draw(draws, random)) {
    EXPECT_GE(job.value, 1);
    EXPECT_LT(job.value, 10);
    logs += std::log10(job.value);
  }
  EXPECT_NEAR(logs / draws, 0.5, 4 / std::sqrt(12.0 * draws));
}

TEST(WorkloadMix, ProductionIsRefusedWithoutTheColumnTask) {
  const auto mix = WorkloadMix::from({Task::unknown, Task::unknown}, Mix::production, 0.9, Values::equal);
  ASSERT_FALSE(mix);
  EXPECT_EQ(mix.error().kind, ErrorKind::refused);
  EXPECT_THAT(mix.error().message, ::testing::HasSubstr("column task"));
  EXPECT_FALSE(WorkloadMix::from({Task::pretraining}, Mix::production, 0.9, Values::equal));
}

}  // namespace
}  // namespace wattflex::study
