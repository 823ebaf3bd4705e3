#include "study/cohort.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "elasticity/flexibility.h"
#include "sweep/phases.h"
#include "twin/job_physics.h"

namespace wattflex::study {
namespace {

Result<SweepPoint> measure(const RunSamples& run, Power cap, const CohortOptions& options) {
  const auto phases = sweep::detect_phases(run);
  if (!phases) return std::unexpected(phases.error());
  auto mean = sweep::mean_of_training(run, *phases, options.averaging);
  if (!mean) return std::unexpected(std::move(mean.error()));
  const double own = twin::own_share_of_repeat(options.noise);
  SweepPoint point;
  point.cap = cap;
  point.power = mean->power;
  point.throughput = mean->throughput;
  if (options.noise != twin::Noise::none) {
    point.power_stderr = Power::from_watts(
        std::hypot(mean->power_stderr.watts(), own * twin::kRepeatPowerCv * mean->power.watts()));
    point.throughput_stderr =
        std::hypot(mean->throughput_stderr, own * twin::kRepeatThroughputCv * mean->throughput);
  }
  point.requested = cap;
  point.enforced = cap;
  point.telemetry.assign(mean->telemetry.begin(), mean->telemetry.end());
  return point;
}

Result<double> published_index(const twin::SimulatedJob& job, const CohortOptions& options) {
  const auto group = simulate_group(job, options);
  if (!group) return std::unexpected(group.error());
  const elasticity::Flexibility index = elasticity::measure_flexibility(*group, {.resamples = 0});
  if (!index.published.value)
    return fail(ErrorKind::no_data, group->id.group + ": no index", index.published.reason);
  return *index.published.value;
}

// Mean index over `seeds` sweeps with within-run noise.
Result<double> mean_index(const twin::SimulatedJob& job, sweep::Averaging averaging, int seeds) {
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto index = published_index(
        job,
        {.seed = static_cast<std::uint64_t>(seed), .noise = twin::Noise::within_run, .averaging = averaging});
    if (!index) return index;
    sum += *index;
  }
  return sum / seeds;
}

}  // namespace

Result<SweepGroup> simulate_group(const twin::SimulatedJob& job, const CohortOptions& options,
                                  const RunObserver& observe) {
  SweepGroup group;
  group.id = {"cohort", std::string(job.group), std::string(job.accelerator)};
  group.architecture = job.architecture;
  group.task = job.task;
  group.model = job.model;
  group.pedigree = Pedigree::simulated;
  group.gpus = job.gpus;
  const twin::SweepSession session(job, options.noise, options.seed);
  for (const Power cap : job.caps) {
    const RunSamples run = session.run(cap);
    if (observe) {
      if (auto seen = observe(job, cap, run); !seen) return std::unexpected(std::move(seen.error()));
    }
    auto point = measure(run, cap, options);
    if (!point) return std::unexpected(std::move(point.error()));
    // As the clock event reasons would say.
    const bool bound = twin::operate(job.physics, cap).bound_share > 0;
    point->limited_by = bound ? Limiter::power_cap : Limiter::none;
    group.points.push_back(std::move(*point));
  }
  return group;
}

Result<SweepTable> simulate_cohort(const CohortOptions& options, const RunObserver& observe) {
  SweepTable table;
  table.name = "cohort";
  table.telemetry_columns.assign(twin::kTelemetryColumns.begin(), twin::kTelemetryColumns.end());
  for (const twin::SimulatedJob& job : twin::simulated_jobs()) {
    if (std::ranges::find(options.sets, job.set) == options.sets.end()) continue;
    auto group = simulate_group(job, options, observe);
    if (!group) return std::unexpected(std::move(group.error()));
    table.groups.push_back(std::move(*group));
  }
  return table;
}

Result<AveragingBias> averaging_bias(const twin::SimulatedJob& job, int seeds) {
  const auto exact = published_index(job, {.noise = twin::Noise::none});
  const auto top = mean_index(job, sweep::Averaging::top_tenth, seeds);
  const auto plain = mean_index(job, sweep::Averaging::whole_phase, seeds);
  for (const auto* const index : {&exact, &top, &plain}) {
    if (!*index) return std::unexpected(index->error());
  }
  return AveragingBias{*exact, *top - *exact, *plain - *exact};
}

}  // namespace wattflex::study
