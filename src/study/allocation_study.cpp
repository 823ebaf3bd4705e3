#include "study/allocation_study.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "allocate/allocation.h"
#include "allocate/sharing.h"
#include "allocate/verify.h"
#include "stats/descriptive.h"
#include "stats/order.h"

namespace wattflex::study {
namespace {

using allocate::Policy;
using allocate::Problem;

// A row of the study: a policy with the weight each group gets from it. The oracle has none.
struct Contender {
  Policy policy = Policy::equal;
  IndexSource index = IndexSource::none;
  std::vector<double> group_weights;
};

bool uses_index(Policy policy) {
  return policy == Policy::pfi || policy == Policy::pfi_scaled;
}

// What one contender reached at one cut, a value for each workload that could be cut so far.
struct Samples {
  std::vector<double> kept;
  std::vector<double> throughput;  // per job
};

struct Catalogue {
  allocate::FleetProblem groups;  // every group once
  std::vector<Contender> contenders;
  std::vector<StudyRefusal> refused;
};

void add_contender(Catalogue& catalogue, const Problem& groups, Policy policy, IndexSource index) {
  if (policy == Policy::oracle) {
    catalogue.contenders.push_back({policy, index, {}});
    return;
  }
  auto weights = allocate::sharing_weights(groups, policy);
  if (weights) {
    catalogue.contenders.push_back({policy, index, std::move(*weights)});
  } else {
    catalogue.refused.push_back({policy, index, std::move(weights.error())});
  }
}

Result<Catalogue> make_catalogue(const SweepTable& table, const StudyOptions& options) {
  auto measured = allocate::make_problem(table, std::nullopt, {.objective = options.objective});
  if (!measured) return std::unexpected(std::move(measured.error()));
  Catalogue catalogue;
  catalogue.groups = std::move(*measured);
  const Problem& problem = catalogue.groups.problem;
  if (problem.jobs.empty()) {
    return fail(ErrorKind::no_data, "table " + table.name + " has no group with a usable curve",
                "'wattflex check' says what is wrong with it");
  }
  // The same groups in the same order, with other indices.
  const auto predicted = allocate::make_problem(
      table, std::nullopt, {.objective = options.objective, .predicted_pfi = options.predicted_pfi});
  if (!predicted) return std::unexpected(predicted.error());
  for (const Policy policy : allocate::all_policies()) {
    const bool indexed = uses_index(policy);
    add_contender(catalogue, problem, policy, indexed ? IndexSource::measured : IndexSource::none);
    if (indexed && !options.predicted_pfi.empty()) {
      add_contender(catalogue, predicted->problem, policy, IndexSource::predicted);
    }
  }
  return catalogue;
}

// One workload: every contender at every cut.
class WorkloadRun {
 public:
  WorkloadRun(const Catalogue& catalogue, const std::vector<DrawnJob>& drawn, const StudyOptions& options)
      : drawn_(drawn), options_(options) {
    problem_.objective = options.objective;
    for (const DrawnJob& job : drawn) {
      problem_.jobs.push_back(catalogue.groups.problem.jobs[job.group]);
      problem_.jobs.back().value = job.value;
      rooms_.push_back((problem_.jobs.back().uncapped_draw() - problem_.jobs.back().least_draw()).watts());
    }
    uncapped_ = problem_.uncapped_draw();
    std::vector<Power> draws;
    draws.reserve(problem_.jobs.size());
    for (const allocate::Job& job : problem_.jobs) draws.push_back(job.uncapped_draw());
    uncapped_objective_ = allocate::objective_at(problem_, draws);
  }

  bool feasible(double cut) const {
    return uncapped_ * (1 - cut) >= problem_.least_draw() - uncapped_ * 1e-12;
  }

