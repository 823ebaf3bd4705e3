#include "apps/wattflex/plan_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/counted.h"
#include "report/display_text.h"

namespace wattflex::app {

double kept_of(const PlanReport& report, const allocate::FleetPlan& plan) {
  return allocate::claimed_share(report.fleet.problem, plan.allocation.objective);
}

double gain_of(const PlanReport& report, const allocate::FleetPlan& plan) {
  return kept_of(report, plan) - allocate::claimed_share(report.fleet.problem, plan.objective_equal);
}

double kept_at_caps_of(const PlanReport& report, const allocate::FleetPlan& plan) {
  if (report.fleet.problem.objective == allocate::Objective::normalized) return plan.normalized_at_caps;
  double tokens = 0;
  for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
    tokens += plan.jobs[j].kept_at_cap * report.fleet.problem.jobs[j].curve->uncapped_throughput();
  }
  return allocate::claimed_share(report.fleet.problem, tokens);
}

std::string pedigree_of(const PlanReport& report) {
  std::set<std::string_view> kinds;
  for (const allocate::JobOrigin& origin : report.fleet.origins) {
    kinds.insert(to_string(report.table.groups[origin.group].pedigree));
  }
  return kinds.size() == 1 ? std::string(*kinds.begin()) : "mixed";
}

bool in_one_unit(const PlanReport& report) {
  const auto& origins = report.fleet.origins;
  return std::ranges::all_of(
      origins, [&](const allocate::JobOrigin& origin) { return origin.group == origins.front().group; });
}

std::string watts_text(Power power) {
  return power.watts() < 1000 ? fmt::format("{:.1f} W", power.watts())
                              : fmt::format("{:.1f} kW", power.watts() / 1e3);
}

namespace {

// As watts_text(), rounded down: a cut that can be given.
std::string reachable_text(Power power) {
  const double unit_w = power.watts() < 1000 ? 0.1 : 100;
  return watts_text(Power::from_watts(std::floor(power.watts() / unit_w + 1e-9) * unit_w));
}

}  // namespace

std::optional<Error> shortcoming(const PlanReport& report) {
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan || policy.plan->allocation.status == allocate::Status::met) continue;
    const Power least = report.fleet.problem.least_draw();
    const Power uncapped = report.fleet.problem.uncapped_draw();
    return Error{
        ErrorKind::infeasible,
        fmt::format(
            "Infeasible: with every job at its least allowed draw {} more than the budget are drawn. The "
            "largest cut they can give is {} % ({}).",
            watts_text(policy.plan->allocation.shortfall), report::reachable_percent(1 - least / uncapped),
            reachable_text(uncapped - least)),
        "ask for a smaller cut, or sweep lower caps"};
  }
  if (report.fleet.left_out.empty()) return std::nullopt;
  return Error{
      ErrorKind::no_data,
      counted(report.fleet.left_out.size(), "group") + " left out: " + report.fleet.left_out.front().reason,
      "measure what is missing, or name the jobs to plan for with --fleet FILE"};
}

}  // namespace wattflex::app
