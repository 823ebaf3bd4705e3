// Plans on the terminal.
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "apps/wattflex/plan_report.h"
#include "base/counted.h"
#include "report/display_text.h"
#include "report/text_table.h"

namespace wattflex::app {
namespace {

using allocate::FleetPlan;
using allocate::Job;
using allocate::JobOrigin;
using allocate::PlannedJob;
using report::Align;
using report::TextTable;

std::string percent_cell(double share) {
  return fmt::format("{:.2f}", 100 * share);
}

std::string raw_sum(const PlanReport& report, double tokens) {
  const int decimals = tokens < 10 ? 3 : (tokens < 1000 ? 1 : 0);
  const std::string number =
      tokens < 1 ? fmt::format("{:.3g}", tokens) : fmt::format("{:.{}f}", tokens, decimals);
  return number + (in_one_unit(report) ? " " : "?");
}

// What the reader must know about a job, in a few letters explained below the table.
std::string job_name(const PlanReport& report, std::size_t j) {
  const auto& jobs = report.fleet.problem.jobs;
  std::string name = jobs[j].name;
  const std::string& accelerator = report.table.groups[report.fleet.origins[j].group].id.accelerator;
  const bool has_namesake = std::ranges::count(jobs, jobs[j].name, &Job::name) > 1;
  if (has_namesake && !accelerator.empty()) name += " on " + accelerator;
  return name + (report.fleet.origins[j].scaled ? " *" : "");
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

std::string kept_text(const PlannedJob& planned) {
  return fmt::format("{:.1f} %{}", 100 * planned.kept, planned.promise_kept.value_or(true) ? " " : "!");
}

// Beyond two policies caps and throughputs are tables of their own: side by side they would not fit a page.
enum class JobCells { caps, kept, both };

void print_jobs(const PlanReport& report, JobCells cells, Console& console) {
  std::vector<report::Column> columns = {{"job", "job", Align::left}, {"gpus", "GPUs"}};
  if (cells != JobCells::kept) columns.push_back({"pfi", "PFI (points)"});
  if (cells != JobCells::caps) columns.push_back({"tier", "promise", Align::left});
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan) continue;
    const std::string name(to_string(policy.policy));
    if (cells != JobCells::kept)
      columns.push_back({name + "_cap_w", name + (cells == JobCells::both ? " cap W" : "")});
    if (cells != JobCells::caps)
      columns.push_back({name + "_kept", cells == JobCells::both ? "kept " : name + " "});
  }
  TextTable table(std::move(columns));
  for (std::size_t j = 0; j < report.fleet.problem.jobs.size(); ++j) {
    std::vector<std::string> row = {job_name(report, j), std::to_string(report.fleet.problem.jobs[j].gpus)};
    if (cells != JobCells::kept) row.push_back(pfi_text(report, j));
    if (cells != JobCells::caps) row.emplace_back(to_string(report.fleet.origins[j].tier));
    for (const PolicyPlan& policy : report.plans) {
      if (!policy.plan) continue;
      if (cells != JobCells::kept) row.push_back(report::cap_text(policy.plan->jobs[j].cap));
      if (cells != JobCells::caps) row.push_back(kept_text(policy.plan->jobs[j]));
    }
    table.add_row(std::move(row));
  }
  console.print(table);
}

void print_all_jobs(const PlanReport& report, Console& console) {
  const auto shown =
      std::ranges::count_if(report.plans, [](const PolicyPlan& p) { return p.plan.has_value(); });
  if (shown <= 2) return print_jobs(report, JobCells::both, console);
  console.say("Caps in W per GPU, by policy");
  print_jobs(report, JobCells::caps, console);
  console.say("\nThroughput kept, by policy");
  print_jobs(report, JobCells::kept, console);
}

std::size_t broken_promises(const FleetPlan& plan) {
  // Of an infeasible cut nothing can be promised anyway.
  if (plan.allocation.status == allocate::Status::infeasible) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(
      plan.jobs, [](const PlannedJob& job) { return !job.promise_kept.value_or(true); }));
}

// "met", "met, 1 promise broken".
std::string status_text(const FleetPlan& plan) {
  const std::size_t broken = broken_promises(plan);
  const std::string status = to_string(plan.allocation.status);
  return broken == 0 ? status : status + ", " + counted(broken, "promise") + " broken";
}

std::string expected_text(const std::optional<allocate::Expectation>& expectation) {
  if (!expectation) return "-";
  const auto& [low, high] = expectation->ci95;
  return fmt::format("{:.1f} ({:.1f}..{:.1f})", 100 * expectation->expected, 100 * low, 100 * high);
}

// A policy whose weights are all alike, or with a lone job to cut.
bool divides_equally(const PolicyPlan& policy) {
  const auto& gain = policy.certainty.gain;
  return gain && gain->ci95.low == 0 && gain->ci95.high == 0;
}

std::string gain_text(const PolicyPlan& policy) {
  if (policy.policy == allocate::Policy::equal) return "";
  const auto& gain = policy.certainty.gain;
  if (!gain) return "-";
  if (divides_equally(policy)) return "same";
  return fmt::format("{} ({}..{})", report::points_text(gain->expected), report::points_text(gain->ci95.low),
                     report::points_text(gain->ci95.high));
}

