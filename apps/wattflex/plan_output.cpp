#include "apps/wattflex/plan_output.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "apps/wattflex/output.h"
#include "base/counted.h"
#include "report/text_table.h"

namespace wattflex::app {
namespace {

using allocate::FleetPlan;
using allocate::Job;
using allocate::JobOrigin;
using allocate::PlannedJob;
using nlohmann::json;
using report::Align;
using report::TextTable;

std::string pedigree_of(const PlanReport& report) {
  std::set<std::string_view> kinds;
  for (const JobOrigin& origin : report.fleet.origins) {
    kinds.insert(to_string(report.table.groups[origin.group].pedigree));
  }
  return kinds.size() == 1 ? std::string(*kinds.begin()) : "mixed";
}

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

// Throughput has one unit in a group; that groups share it, no table states.
bool in_one_unit(const PlanReport& report) {
  const auto& origins = report.fleet.origins;
  return std::ranges::all_of(origins,
                             [&](const JobOrigin& origin) { return origin.group == origins.front().group; });
}

json total_json(const PlanReport& report, const FleetPlan& plan) {
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
          {"objective", allocation.objective},
          {"objective_equal", plan.objective_equal},
          {"objective_bound", or_null(allocation.bound)},
          {"worse_than_equal", plan.worse_than_equal()}};
}

json plan_json(const PlanReport& report, const FleetPlan& plan) {
  json jobs = json::array();
  for (std::size_t j = 0; j < plan.jobs.size(); ++j) jobs.push_back(job_json(report, j, plan.jobs[j]));
  return {{"policy", to_string(plan.allocation.policy)},
          {"jobs", std::move(jobs)},
          {"total", total_json(report, plan)}};
}

json refused_json(allocate::Policy policy, const Error& error) {
  return {{"policy", to_string(policy)},
          {"jobs", json::array()},
          {"total", {{"status", to_string(error.kind)}}},
          {"error", {{"message", error.message}, {"remedy", error.remedy}}}};
}

std::string percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

std::string raw_sum(const PlanReport& report, double tokens) {
  const int decimals = tokens < 10 ? 3 : (tokens < 1000 ? 1 : 0);
  const std::string number =
      tokens < 1 ? fmt::format("{:.3g}", tokens) : fmt::format("{:.{}f}", tokens, decimals);
  return number + (in_one_unit(report) ? " " : "?");
}

std::string kilowatts(Power power) {
  return fmt::format("{:.1f}", power.watts() / 1e3);
}

// What the reader must know about a job, in a few letters explained below the table.
std::string job_name(const PlanReport& report, std::size_t j) {
  return report.fleet.problem.jobs[j].name + (report.fleet.origins[j].scaled ? " *" : "");
}

std::string pfi_text(const PlanReport& report, std::size_t j) {
  const JobOrigin& origin = report.fleet.origins[j];
  const double pfi = report.fleet.problem.jobs[j].pfi.value_or(1);
  switch (origin.pfi_source) {
    case allocate::PfiSource::neutral:
      return "none";
    case allocate::PfiSource::predicted:
      return fmt::format("{:.2f} (predicted)", pfi);
    default:
      return fmt::format("{:.2f} ({})", pfi, origin.pfi_points);
  }
}

void print_jobs(const PlanReport& report, Console& console) {
  std::vector<report::Column> columns = {{"job", "job", Align::left},
                                         {"gpus", "GPUs"},
                                         {"tier", "promise", Align::left},
                                         {"pfi", "PFI (points)"}};
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan) continue;
    const std::string name(to_string(policy.policy));
    columns.push_back({name + "_cap_w", name + " cap W"});
    columns.push_back({name + "_kept", "kept"});
  }
  TextTable table(std::move(columns));
  for (std::size_t j = 0; j < report.fleet.problem.jobs.size(); ++j) {
    const Job& job = report.fleet.problem.jobs[j];
    std::vector<std::string> cells = {job_name(report, j), std::to_string(job.gpus),
                                      std::string(to_string(report.fleet.origins[j].tier)),
                                      pfi_text(report, j)};
    for (const PolicyPlan& policy : report.plans) {
      if (!policy.plan) continue;
      const PlannedJob& planned = policy.plan->jobs[j];
      cells.push_back(fmt::format("{:.0f}", planned.cap.watts()));
      cells.push_back(
          fmt::format("{:.1f} %{}", 100 * planned.kept, planned.promise_kept.value_or(true) ? " " : "!"));
    }
    table.add_row(std::move(cells));
  }
  console.print(table);
}

// "met", "met, 1 promise broken".
std::string status_text(const FleetPlan& plan) {
  std::string text(to_string(plan.allocation.status));
  // Of an infeasible cut nothing can be promised anyway.
  if (plan.allocation.status == allocate::Status::infeasible) return text;
  const auto broken = std::ranges::count_if(
      plan.jobs, [](const PlannedJob& job) { return !job.promise_kept.value_or(true); });
  if (broken > 0) text += ", " + counted(static_cast<std::size_t>(broken), "promise") + " broken";
  return text;
}

