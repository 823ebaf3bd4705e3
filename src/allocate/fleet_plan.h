// One policy's answer for a fleet, job by job, as an operator applies it: caps in whole watts beside the
// planned draws, what each job keeps, what stopped it from giving more, and whether its promise holds.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "allocate/fleet_problem.h"

namespace wattflex::allocate {

// Why a job is not cut further: it is not cut at all, at its lowest measured draw, or at its floor.
enum class Limit { none, uncapped, lowest_draw, floor };

std::string_view to_string(Limit limit);

struct PlannedJob {
  Power draw;             // planned
  Power cap;              // per GPU, whole watts, rounded down
  Power draw_at_cap;      // what the rounded cap really gives, not above `draw`
  double throughput = 0;  // at the planned draw
  double kept = 0;        // share of its uncapped throughput, at the planned draw
  double kept_at_cap = 0;
  Limit limit = Limit::none;
  // Whether its tier's promise holds at the rounded cap; nothing when it made none.
  std::optional<bool> promise_kept;
};

struct FleetPlan {
  Allocation allocation;
  std::vector<PlannedJob> jobs;  // parallel to the problem's
  Power draw;                    // sums of the above
  Power draw_at_caps;
  double tokens = 0;      // raw sum of throughput
  double normalized = 0;  // value-weighted share of uncapped throughput, at the planned draws
  double normalized_at_caps = 0;
  double objective_equal = 0;  // what equal sharing of the same cut reaches

  bool worse_than_equal() const;
};

Result<FleetPlan> plan_fleet(const FleetProblem& fleet, Policy policy, Power cut);

}  // namespace wattflex::allocate
