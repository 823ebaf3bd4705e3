#include "allocate/allocation.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "allocate/sharing.h"
#include "allocate/verify.h"

namespace wattflex::allocate {
namespace {

Result<std::vector<double>> shared_draws(const Problem& problem, Policy policy, double cut) {
  const auto weights = sharing_weights(problem, policy);
  if (!weights) return std::unexpected(weights.error());
  std::vector<double> rooms;
  rooms.reserve(problem.jobs.size());
  for (const Job& job : problem.jobs) rooms.push_back((job.uncapped_draw() - job.least_draw()).watts());
  std::vector<double> draws(rooms.size());
  ProportionalSharing(rooms, *weights).share(cut, draws);
  for (std::size_t j = 0; j < draws.size(); ++j)
    draws[j] = problem.jobs[j].uncapped_draw().watts() - draws[j];
  return draws;
}

std::vector<Power> as_power(const std::vector<double>& watts) {
  std::vector<Power> powers;
  powers.reserve(watts.size());
  for (const double value : watts) powers.push_back(Power::from_watts(value));
  return powers;
}

Result<void> divide_feasible(const Problem& problem, Power cut, const OracleOptions& options,
                             Allocation& allocation) {
  if (allocation.policy == Policy::oracle) {
    const Optimum optimum = Oracle(problem).solve(allocation.budget.watts(), options);
    allocation.draws = as_power(optimum.draws);
    allocation.bound = optimum.bound;
    return {};
  }
  const auto draws = shared_draws(problem, allocation.policy, cut.watts());
  if (!draws) return std::unexpected(draws.error());
  allocation.draws = as_power(*draws);
  return {};
}

Result<void> check_request(const Problem& problem, Power cut) {
  if (problem.jobs.empty()) {
    return fail(ErrorKind::no_data, "there are no jobs to divide a cut over",
                "give a table with at least one group");
  }
  if (cut < Power() || cut > problem.uncapped_draw()) {
    return fail(ErrorKind::usage,
                fmt::format("a cut of {:.1f} W is not between 0 and the uncapped draw, {:.1f} W", cut.watts(),
                            problem.uncapped_draw().watts()),
                "ask for a share of the draw, such as 25%");
  }
  return {};
}

}  // namespace

double objective_at(const Problem& problem, const std::vector<Power>& draws) {
  const std::vector<double> weights = objective_weights(problem);
  double sum = 0;
  for (std::size_t j = 0; j < draws.size(); ++j) {
    sum += weights[j] * problem.jobs[j].curve->throughput_at(draws[j]);
  }
  return sum;
}

Result<Allocation> divide_cut(const Problem& problem, Policy policy, Power cut,
                              const OracleOptions& options) {
  if (const auto checked = check_request(problem, cut); !checked) return std::unexpected(checked.error());
  Allocation allocation;
  allocation.policy = policy;
  allocation.budget = problem.uncapped_draw() - cut;
  const Power least = problem.least_draw();
  // Rounding in the sums of watts is no shortfall.
  const Power rounding = problem.uncapped_draw() * 1e-12;
  if (allocation.budget < least - rounding) {
    allocation.status = Status::infeasible;
    allocation.shortfall = least - allocation.budget;
    for (const Job& job : problem.jobs) allocation.draws.push_back(job.least_draw());
    // Refused all the same when the policy cannot serve these jobs at all.
    if (policy != Policy::oracle) {
      if (const auto weights = sharing_weights(problem, policy); !weights) {
        return std::unexpected(weights.error());
      }
    }
  } else if (const auto divided = divide_feasible(problem, cut, options, allocation); !divided) {
    return std::unexpected(divided.error());
  }
  allocation.objective = objective_at(problem, allocation.draws);
  // The two were added up in another order: no bound stands a rounding below what was reached.
  if (allocation.bound) allocation.bound = std::max(*allocation.bound, allocation.objective);
  if (const auto verified = verify(problem, cut, allocation); !verified) {
    return std::unexpected(verified.error());
  }
  return allocation;
}

}  // namespace wattflex::allocate
