// The simulated cohort measured as one would measure real jobs: cap -> clock -> draw and throughput -> 5 s
// samples -> phases -> means -> sweep table. The only place where the twin and the measuring side meet.
//
// A point's standard errors hold the scatter within its run and the run's own repeat error (measured_run.h);
// what the runs of a sweep have in common is not in them, as it cancels in every ratio.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/run_samples.h"
#include "model/sweep.h"
#include "sweep/run_mean.h"
#include "twin/cohort.h"
#include "twin/measured_run.h"

namespace wattflex::study {

struct CohortOptions {
  std::uint64_t seed = 1;
  twin::Noise noise = twin::Noise::run_to_run;
  sweep::Averaging averaging = sweep::Averaging::top_tenth;
  std::vector<twin::CohortSet> sets{twin::CohortSet::headline};
};

// Called with every run while it is measured, for writing traces; its error stops the simulation.
using RunObserver = std::function<Result<void>(const twin::SimulatedJob&, Power cap, const RunSamples&)>;

// Every group has pedigree `simulated`. The same options give the same table.
Result<SweepTable> simulate_cohort(const CohortOptions& options, const RunObserver& observe = {});

// One group, on the caps of `job`.
Result<SweepGroup> simulate_group(const twin::SimulatedJob& job, const CohortOptions& options,
                                  const RunObserver& observe = {});

// How far the averaging rule alone moves a group's published index: mean over `seeds` sweeps with within-run
// noise, minus the noise-free index.
struct AveragingBias {
  double noise_free = 0;   // the index itself
  double top_tenth = 0;    // bias
  double whole_phase = 0;  // bias
};
Result<AveragingBias> averaging_bias(const twin::SimulatedJob& job, int seeds);

}  // namespace wattflex::study