void print_policies(const PlanReport& report, Console& console) {
  TextTable table(
      {{"policy", "policy", Align::left},
       {"kept", report.fleet.problem.objective == allocate::Objective::tokens ? "tokens kept %" : "kept %"},
       {"at_caps", "at caps %"},
       {"expected", "expect % (95 %)"},
       {"gain", "gain (95 %)"},
       {"raw_sum", "raw sum "},
       {"status", "status", Align::left}});
  for (const PolicyPlan& policy : report.plans) {
    const std::string name(to_string(policy.policy));
    if (!policy.plan) {
      table.add_row({name, "-", "-", "-", "-", "-", "refused"});
      continue;
    }
    const FleetPlan& plan = *policy.plan;
    table.add_row({name, percent_cell(kept_of(report, plan)), percent_cell(kept_at_caps_of(report, plan)),
                   expected_text(policy.certainty.kept), gain_text(policy), raw_sum(report, plan.tokens),
                   status_text(plan)});
  }
  console.print(table);
}

std::string joined(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

// Why a plan that meets the cut has no interval although one was asked for.
void say_why_uncertain(const PlanReport& report, Console& console) {
  for (const PolicyPlan& policy : report.plans) {
    if (report.resamples == 0 || !policy.plan || policy.certainty.kept) continue;
    if (policy.plan->allocation.status != allocate::Status::met) continue;
    return console.say(fmt::format("No intervals: {}.", policy.certainty.reason));
  }
}

// Who does better than equal sharing, who worse, and of whom that cannot be told.
void say_who_gains(const PlanReport& report, Console& console) {
  std::vector<std::string> better;
  std::vector<std::string> worse;
  std::vector<std::string> open;
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan || policy.policy == allocate::Policy::equal) continue;
    if (!policy.certainty.gain || divides_equally(policy)) continue;
    std::vector<std::string>& names = !policy.certainty.differs_from_equal()
                                          ? open
                                          : (policy.certainty.gain->expected > 0 ? better : worse);
    names.emplace_back(to_string(policy.policy));
  }
  if (!better.empty()) console.say(fmt::format("Better than equal sharing: {}.", joined(better)));
  if (!worse.empty())
    console.say(fmt::format("Worse than equal sharing: {}; share equally instead.", joined(worse)));
  if (!open.empty()) {
    console.say(fmt::format(
        "Not told apart from equal sharing by these measurements: {}. Sharing equally may be as good.",
        joined(open)));
  }
}

void say_what_happened(const PlanReport& report, Console& console) {
  if (const auto missing = shortcoming(report)) console.say(missing->message);
  std::vector<std::string> behind;
  for (const PolicyPlan& policy : report.plans) {
    if (!policy.plan) {
      console.say(fmt::format("Refused: {}.", policy.plan.error().message));
    } else if (policy.plan->worse_than_equal()) {
      behind.emplace_back(to_string(policy.policy));
    }
  }
  if (!behind.empty()) {
    console.say(fmt::format("On the measured curves {} keep{} less than equal sharing.", joined(behind),
                            behind.size() == 1 ? "s" : ""));
  }
  say_why_uncertain(report, console);
  say_who_gains(report, console);
}

bool expects(const PolicyPlan& policy) {
  return policy.plan && policy.certainty.kept;
}

void say_footnotes(const PlanReport& report, Console& console) {
  const bool any = std::ranges::any_of(report.plans, [](const PolicyPlan& p) { return p.plan.has_value(); });
  if (std::ranges::any_of(report.plans, expects)) {
    console.say(
        "expect, gain: what to expect in truth, in % and in points over equal sharing. Planning on noisy "
        "curves promises too much; that is taken off.");
  }
  if (std::ranges::any_of(report.plans,
                          [](const PolicyPlan& p) { return p.plan && broken_promises(*p.plan) > 0; })) {
    console.say("!  below the job's promise while the cut lasts; --floor tier keeps every promise.");
  }
  if (any && !in_one_unit(report))
    console.say("?  raw sum of throughput; the table does not state that all groups count in one unit.");
  if (std::ranges::any_of(report.fleet.origins, &JobOrigin::scaled))
    console.say("*  measured on another GPU count; power and throughput are scaled by the ratio.");
}

}  // namespace

void print_tables(const PlanReport& report, Console& console) {
  const Power uncapped = report.fleet.problem.uncapped_draw();
  int gpus = 0;
  for (const Job& job : report.fleet.problem.jobs) gpus += job.gpus;
  console.say(fmt::format("{}, {}, {} uncapped ({}); cut {} ({} %) to {}\n",
                          counted(report.fleet.problem.jobs.size(), "job"), counted(gpus, "GPU"),
                          watts_text(uncapped), pedigree_of(report), watts_text(report.cut),
                          percent_cell(report.cut / uncapped), watts_text(uncapped - report.cut)));
  print_all_jobs(report, console);
  console.say("");
  print_policies(report, console);
  console.say("");
  say_what_happened(report, console);
  say_footnotes(report, console);
}

}  // namespace wattflex::app