  Result<void> run(const Contender& contender, std::span<const double> cuts, std::span<Samples> samples) {
    if (contender.policy == Policy::oracle) return run_oracle(cuts, samples);
    std::vector<double> weights;
    weights.reserve(drawn_.size());
    for (const DrawnJob& job : drawn_) weights.push_back(contender.group_weights[job.group]);
    const allocate::ProportionalSharing sharing(rooms_, weights);
    std::vector<double> given(rooms_.size());
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      if (!feasible(cuts[c])) continue;
      sharing.share(std::min(uncapped_.watts() * cuts[c], sharing.total_room()), given);
      for (std::size_t j = 0; j < given.size(); ++j)
        given[j] = problem_.jobs[j].uncapped_draw().watts() - given[j];
      if (auto kept = record(contender.policy, cuts[c], given, std::nullopt, samples[c]); !kept) return kept;
    }
    return {};
  }

  double largest_gap() const { return largest_gap_; }

 private:
  Result<void> run_oracle(std::span<const double> cuts, std::span<Samples> samples) {
    const allocate::Oracle oracle(problem_);
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      if (!feasible(cuts[c])) continue;
      const double budget = std::max(uncapped_.watts() * (1 - cuts[c]), problem_.least_draw().watts());
      const allocate::Optimum optimum = oracle.solve(budget, {.tolerance = options_.oracle_tolerance});
      largest_gap_ = std::max(largest_gap_, (optimum.bound - optimum.objective) / uncapped_objective_);
      if (auto kept = record(Policy::oracle, cuts[c], optimum.draws, optimum.bound, samples[c]); !kept)
        return kept;
    }
    return {};
  }

  Result<void> record(Policy policy, double cut, const std::vector<double>& watts,
                      std::optional<double> bound, Samples& samples) {
    allocate::Allocation allocation{.policy = policy, .budget = uncapped_ * (1 - cut), .bound = bound};
    double throughput = 0;
    for (std::size_t j = 0; j < watts.size(); ++j) {
      allocation.draws.push_back(Power::from_watts(watts[j]));
      throughput += problem_.jobs[j].curve->throughput_at(allocation.draws.back());
    }
    allocation.objective = allocate::objective_at(problem_, allocation.draws);
    if (auto verified = allocate::verify(problem_, uncapped_ * cut, allocation); !verified) return verified;
    samples.kept.push_back(allocation.objective / uncapped_objective_);
    samples.throughput.push_back(throughput / static_cast<double>(watts.size()));
    return {};
  }

  const std::vector<DrawnJob>& drawn_;
  const StudyOptions& options_;
  Problem problem_;
  std::vector<double> rooms_;
  Power uncapped_;
  double uncapped_objective_ = 0;
  double largest_gap_ = 0;
};

Range confidence_of_mean(std::span<const double> values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  // Normal: workloads are many and independent. One alone says nothing about its spread.
  const double half = n > 1 ? 1.959963985 * std::sqrt(squares / (n - 1) / n) : 0;
  return {mean - half, mean + half};
}

// A smaller gap between equal sharing and the oracle is within the oracle's own tolerance, and a share of it
// noise.
constexpr double kLeastGap = 1e-5;

StudyCell summarise(const Samples& samples, const Samples& equal, const Samples& oracle) {
  StudyCell cell;
  cell.kept = stats::mean(samples.kept);
  cell.kept_ci95 = confidence_of_mean(samples.kept, cell.kept);
  cell.kept_middle95 = {stats::quantile(samples.kept, 0.025), stats::quantile(samples.kept, 0.975)};
  cell.throughput_per_job = stats::mean(samples.throughput);
  const double behind = stats::mean(oracle.throughput) - cell.throughput_per_job;
  const bool rounding = std::abs(behind) < 1e-12 * cell.throughput_per_job;
  cell.throughput_per_job_behind_oracle = rounding ? 0 : behind;
  const double shared = stats::mean(equal.kept);
  const double gap = stats::mean(oracle.kept) - shared;
  if (gap > kLeastGap) cell.gap_recovered = (cell.kept - shared) / gap;
  return cell;
}

