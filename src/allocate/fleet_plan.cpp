#include "allocate/fleet_plan.h"

#include <utility>

#include "allocate/verify.h"
#include "allocate/whole_watt.h"

namespace wattflex::allocate {
namespace {

Limit limit_of(const Job& job, Power draw) {
  const Power rounding = job.uncapped_draw() * 1e-9;
  if (draw >= job.uncapped_draw() - rounding) return Limit::uncapped;
  if (draw > job.least_draw() + rounding) return Limit::none;
  return job.floor > job.curve->least_capped_draw() ? Limit::floor : Limit::lowest_draw;
}

std::optional<bool> promise_kept(FlexTier tier, double kept) {
  if (tier == FlexTier::none) return std::nullopt;
  return kept >= promised_throughput(tier) - 1e-9;
}

PlannedJob planned(const Job& job, FlexTier tier, Power draw) {
  const WholeWattCap whole = whole_watt_cap(*job.curve, draw);
  const double uncapped = job.curve->uncapped_throughput();
  const double throughput = job.curve->throughput_at(draw);
  const double kept_at_cap = sure_share(*job.curve, whole.cap);
  return {.draw = draw,
          .cap = whole.cap,
          .draw_at_cap = whole.draw,
          .throughput = throughput,
          .kept = throughput / uncapped,
          .kept_at_cap = kept_at_cap,
          .limit = limit_of(job, draw),
          .promise_kept = promise_kept(tier, kept_at_cap)};
}

void add_up(const Problem& problem, FleetPlan& plan) {
  double weight = 0;
  for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
    const Job& job = problem.jobs[j];
    const PlannedJob& planned_job = plan.jobs[j];
    plan.draw += planned_job.draw;
    plan.draw_at_caps += planned_job.draw_at_cap;
    plan.tokens += planned_job.throughput;
    plan.normalized += job.value * job.gpus * planned_job.kept;
    plan.normalized_at_caps += job.value * job.gpus * planned_job.kept_at_cap;
    weight += job.value * job.gpus;
  }
  plan.normalized /= weight;
  plan.normalized_at_caps /= weight;
}

}  // namespace

std::string_view to_string(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "none";
    case Limit::uncapped:
      return "uncapped";
    case Limit::lowest_draw:
      return "lowest draw";
    case Limit::floor:
      return "floor";
  }
  return "unknown";
}

bool FleetPlan::worse_than_equal() const {
  return allocation.objective < objective_equal * (1 - 1e-9);
}

Result<FleetPlan> plan_fleet(const FleetProblem& fleet, Policy policy, Power cut) {
  const Problem& problem = fleet.problem;
  auto allocation = divide_cut(problem, policy, cut);
  if (!allocation) return std::unexpected(allocation.error());
  const auto equal = divide_cut(problem, Policy::equal, cut);
  if (!equal) return std::unexpected(equal.error());
  FleetPlan plan;
  plan.allocation = std::move(*allocation);
  plan.objective_equal = equal->objective;
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    plan.jobs.push_back(planned(problem.jobs[j], fleet.origins[j].tier, plan.allocation.draws[j]));
  }
  std::vector<Power> caps;
  caps.reserve(plan.jobs.size());
  for (const PlannedJob& job : plan.jobs) caps.push_back(job.cap);
  if (const auto verified = verify_caps(problem, plan.allocation, caps); !verified) {
    return std::unexpected(verified.error());
  }
  add_up(problem, plan);
  return plan;
}

}  // namespace wattflex::allocate
