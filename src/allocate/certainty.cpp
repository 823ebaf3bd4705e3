#include "allocate/certainty.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/random.h"
#include "elasticity/group_name.h"
#include "elasticity/power_curve.h"
#include "elasticity/verdict.h"
#include "stats/descriptive.h"

namespace wattflex::allocate {
namespace {

using elasticity::PowerCurve;
using elasticity::PowerCurveFit;

// Fewer resamples than this share of those asked for say that the plan hangs by a thread.
constexpr double kEnough = 0.9;
// Of the uncapped objective: far below any interval, and far cheaper than what a plan itself is solved to.
constexpr OracleOptions kRough = {.tolerance = 1e-5, .effort = 100'000};
constexpr double kUncut = 1e-9;  // as a share of the uncapped draw: rounding, no cut

// What a group is taken to be: its smooth curve, and how far its rows lie off it.
class Truth {
 public:
  static Result<Truth> of(const SweepGroup& group, elasticity::DefaultNoise noise) {
    Truth truth;
    const auto judged = elasticity::judge(group, noise);
    for (const elasticity::JudgedPoint& point : judged) truth.errors_.push_back(point.error);
    const auto fit = PowerCurveFit::fit(group.id, judged, {.resamples = 0});
    if (fit) {
      truth.curve_ = fit->curve();
      truth.widening_ = fit->widened() ? fit->scatter() : 1;
    } else if (sound_rows(group) > 1) {
      return std::unexpected(fit.error());
    }
    truth.top_ = group.uncapped().throughput;
    return truth;
  }

  double widening() const { return widening_; }
  double uncapped_throughput() const { return curve_ ? curve_->uncapped_throughput() : top_; }
  // A job with its uncapped row alone cannot be cut.
  double kept_at(Power draw) const {
    return !curve_ || draw >= curve_->uncapped_draw() ? 1.0 : curve_->kept_at(draw);
  }

  // What a sweep of this group might have shown instead. Rows with a fault stay: nobody plans on them.
  void draw_rows(RandomStream& random, SweepGroup& group) const {
    if (!curve_) return;
    for (std::size_t i = 0; i < group.points.size(); ++i) {
      SweepPoint& point = group.points[i];
      if (elasticity::fault_of(point)) continue;
      const Power draw = curve_->draw_at(point.cap);
      point.power = draw * std::exp(widening_ * errors_[i].power * random.normal());
      point.throughput =
          curve_->throughput_at(draw) * std::exp(widening_ * errors_[i].throughput * random.normal());
    }
  }

 private:
  static std::size_t sound_rows(const SweepGroup& group) {
    std::size_t count = 0;
    for (const SweepPoint& point : group.points) count += elasticity::fault_of(point) ? 0 : 1;
    return count;
  }

  std::optional<PowerCurve> curve_;
  double widening_ = 1;
  double top_ = 0;
  std::vector<elasticity::RelativeError> errors_;  // one a row
};

// The groups a fleet uses, the fleet that names them, and what they are taken to be.
struct World {
  SweepTable table;
  Fleet fleet;
  FleetOptions options;
  std::vector<Truth> truths;          // one a group of `table`
  std::vector<RandomStream> streams;  // likewise, by the group's own name: its place does not matter
  std::vector<std::size_t> group;     // of each job, in `table`
  std::vector<std::string> warnings;
  std::vector<double> ratio;  // of each job: its GPUs over those of its sweep
};

Result<World> world_of(const SweepTable& table, const FleetProblem& fleet, const FleetOptions& options,
                       const CertaintyOptions& how) {
  World world{.options = options};
  world.options.predicted_pfi.clear();
  world.table.name = table.name;
  world.table.telemetry_columns = table.telemetry_columns;
  std::map<std::size_t, std::size_t> places;
  for (std::size_t j = 0; j < fleet.origins.size(); ++j) {
    const JobOrigin& origin = fleet.origins[j];
    const SweepGroup& group = table.groups[origin.group];
    const auto [place, is_new] = places.try_emplace(origin.group, world.table.groups.size());
    if (is_new) {
      auto truth = Truth::of(group, how.noise);
      if (!truth) return std::unexpected(truth.error());
      if (truth->widening() > 1) {
        world.warnings.push_back(
            fmt::format("{}: points scatter {:.1f} times more about the power curve than their errors allow; "
                        "the plan's intervals are widened by that factor",
                        elasticity::name_of(group.id), truth->widening()));
      }
      world.truths.push_back(std::move(*truth));
      world.streams.emplace_back(how.seed, stream_of(group.id.group + '\0' + group.id.accelerator));
      world.table.groups.push_back(group);
      // A name of its own, on whatever accelerators its namesakes were measured.
      world.table.groups.back().id = {table.name, std::to_string(place->second), ""};
      if (!options.predicted_pfi.empty())
        world.options.predicted_pfi.push_back(options.predicted_pfi[origin.group]);
    }
    const Job& job = fleet.problem.jobs[j];
    world.fleet.jobs.push_back({.job = job.name,
                                .group = std::to_string(place->second),
                                .accelerator = "",
                                .gpus = job.gpus,
                                .tier = origin.tier,
                                .value = job.value});
    world.group.push_back(place->second);
    world.ratio.push_back(static_cast<double>(job.gpus) / group.gpus);
  }
  return world;
}

// The share of the uncapped objective that the truth yields at these draws. A job that the plan does not cut
// keeps its largest cap, and so all its throughput, whatever draw the plan took that to be.
double realised_share(const World& world, const Problem& planned, std::span<const Power> draws) {
  double sum = 0;
  double most = 0;
  for (std::size_t j = 0; j < draws.size(); ++j) {
    const FleetJob& job = world.fleet.jobs[j];
    const Truth& truth = world.truths[world.group[j]];
    const double weight = planned.objective == Objective::normalized
                              ? job.value * job.gpus
                              : truth.uncapped_throughput() * world.ratio[j];
    const bool uncut = draws[j] >= planned.jobs[j].uncapped_draw() * (1 - kUncut);
    sum += uncut ? weight : weight * truth.kept_at(draws[j] / world.ratio[j]);
    most += weight;
  }
  return sum / most;
}

struct Deviations {
  std::vector<double> kept;  // claimed - realised
  std::vector<double> gain;
};

// As far to either side as the further percentile, like the intervals of the smooth curve that stands for the
// truth (elasticity/power_curve.h).
Expectation expectation(double claim, std::span<const double> deviations) {
  const double bias = stats::mean(deviations);
  const double reach =
      std::max(stats::quantile(deviations, 0.975) - bias, bias - stats::quantile(deviations, 0.025));
  return {claim - bias, {claim - bias - reach, claim - bias + reach}};
}

struct Claim {
  double claimed = 0;
  double realised = 0;
  double excess() const { return claimed - realised; }
};

// Nothing where the drawn rows do not let this policy divide the cut.
Result<std::optional<Claim>> claim_of(const World& world, const Problem& problem, Policy policy, Power cut) {
  const auto allocation = divide_cut(problem, policy, cut, kRough);
  if (!allocation && allocation.error().kind == ErrorKind::internal)
    return std::unexpected(allocation.error());
  if (!allocation || allocation->status != Status::met) return std::nullopt;
  return Claim{claimed_share(problem, allocation->objective),
               realised_share(world, problem, allocation->draws)};
}

Result<void> add_resample(const World& world, double cut_share, std::span<const FleetPlan* const> plans,
                          std::vector<Deviations>& deviations) {
  const auto drawn = make_problem(world.table, world.fleet, world.options);
  if (!drawn) return {};  // a reference drawn to be useless; counted by its absence
  const Problem& problem = drawn->problem;
  const Power cut = problem.uncapped_draw() * cut_share;
  const auto equal = claim_of(world, problem, Policy::equal, cut);
  if (!equal) return std::unexpected(equal.error());
  const std::optional<Claim>& shared = *equal;
  for (std::size_t p = 0; p < plans.size(); ++p) {
    const auto claim = claim_of(world, problem, plans[p]->allocation.policy, cut);
    if (!claim) return std::unexpected(claim.error());
    const std::optional<Claim>& made = *claim;
    if (!made || !shared) continue;
    deviations[p].kept.push_back(made->excess());
    deviations[p].gain.push_back(made->excess() - shared->excess());
  }
  return {};
}

Certainty certainty_of(const Problem& problem, const FleetPlan& plan, const Deviations& deviations,
                       int resamples) {
  if (plan.allocation.status != Status::met) return {.reason = "the plan does not meet the cut"};
  if (static_cast<double>(deviations.kept.size()) < kEnough * resamples) {
    return {.reason = fmt::format("only {} of {} resamples could be planned at all", deviations.kept.size(),
                                  resamples)};
  }
  const double kept = claimed_share(problem, plan.allocation.objective);
  const double gain = kept - claimed_share(problem, plan.objective_equal);
  Expectation share = expectation(kept, deviations.kept);
  share.ci95 = {std::max(share.ci95.low, 0.0), std::min(share.ci95.high, 1.0)};
  share.expected = std::clamp(share.expected, share.ci95.low, share.ci95.high);
  return {.kept = share, .gain = expectation(gain, deviations.gain)};
}

}  // namespace

double claimed_share(const Problem& problem, double objective) {
  if (problem.objective == Objective::normalized) return objective;
  double most = 0;
  for (const Job& job : problem.jobs) most += job.curve->uncapped_throughput();
  return objective / most;
}

Result<Certainties> plan_certainty(const SweepTable& table, const FleetProblem& fleet,
                                   const FleetOptions& options, std::span<const FleetPlan* const> plans,
                                   const CertaintyOptions& how) {
  const auto none = [&plans](const std::string& reason) {
    return Certainties{.plans = std::vector<Certainty>(plans.size(), Certainty{.reason = reason})};
  };
  if (plans.empty() || how.resamples == 0) return none("not asked for");
  auto world = world_of(table, fleet, options, how);
  if (!world) return none(world.error().message);
  const double cut_share = 1 - plans.front()->allocation.budget / fleet.problem.uncapped_draw();
  std::vector<Deviations> deviations(plans.size());
  for (int r = 0; r < how.resamples; ++r) {
    for (std::size_t g = 0; g < world->truths.size(); ++g) {
      world->truths[g].draw_rows(world->streams[g], world->table.groups[g]);
    }
    if (const auto added = add_resample(*world, cut_share, plans, deviations); !added) {
      return std::unexpected(added.error());
    }
    if (how.progress) how.progress(r + 1);
  }
  Certainties result{.warnings = std::move(world->warnings)};
  for (std::size_t p = 0; p < plans.size(); ++p) {
    result.plans.push_back(certainty_of(fleet.problem, *plans[p], deviations[p], how.resamples));
  }
  return result;
}

}  // namespace wattflex::allocate
