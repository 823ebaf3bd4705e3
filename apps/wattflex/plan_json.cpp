// Plans for programs: JSON and CSV.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "apps/wattflex/output.h"
#include "apps/wattflex/plan_report.h"

namespace wattflex::app {
namespace {

using allocate::FleetPlan;
using allocate::Job;
using allocate::JobOrigin;
using allocate::PlannedJob;
using nlohmann::json;
using report::TextTable;

json job_json(const PlanReport& report, std::size_t j, const PlannedJob& planned) {
  const Job& job = report.fleet.problem.jobs[j];
  const JobOrigin& origin = report.fleet.origins[j];
  const GroupId& id = report.table.groups[origin.group].id;
  return {{"job", job.name},
          {"group", id.group},
          {"accelerator", id.accelerator},
          {"gpus", job.gpus},
          {"tier", to_string(origin.tier)},
          {"value", job.value},
          {"pfi", or_null(job.pfi)},
          {"pfi_source", to_string(origin.pfi_source)},
          {"pfi_points", origin.pfi_points},
          {"scaled", origin.scaled},
          {"uncapped_power_w", job.uncapped_draw().watts()},
          {"power_w", planned.draw.watts()},
          {"cap_w", planned.cap.watts()},
          {"power_at_cap_w", planned.draw_at_cap.watts()},
          {"throughput", planned.throughput},
          {"throughput_kept", planned.kept},
          {"throughput_kept_at_cap", planned.kept_at_cap},
          {"limited_by", to_string(planned.limit)},
          {"promise_kept", or_null(planned.promise_kept)}};
}

json interval_json(const std::optional<allocate::Expectation>& expectation) {
  if (!expectation) return nullptr;
  return {expectation->ci95.low, expectation->ci95.high};
}

json expected_json(const std::optional<allocate::Expectation>& expectation) {
  return expectation ? json(expectation->expected) : json(nullptr);
}

json total_json(const PlanReport& report, const FleetPlan& plan, const allocate::Certainty& certainty) {
  const allocate::Allocation& allocation = plan.allocation;
  const Power uncapped = report.fleet.problem.uncapped_draw();
  const bool met = allocation.status == allocate::Status::met;
  return {{"status", to_string(allocation.status)},
          {"uncapped_power_w", uncapped.watts()},
          {"budget_w", allocation.budget.watts()},
          {"power_w", plan.draw.watts()},
          {"cut", 1 - plan.draw / uncapped},
          {"cut_w", (uncapped - plan.draw).watts()},
          {"shortfall_w", met ? json(nullptr) : json(allocation.shortfall.watts())},
          {"tokens", plan.tokens},
          {"tokens_in_one_unit", in_one_unit(report)},
          {"normalized", plan.normalized},
          {"power_at_caps_w", plan.draw_at_caps.watts()},
          {"normalized_at_caps", plan.normalized_at_caps},
          {"kept", kept_of(report, plan)},
          {"kept_expected", expected_json(certainty.kept)},
          {"kept_ci95", interval_json(certainty.kept)},
          {"gain", gain_of(report, plan)},
          {"gain_expected", expected_json(certainty.gain)},
          {"gain_ci95", interval_json(certainty.gain)},
          {"certainty_reason", certainty.reason.empty() ? json(nullptr) : json(certainty.reason)},
          {"objective", allocation.objective},
          {"objective_equal", plan.objective_equal},
          {"objective_bound", or_null(allocation.bound)},
          {"worse_than_equal", plan.worse_than_equal()}};
}

json plan_json(const PlanReport& report, const PolicyPlan& policy) {
  const FleetPlan& plan = *policy.plan;
  json jobs = json::array();
  for (std::size_t j = 0; j < plan.jobs.size(); ++j) jobs.push_back(job_json(report, j, plan.jobs[j]));
  return {{"policy", to_string(plan.allocation.policy)},
          {"jobs", std::move(jobs)},
          {"total", total_json(report, plan, policy.certainty)}};
}

json left_out_json(const PlanReport& report) {
  json groups = json::array();
  for (const allocate::LeftOut& left_out : report.fleet.left_out) {
    groups.push_back({{"group", left_out.id.group},
                      {"accelerator", left_out.id.accelerator},
                      {"reason", left_out.reason}});
  }
  return groups;
}

json refused_json(allocate::Policy policy, const Error& error) {
  return {{"policy", to_string(policy)},
          {"jobs", json::array()},
          {"total", {{"status", to_string(error.kind)}}},
          {"error", {{"message", error.message}, {"remedy", error.remedy}}}};
}

std::vector<std::string> csv_row(const PlanReport& report, const PolicyPlan& policy, std::size_t j) {
  const Job& job = report.fleet.problem.jobs[j];
  const JobOrigin& origin = report.fleet.origins[j];
  const PlannedJob& planned = policy.plan->jobs[j];
  const GroupId& id = report.table.groups[origin.group].id;
  const auto number = [](double value) { return fmt::format("{}", value); };
  const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
  return {std::string(to_string(policy.policy)),
          job.name,
          id.group,
          id.accelerator,
          std::to_string(job.gpus),
          std::string(to_string(origin.tier)),
          number(job.value),
          number(job.uncapped_draw().watts()),
          number(planned.draw.watts()),
          number(planned.cap.watts()),
          number(planned.draw_at_cap.watts()),
          number(planned.throughput),
          number(planned.kept),
          number(planned.kept_at_cap),
          planned.promise_kept ? flag(*planned.promise_kept) : "",
          std::string(to_string(planned.limit)),
          flag(origin.scaled),
          to_string(policy.plan->allocation.status)};
}

}  // namespace

json to_json(const PlanReport& report) {
  json document = {{"table", report.table.name},
                   {"fleet", report.fleet_name.empty() ? json(nullptr) : json(report.fleet_name)},
                   {"pedigree", pedigree_of(report)},
                   {"objective", to_string(report.fleet.problem.objective)},
                   {"floor", report.floor == allocate::FloorRule::tier ? "tier" : "none"},
                   {"requested_cut_w", report.cut.watts()},
                   {"requested_cut", report.cut / report.fleet.problem.uncapped_draw()},
                   {"ci_resamples", report.resamples},
                   {"left_out", left_out_json(report)},
                   {"warnings", report.warnings}};
  const auto missing = shortcoming(report);
  document["status"] = missing ? to_string(missing->kind) : "done";
  if (missing) document["error"] = {{"message", missing->message}, {"remedy", missing->remedy}};
  if (report.plans.size() == 1) {
    document.update(plan_json(report, report.plans.front()));
    return document;
  }
  document["plans"] = json::array();
  for (const PolicyPlan& policy : report.plans) {
    document["plans"].push_back(policy.plan ? plan_json(report, policy)
                                            : refused_json(policy.policy, policy.plan.error()));
  }
  return document;
}

void print_csv(const PlanReport& report, Console& console) {
  std::vector<report::Column> columns;
  for (const char* const key :
       {"policy", "job", "group", "accelerator", "gpus", "tier", "value", "uncapped_power_w", "power_w",
        "cap_w", "power_at_cap_w", "throughput", "throughput_kept", "throughput_kept_at_cap", "promise_kept",
        "limited_by", "scaled", "status"}) {
    columns.push_back({key, ""});
  }
  TextTable table(std::move(columns));
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan) continue;
    for (std::size_t j = 0; j < policy.plan->jobs.size(); ++j) table.add_row(csv_row(report, policy, j));
  }
  console.print(table);
}

}  // namespace wattflex::app