std::size_t position_of(const std::vector<Contender>& contenders, Policy policy) {
  return static_cast<std::size_t>(std::ranges::find(contenders, policy, &Contender::policy) -
                                  contenders.begin());
}

// samples[contender][cut]
std::vector<StudyRow> summarise(const std::vector<Contender>& contenders,
                                const std::vector<std::vector<Samples>>& samples) {
  const auto& equal = samples[position_of(contenders, Policy::equal)];
  const auto& oracle = samples[position_of(contenders, Policy::oracle)];
  std::vector<StudyRow> rows;
  for (std::size_t k = 0; k < contenders.size(); ++k) {
    StudyRow row{contenders[k].policy, contenders[k].index, {}};
    for (std::size_t c = 0; c < samples[k].size(); ++c) {
      row.cells.push_back(samples[k][c].kept.empty()
                              ? std::nullopt
                              : std::optional(summarise(samples[k][c], equal[c], oracle[c])));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Positions of the groups by name, so that draws do not hang on the order of the table.
std::vector<std::size_t> by_name(const SweepTable& table, const allocate::FleetProblem& groups) {
  std::vector<std::size_t> order = stats::first_indices(groups.origins.size());
  std::ranges::sort(order, {}, [&](std::size_t g) { return table.groups[groups.origins[g].group].id; });
  return order;
}

std::vector<Task> tasks_of(const Problem& problem, const std::vector<std::size_t>& order) {
  std::vector<Task> tasks;
  tasks.reserve(order.size());
  for (const std::size_t g : order) tasks.push_back(problem.jobs[g].task);
  return tasks;
}

}  // namespace

std::string_view to_string(IndexSource source) {
  switch (source) {
    case IndexSource::none:
      return "none";
    case IndexSource::measured:
      return "measured";
    case IndexSource::predicted:
      return "predicted";
  }
  return "unknown";
}

Result<AllocationStudy> run_allocation_study(const SweepTable& table, const StudyOptions& options,
                                             const std::function<void(double)>& progress) {
  auto catalogue = make_catalogue(table, options);
  if (!catalogue) return std::unexpected(std::move(catalogue.error()));
  const std::vector<std::size_t> order = by_name(table, catalogue->groups);
  const auto mix = WorkloadMix::from(tasks_of(catalogue->groups.problem, order), options.mix,
                                     options.fine_tuning_share, options.values);
  if (!mix) return std::unexpected(mix.error());

  AllocationStudy study;
  study.infeasible.assign(options.cuts.size(), 0);
  study.groups = mix->groups();
  std::vector<std::vector<Samples>> samples(catalogue->contenders.size(),
                                            std::vector<Samples>(options.cuts.size()));
  for (int w = 0; w < options.workloads; ++w) {
    RandomStream random(options.seed, static_cast<std::uint64_t>(w));
    std::vector<DrawnJob> drawn = mix->draw(static_cast<std::size_t>(options.jobs), random);
    for (DrawnJob& job : drawn) job.group = order[job.group];
    WorkloadRun run(*catalogue, drawn, options);
    for (std::size_t c = 0; c < options.cuts.size(); ++c)
      study.infeasible[c] += run.feasible(options.cuts[c]) ? 0 : 1;
    for (std::size_t k = 0; k < samples.size(); ++k) {
      if (auto ran = run.run(catalogue->contenders[k], options.cuts, samples[k]); !ran) {
        return std::unexpected(std::move(ran.error()));
      }
    }
    study.largest_oracle_gap = std::max(study.largest_oracle_gap, run.largest_gap());
    if (progress) progress((w + 1.0) / options.workloads);
  }
  study.rows = summarise(catalogue->contenders, samples);
  study.refused = std::move(catalogue->refused);
  study.warnings = std::move(catalogue->groups.warnings);
  return study;
}

}  // namespace wattflex::study
