// How fleet plans are shown: as JSON, as CSV rows and as the comparison on the terminal.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/fleet_plan.h"
#include "allocate/fleet_problem.h"
#include "apps/wattflex/console.h"
#include "model/sweep.h"

namespace wattflex::app {

// A policy's plan, or why it could not serve this fleet.
struct PolicyPlan {
  allocate::Policy policy = allocate::Policy::equal;
  Result<allocate::FleetPlan> plan;
};

struct PlanReport {
  const SweepTable& table;
  const allocate::FleetProblem& fleet;
  std::string fleet_name;  // empty: one job a group
  Power cut;
  allocate::FloorRule floor = allocate::FloorRule::none;
  std::vector<PolicyPlan> plans;
  std::vector<std::string> warnings;
};

nlohmann::json to_json(const PlanReport& report);
// One row a job and policy.
void print_csv(const PlanReport& report, Console& console);
void print_tables(const PlanReport& report, Console& console);

}  // namespace wattflex::app