void print_policies(const PlanReport& report, Console& console) {
  TextTable table({{"policy", "policy", Align::left},
                   {"power_kw", "draw kW"},
                   {"normalized", "throughput kept"},
                   {"against_equal", "against equal"},
                   {"raw_sum", "raw sum "},
                   {"at_caps", "at whole-watt caps"},
                   {"status", "status", Align::left}});
  for (const PolicyPlan& policy : report.plans) {
    const std::string name(to_string(policy.policy));
    if (!policy.plan) {
      table.add_row({name, "-", "-", "-", "-", "-", "refused: " + policy.plan.error().message});
      continue;
    }
    const FleetPlan& plan = *policy.plan;
    const double against = plan.allocation.objective / plan.objective_equal - 1;
    table.add_row({name, kilowatts(plan.draw), percent(plan.normalized),
                   policy.policy == allocate::Policy::equal ? "" : fmt::format("{:+.2f} %", 100 * against),
                   raw_sum(report, plan.tokens), percent(plan.normalized_at_caps), status_text(plan)});
  }
  console.print(table);
}

void say_what_happened(const PlanReport& report, Console& console) {
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan) continue;
    const FleetPlan& plan = *policy.plan;
    if (plan.allocation.status == allocate::Status::infeasible) {
      const Power least = report.fleet.problem.least_draw();
      const Power uncapped = report.fleet.problem.uncapped_draw();
      console.say(fmt::format(
          "Infeasible: with every job at its least allowed draw {:.1f} W more than the budget are "
          "drawn. The largest cut they can give is {:.1f} % ({:.1f} kW).",
          plan.allocation.shortfall.watts(), 100 * (1 - least / uncapped), (uncapped - least).watts() / 1e3));
      return;
    }
    if (plan.worse_than_equal()) {
      console.say(fmt::format("Policy {} does worse than equal sharing here; share equally instead.",
                              to_string(policy.policy)));
    }
  }
}

void say_footnotes(const PlanReport& report, Console& console) {
  bool broken = false;
  bool scaled = false;
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan) continue;
    // Of an infeasible cut nothing can be promised anyway.
    if (policy.plan->allocation.status == allocate::Status::infeasible) continue;
    for (const PlannedJob& job : policy.plan->jobs) broken = broken || !job.promise_kept.value_or(true);
  }
  for (const JobOrigin& origin : report.fleet.origins) scaled = scaled || origin.scaled;
  if (broken)
    console.say("!  below the job's promise while the cut lasts; --floor tier keeps every promise.");
  const bool any = std::ranges::any_of(report.plans, [](const PolicyPlan& p) { return p.plan.has_value(); });
  if (any && !in_one_unit(report))
    console.say("?  raw sum of throughput; the table does not state that all groups count in one unit.");
  if (scaled) console.say("*  measured on another GPU count; power and throughput are scaled by the ratio.");
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
                   {"warnings", report.warnings}};
  if (report.plans.size() == 1) {
    document.update(plan_json(report, *report.plans.front().plan));
    return document;
  }
  document["plans"] = json::array();
  for (const PolicyPlan& policy : report.plans) {
    document["plans"].push_back(policy.plan ? plan_json(report, *policy.plan)
                                            : refused_json(policy.policy, policy.plan.error()));
  }
  return document;
}

void print_csv(const PlanReport& report, Console& console) {
  TextTable table({{"policy", ""},
                   {"job", ""},
                   {"group", ""},
                   {"gpus", ""},
                   {"tier", ""},
                   {"value", ""},
                   {"power_w", ""},
                   {"cap_w", ""},
                   {"power_at_cap_w", ""},
                   {"throughput", ""},
                   {"throughput_kept", ""},
                   {"limited_by", ""},
                   {"scaled", ""},
                   {"status", ""}});
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan) continue;
    for (std::size_t j = 0; j < policy.plan->jobs.size(); ++j) {
      const Job& job = report.fleet.problem.jobs[j];
      const JobOrigin& origin = report.fleet.origins[j];
      const PlannedJob& planned = policy.plan->jobs[j];
      table.add_row({std::string(to_string(policy.policy)), job.name,
                     report.table.groups[origin.group].id.group, std::to_string(job.gpus),
                     std::string(to_string(origin.tier)), fmt::format("{}", job.value),
                     fmt::format("{}", planned.draw.watts()), fmt::format("{}", planned.cap.watts()),
                     fmt::format("{}", planned.draw_at_cap.watts()), fmt::format("{}", planned.throughput),
                     fmt::format("{}", planned.kept), std::string(to_string(planned.limit)),
                     origin.scaled ? "true" : "false", to_string(policy.plan->allocation.status)});
    }
  }
  console.print(table);
}

void print_tables(const PlanReport& report, Console& console) {
  const Power uncapped = report.fleet.problem.uncapped_draw();
  int gpus = 0;
  for (const Job& job : report.fleet.problem.jobs) gpus += job.gpus;
  console.say(fmt::format("{}, {}, {} kW uncapped ({}); cut {} kW ({}) to {} kW\n",
                          counted(report.fleet.problem.jobs.size(), "job"), counted(gpus, "GPU"),
                          kilowatts(uncapped), pedigree_of(report), kilowatts(report.cut),
                          percent(report.cut / uncapped), kilowatts(uncapped - report.cut)));
  print_jobs(report, console);
  console.say("");
  print_policies(report, console);
  console.say("");
  say_what_happened(report, console);
  say_footnotes(report, console);
}

}  // namespace wattflex::app
