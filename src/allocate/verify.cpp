#include "allocate/verify.h"

#include <fmt/core.h>

#include <cmath>
#include <string>

namespace wattflex::allocate {
namespace {

// Relative to the fleet's uncapped draw or objective: room for rounding, nothing else.
constexpr double kTolerance = 1e-9;

std::unexpected<Error> wrong(const Allocation& allocation, const std::string& what) {
  return fail(
      ErrorKind::internal,
      fmt::format("the plan by policy {} failed its own check: {}", to_string(allocation.policy), what),
      "this is a bug of Wattflex; please report it with the table and the command");
}

// By walking the points from the uncapped end down: not Curve's own lookup.
double read_off(const Curve& curve, double watts) {
  const auto points = curve.points();
  for (std::size_t k = points.size(); k-- > 1;) {
    const double high = points[k].draw.watts();
    const double low = points[k - 1].draw.watts();
    if (watts >= high) return points[k].throughput;
    if (watts >= low) {
      const double missing = (high - watts) / (high - low);
      return points[k].throughput - missing * (points[k].throughput - points[k - 1].throughput);
    }
  }
  return points.front().throughput;
}

// Draw of a job at a cap, on the straight lines through its measured rows: not CapMap's own lookup.
double line_through(std::span<const MeasuredCap> rows, double cap_w) {
  for (std::size_t k = rows.size(); k-- > 1;) {
    const double high = rows[k].cap.watts();
    const double low = rows[k - 1].cap.watts();
    if (cap_w >= high) return rows[k].draw.watts();
    if (cap_w >= low) {
      return rows[k].draw.watts() - (high - cap_w) / (high - low) * (rows[k].draw - rows[k - 1].draw).watts();
    }
  }
  return rows.front().draw.watts();
}

struct Totals {
  double draw = 0;
  double uncapped_draw = 0;
  double yield = 0;
  double uncapped_yield = 0;
  double normaliser = 0;
};

Totals add_up(const Problem& problem, const Allocation& allocation) {
  Totals totals;
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    const Job& job = problem.jobs[j];
    const CurvePoint& top = job.curve->points().back();
    const double watts = allocation.draws[j].watts();
    double throughput = read_off(*job.curve, watts);
    double uncapped = top.throughput;
    if (problem.objective == Objective::normalized) {
      throughput *= job.value * job.gpus / top.throughput;
      uncapped = job.value * job.gpus;
    }
    totals.draw += watts;
    totals.uncapped_draw += top.draw.watts();
    totals.yield += throughput;
    totals.uncapped_yield += uncapped;
  }
  totals.normaliser = problem.objective == Objective::normalized ? totals.uncapped_yield : 1.0;
  return totals;
}

Result<void> verify_ranges(const Problem& problem, const Allocation& allocation) {
  if (allocation.draws.size() != problem.jobs.size()) return wrong(allocation, "not one draw a job");
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    const Job& job = problem.jobs[j];
    const double watts = allocation.draws[j].watts();
    const double top = job.curve->points().back().draw.watts();
    const double slack = kTolerance * top;
    // Written so that a draw that is not a number fails too.
    const bool in_range = watts >= job.curve->points().front().draw.watts() - slack && watts <= top + slack;
    const bool above_floor = watts >= std::fmin(job.floor.watts(), top) - slack;
    if (!in_range || !above_floor) {
      return wrong(allocation,
                   fmt::format("job '{}' at {} W is outside its range or below its floor", job.name, watts));
    }
  }
  return {};
}

}  // namespace

Result<void> verify(const Problem& problem, Power cut, const Allocation& allocation) {
  if (const auto ranges = verify_ranges(problem, allocation); !ranges) return ranges;
  const Totals totals = add_up(problem, allocation);
  const double slack = kTolerance * totals.uncapped_draw;
  const double over = totals.draw - (totals.uncapped_draw - cut.watts());
  if (allocation.status == Status::met && !(over <= slack)) {
    return wrong(allocation, fmt::format("draws exceed the budget by {} W", over));
  }
  if (allocation.status == Status::infeasible && !(std::fabs(over - allocation.shortfall.watts()) <= slack)) {
    return wrong(allocation, "the shortfall is not what the draws exceed the budget by");
  }
  const double objective = totals.yield / totals.normaliser;
  const double most = totals.uncapped_yield / totals.normaliser;
  if (!(std::fabs(objective - allocation.objective) <= kTolerance * most)) {
    return wrong(allocation, fmt::format("objective {} is really {}", allocation.objective, objective));
  }
  if (allocation.bound &&
      !(*allocation.bound >= objective - kTolerance * most && *allocation.bound <= most * (1 + kTolerance))) {
    return wrong(allocation, fmt::format("bound {} cannot be right", *allocation.bound));
  }
  return {};
}

Result<void> verify_caps(const Problem& problem, const Allocation& allocation, std::span<const Power> caps) {
  if (caps.size() != problem.jobs.size()) return wrong(allocation, "not one cap a job");
  if (allocation.status != Status::met) return {};
  double draw = 0;
  double uncapped = 0;
  for (std::size_t j = 0; j < caps.size(); ++j) {
    draw += line_through(problem.jobs[j].curve->caps().rows(), caps[j].watts());
    uncapped += problem.jobs[j].curve->points().back().draw.watts();
  }
  const double over = draw - allocation.budget.watts();
  if (!(over <= kTolerance * uncapped)) {
    return wrong(allocation, fmt::format("by the measured rows its caps draw {} W above the budget", over));
  }
  return {};
}

}  // namespace wattflex::allocate
