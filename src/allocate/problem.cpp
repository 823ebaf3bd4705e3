#include "allocate/problem.h"

#include <algorithm>

namespace wattflex::allocate {

std::string_view to_string(Objective objective) {
  return objective == Objective::normalized ? "normalized" : "tokens";
}

std::optional<Objective> parse_objective(std::string_view text) {
  if (text == "normalized") return Objective::normalized;
  if (text == "tokens") return Objective::tokens;
  return std::nullopt;
}

Power Job::least_draw() const {
  return std::clamp(floor, curve->least_capped_draw(), curve->uncapped_draw());
}

Power Problem::uncapped_draw() const {
  Power sum;
  for (const Job& job : jobs) sum += job.uncapped_draw();
  return sum;
}

Power Problem::least_draw() const {
  Power sum;
  for (const Job& job : jobs) sum += job.least_draw();
  return sum;
}

std::vector<double> objective_weights(const Problem& problem) {
  std::vector<double> weights(problem.jobs.size(), 1.0);
  if (problem.objective == Objective::tokens) return weights;
  double total = 0;
  for (const Job& job : problem.jobs) total += job.value * job.gpus;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const Job& job = problem.jobs[j];
    weights[j] = job.value * job.gpus / (total * job.curve->uncapped_throughput());
  }
  return weights;
}

}  // namespace wattflex::allocate
