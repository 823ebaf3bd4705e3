// The allocation study on the simulated cohort without noise, against an independent computation of the same
// experiment on the same physical parameters: production mix by job counts, 30 % cut, raw tokens, Eq. 2 with
// the true index recovers 61 % of the gap (+850 tokens/s per job), its size-scaled reading 79 %; of
// normalised throughput the whole gap is 0.1-2.5 %, of jobs with values over a decade 2-8 %. The paper says
// 63 % and 1.5k tokens/s per job, on jobs whose sizes are not public.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "study/allocation_study.h"
#include "study/cohort.h"

namespace wattflex::study {
namespace {

using allocate::Policy;

AllocationStudy study_cohort(StudyOptions options) {
  static const auto kTable = simulate_cohort({.noise = twin::Noise::none});
  EXPECT_TRUE(kTable);
  options.workloads = 100;
  auto study = run_allocation_study(*kTable, options);
  EXPECT_TRUE(study);
  return std::move(*study);
}

const StudyRow& first_row_of(const AllocationStudy& study, Policy policy) {
  return *std::ranges::find(study.rows, policy, &StudyRow::policy);
}

TEST(CohortAllocation, ProductionMixRecoversWhatAnIndependentComputationFound) {
  const AllocationStudy study =
      study_cohort({.mix = Mix::production, .objective = allocate::Objective::tokens, .cuts = {0.3}});
  const StudyCell& equal = *first_row_of(study, Policy::equal).cells[0];
  const StudyCell& literal = *first_row_of(study, Policy::pfi).cells[0];
  const StudyCell& scaled = *first_row_of(study, Policy::pfi_scaled).cells[0];
  EXPECT_NEAR(*literal.gap_recovered, 0.61, 0.10);
  EXPECT_NEAR(literal.throughput_per_job - equal.throughput_per_job, 850, 85);
  EXPECT_NEAR(*scaled.gap_recovered, 0.79, 0.10);
}

TEST(CohortAllocation, NormalisedThroughputHasASmallGapThatEq2DoesNotClose) {
  for (const Mix mix : {Mix::random, Mix::production}) {
    const AllocationStudy study = study_cohort({.mix = mix, .cuts = {0.1, 0.2, 0.3}});
    for (std::size_t c = 0; c < 3; ++c) {
      const double equal = first_row_of(study, Policy::equal).cells[c]->kept;
      const double gap = first_row_of(study, Policy::oracle).cells[c]->kept - equal;
      EXPECT_GE(gap, 0.001);
      EXPECT_LE(gap, 0.025);
      EXPECT_LT(first_row_of(study, Policy::pfi).cells[c]->kept, equal);
    }
  }
}

// 2 to 8 % is what public sweeps gave with values over a decade. The mean over a hundred workloads has a
// standard error of 0.08 %; two of them above.
TEST(CohortAllocation, JobsOfUnlikeValueHaveALargerGap) {
  const AllocationStudy study = study_cohort({.values = Values::decade, .cuts = {0.1, 0.2, 0.3}});
  for (std::size_t c = 0; c < 3; ++c) {
    const double gap = first_row_of(study, Policy::oracle).cells[c]->kept -
                       first_row_of(study, Policy::equal).cells[c]->kept;
    EXPECT_GE(gap, 0.02);
    EXPECT_LT(gap, 0.08 + 2 * 0.0008);
  }
}

}  // namespace
}  // namespace wattflex::study
