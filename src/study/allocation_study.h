// The paper's allocation study on any sweep table: many random workloads, every policy, a range of cuts; what
// each policy keeps, and how much of the gap between equal sharing and the optimum it recovers.
// (arXiv:2609.11542, allocation study; docs/math/allocation.md.)
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "allocate/fleet_problem.h"
#include "allocate/policy.h"
#include "base/error.h"
#include "model/sweep.h"
#include "study/workload_mix.h"

namespace wattflex::study {

struct StudyOptions {
  int workloads = 500;
  int jobs = 100;
  Mix mix = Mix::random;
  double fine_tuning_share = seren_fine_tuning_share();  // of the production mix
  Values values = Values::equal;
  allocate::Objective objective = allocate::Objective::normalized;
  std::vector<double> cuts;  // shares of the uncapped draw, 0..1
  std::uint64_t seed = 1;
  // One a group of the table. When given, the index policies run twice, with measured and predicted PFI (1
  // where there is no prediction).
  std::vector<std::optional<double>> predicted_pfi;
  double oracle_tolerance = 1e-6;  // of the uncapped objective
};

struct Range {
  double low = 0;
  double high = 0;
};

// A policy at one cut, over the workloads that can be cut so far.
struct StudyCell {
  double kept = 0;                              // mean share of the uncapped objective
  Range kept_ci95;                              // of that mean
  Range kept_middle95;                          // what 95 % of the workloads lie between
  double throughput_per_job = 0;                // mean, in the table's unit
  double throughput_per_job_behind_oracle = 0;  // oracle's less this
  // (mean kept - equal's) / (oracle's - equal's); nothing where equal sharing is already optimal.
  std::optional<double> gap_recovered;
};

// Which index an index policy weighs by.
enum class IndexSource { none, measured, predicted };

std::string_view to_string(IndexSource source);

struct StudyRow {
  allocate::Policy policy = allocate::Policy::equal;
  IndexSource index = IndexSource::none;
  std::vector<std::optional<StudyCell>> cells;  // one a cut; nothing where no workload can be cut so far
};

struct StudyRefusal {
  allocate::Policy policy = allocate::Policy::equal;
  IndexSource index = IndexSource::none;
  Error error;
};

struct AllocationStudy {
  std::vector<StudyRow> rows;
  std::vector<StudyRefusal> refused;  // policies the table lacks columns for
  std::vector<int> infeasible;        // workloads left out, one count a cut
  double largest_oracle_gap = 0;      // the worst certificate, as a share of the uncapped objective
  std::size_t groups = 0;             // that could be drawn
  std::vector<std::string> warnings;
};

// Every allocation is verified. `progress` gets the share done, 0..1. Each workload has its own random
// stream, so a workload is the same whatever their number.
Result<AllocationStudy> run_allocation_study(const SweepTable& table, const StudyOptions& options,
                                             const std::function<void(double)>& progress = {});

}  // namespace wattflex::study
