// What `wattflex plan` found, and how it is shown: as JSON and CSV (plan_json.cpp) and as tables
// (plan_tables.cpp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/certainty.h"
#include "allocate/fleet_plan.h"
#include "allocate/fleet_problem.h"
#include "apps/wattflex/console.h"
#include "model/sweep.h"

namespace wattflex::app {

// A policy's plan and how much of it to expect, or why it could not serve this fleet.
struct PolicyPlan {
  allocate::Policy policy = allocate::Policy::equal;
  Result<allocate::FleetPlan> plan;
  allocate::Certainty certainty;
};

struct PlanReport {
  const SweepTable& table;
  const allocate::FleetProblem& fleet;
  std::string fleet_name;  // empty: one job a group
  Power cut;
  allocate::FloorRule floor = allocate::FloorRule::none;
  int resamples = 0;  // behind the certainty of each plan; 0: none was asked for
  std::vector<PolicyPlan> plans;
  std::vector<std::string> warnings;
};

// Why the plans are not, or only partly, what was asked for; nothing when they are. Infeasible: a cut beyond
// what the jobs can give. No data: groups of the table that are no jobs of the plan.
std::optional<Error> shortcoming(const PlanReport& report);

// What a plan's measured curves promise, as a share of the uncapped objective, and over equal sharing.
double kept_of(const PlanReport& report, const allocate::FleetPlan& plan);
double gain_of(const PlanReport& report, const allocate::FleetPlan& plan);
// The same share at the whole-watt caps.
double kept_at_caps_of(const PlanReport& report, const allocate::FleetPlan& plan);
// measured, simulated or mixed.
std::string pedigree_of(const PlanReport& report);
// Throughput has one unit in a group; that groups share it, no table states.
bool in_one_unit(const PlanReport& report);
// "850.0 W", "71.1 kW".
std::string watts_text(Power power);

nlohmann::json to_json(const PlanReport& report);
// One row a job and policy.
void print_csv(const PlanReport& report, Console& console);
void print_tables(const PlanReport& report, Console& console);

}  // namespace wattflex::app
