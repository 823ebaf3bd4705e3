// `wattflex plan`: divides a power cut over a fleet. Reading, dividing and printing are elsewhere; here they
// are put together.
#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "allocate/fleet_plan.h"
#include "apps/wattflex/arguments.h"
#include "apps/wattflex/noise_option.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/plan_report.h"
#include "apps/wattflex/predicted_pfi.h"
#include "apps/wattflex/resamples_option.h"
#include "apps/wattflex/verbs.h"
#include "base/parse.h"
#include "ingest/fleet_file.h"
#include "ingest/sweep_table.h"

namespace wattflex::app {
namespace {

Result<allocate::FleetOptions> fleet_options(const Arguments& arguments) {
  allocate::FleetOptions options;
  const auto objective = allocate::parse_objective(arguments.text("objective"));
  assert(objective);  // one of the option's choices
  options.objective = *objective;
  // Without a fleet no job has a tier: then a floor from the environment or the settings file is for others.
  if (arguments.text("floor") == "tier" && arguments.has("fleet")) options.floor = allocate::FloorRule::tier;
  return options;
}

// A share of the uncapped draw, 0..1, or power.
Result<std::variant<double, Power>> cut_from(const Arguments& arguments) {
  const auto cut = parse_percent_or_power(arguments.text("cut"));
  if (!cut) return fail(ErrorKind::usage, "--cut: " + cut.error().message, cut.error().remedy);
  const double* const share = std::get_if<double>(&*cut);
  if (share != nullptr ? *share >= 0 && *share <= 1 : std::get<Power>(*cut) >= Power()) return *cut;
  return fail(ErrorKind::usage, fmt::format("--cut: '{}' cannot be cut", arguments.text("cut")),
              "ask for 0% to 100% of the draw, or for power such as 300kW");
}

Result<Power> requested_cut(const Arguments& arguments, Power uncapped) {
  const auto cut = cut_from(arguments);
  if (!cut) return std::unexpected(cut.error());
  const double* const share = std::get_if<double>(&*cut);
  const Power watts = share != nullptr ? uncapped * *share : std::get<Power>(*cut);
  if (watts <= uncapped) return watts;
  return fail(ErrorKind::usage,
              fmt::format("--cut: {} is more than the jobs draw uncapped, {:g} W", arguments.text("cut"),
                          uncapped.watts()),
              "ask for a smaller cut");
}

Result<std::optional<Fleet>> fleet_from(const Arguments& arguments) {
  if (!arguments.has("fleet")) return std::nullopt;
  auto fleet = read_fleet(std::string(arguments.text("fleet")));
  if (!fleet) return std::unexpected(fleet.error());
  return std::optional(std::move(*fleet));
}

Result<PredictedPfi> predictions(const Arguments& arguments, const SweepTable& table) {
  if (!arguments.has("model")) return PredictedPfi();
  return predict_all(std::string(arguments.text("model")), table);
}

Result<std::vector<allocate::Policy>> policies_from(std::string_view names) {
  auto policies = allocate::parse_policies(names);
  if (!policies)
    return fail(ErrorKind::usage, "--policy: " + policies.error().message, policies.error().remedy);
  return policies;
}

// With `all`, a policy that cannot serve this fleet is listed as refused; asked for by name, it is an error.
Result<std::vector<PolicyPlan>> plan_all(const allocate::FleetProblem& fleet, std::string_view names,
                                         Power cut) {
  const auto policies = policies_from(names);
  if (!policies) return std::unexpected(policies.error());
  std::vector<PolicyPlan> plans;
  for (const allocate::Policy policy : *policies) {
    auto plan = allocate::plan_fleet(fleet, policy, cut);
    if (!plan && (names != "all" || plan.error().kind != ErrorKind::refused))
      return std::unexpected(plan.error());
    plans.push_back({policy, std::move(plan), {}});
  }
  return plans;
}

constexpr ResamplesRule kPlanResamples = {
    .fallback = "400",
    .help = "plans made anew from resampled rows, for the intervals: 100..100000, or 0 for none",
    .most = 100'000,
    .zero = true};

Result<allocate::CertaintyOptions> certainty_options(const Arguments& arguments) {
  const auto intervals = interval_options_from(arguments, kPlanResamples);
  if (!intervals) return std::unexpected(intervals.error());
  return allocate::CertaintyOptions{
      .noise = intervals->noise, .resamples = intervals->resamples, .seed = intervals->seed};
}

// A model that no policy asks would be passed over in silence.
std::optional<std::string> idle_model(const Arguments& arguments, const std::vector<PolicyPlan>& plans) {
  const auto weighs_by_index = [](const PolicyPlan& plan) {
    return plan.policy == allocate::Policy::pfi || plan.policy == allocate::Policy::pfi_scaled;
  };
  if (!arguments.has("model") || std::ranges::any_of(plans, weighs_by_index)) return std::nullopt;
  return "--model changes nothing here: only the policies pfi and pfi-scaled weigh by an index";
}

// Fills in the certainty of every plan there is; gives warnings.
Result<std::vector<std::string>> judge_plans(const SweepTable& table, const allocate::FleetProblem& fleet,
                                             const allocate::FleetOptions& options,
                                             const allocate::CertaintyOptions& how,
                                             std::vector<PolicyPlan>& plans) {
  std::vector<const allocate::FleetPlan*> made;
  for (const PolicyPlan& policy : plans) {
    if (policy.plan) made.push_back(&*policy.plan);
  }
  auto certainties = allocate::plan_certainty(table, fleet, options, made, how);
  if (!certainties) return std::unexpected(certainties.error());
  auto certainty = certainties->plans.begin();
  for (PolicyPlan& policy : plans) {
    if (policy.plan) policy.certainty = *certainty++;
  }
  return std::move(certainties->warnings);
}

std::vector<std::string> all_warnings(const SweepTable& table, const allocate::FleetProblem& fleet,
                                      const PredictedPfi& predicted) {
  std::vector<std::string> warnings = table.warnings;
  warnings.insert(warnings.end(), fleet.warnings.begin(), fleet.warnings.end());
  warnings.insert(warnings.end(), predicted.warnings.begin(), predicted.warnings.end());
  if (fleet.problem.objective == allocate::Objective::tokens) {
    warnings.push_back(
        "objective tokens: sums of raw throughput mean something only where all jobs count in one unit");
  }
  return warnings;
}

// What no table makes right.
Result<void> check_plan_options(const Arguments& arguments) {
  if (const auto policies = policies_from(arguments.text("policy")); !policies)
    return std::unexpected(policies.error());
  if (const auto certainty = certainty_options(arguments); !certainty)
    return std::unexpected(certainty.error());
  if (!arguments.has("cut")) return {};
  const auto cut = cut_from(arguments);
  return cut ? Result<void>() : std::unexpected(cut.error());
}

Result<Outcome> run_plan(const Arguments& arguments, Console& console) {
  auto options = fleet_options(arguments);
  if (!options) return std::unexpected(options.error());
  auto how = certainty_options(arguments);
  if (!how) return std::unexpected(how.error());
  how->progress = [&console, of = how->resamples](int done) {
    console.progress("judging", static_cast<double>(done) / of);
  };
  const auto table = read_sweep_table(std::string(arguments.text("TABLE")));
  if (!table) return std::unexpected(table.error());
  const auto predicted = predictions(arguments, *table);
  if (!predicted) return std::unexpected(predicted.error());
  options->predicted_pfi = predicted->values;
  const auto jobs = fleet_from(arguments);
  if (!jobs) return std::unexpected(jobs.error());
  const auto fleet = allocate::make_problem(*table, *jobs, *options);
  if (!fleet) return std::unexpected(fleet.error());
  const auto cut = requested_cut(arguments, fleet->problem.uncapped_draw());
  if (!cut) return std::unexpected(cut.error());
  auto plans = plan_all(*fleet, arguments.text("policy"), *cut);
  if (!plans) return std::unexpected(plans.error());
  const auto doubts = judge_plans(*table, *fleet, *options, *how, *plans);
  console.end_progress();
  if (!doubts) return std::unexpected(doubts.error());
  std::vector<std::string> warnings = all_warnings(*table, *fleet, *predicted);
  warnings.insert(warnings.end(), doubts->begin(), doubts->end());
  if (auto idle = idle_model(arguments, *plans)) warnings.push_back(std::move(*idle));
  const auto& fleet_file = *jobs;
  const PlanReport report{.table = *table,
                          .fleet = *fleet,
                          .fleet_name = fleet_file ? fleet_file->name : "",
                          .cut = *cut,
                          .floor = options->floor,
                          .resamples = how->resamples,
                          .plans = std::move(*plans),
                          .warnings = std::move(warnings)};
  show(report, console);
  const auto missing = shortcoming(report);
  if (!missing) return Outcome::done;
  if (console.format() != Format::table) console.warn(missing->message);
  return Outcome::partial;
}

// With several policies each has an entry in plans[], which holds what stands at the top for a single one.
std::vector<JsonField> with_plans(std::vector<JsonField> fields) {
  static std::deque<std::string> paths;
  const std::size_t count = fields.size();
  for (std::size_t f = 0; f < count; ++f) {
    const std::string_view path = fields[f].path;
    if (path != "policy" && !path.starts_with("jobs[]") && !path.starts_with("total.") &&
        !path.starts_with("error.")) {
      continue;
    }
    paths.push_back("plans[]." + std::string(path));
    fields.push_back({paths.back(), fields[f].unit, fields[f].meaning});
  }
  return fields;
}

const Verb kPlan = {
    .name = "plan",
    .summary = "Divide a power cut over the jobs of a fleet",
    .details =
        "Gives every job a power cap such that together they draw the cut less than uncapped. Each job's "
        "throughput under a cap is read from its measured curve. A job is never cut below its lowest "
        "measured "
        "draw, nor, with --floor tier, below what its promise needs. Every plan is checked by independent "
        "code "
        "before it is printed; the oracle's carries an upper bound.",
    .options = {{"TABLE", "TABLE", "", "sweep table (CSV); - is standard input", Takes::value, true},
                {"--fleet", "FLEET", "",
                 "jobs as CSV: job,group,gpus,tier,value; without it every group is one job"},
                {"--cut", "CUT", "", "how much less to draw than uncapped: 25% or 300kW", Takes::value, true},
                {"--policy", "POLICY", "oracle",
                 "equal, moe-ft, pfi, pfi-scaled, dram or oracle; a list with commas, or all, compares"},
                {"--objective", "normalized|tokens", "normalized",
                 "what the oracle maximises: value-weighted share of uncapped throughput, or its raw sum"},
                {"--floor", "tier|none", "none", "whether each job keeps what its flex tier promises"},
                {"-m,--model", "MODEL", "",
                 "weigh by indices this model predicts (wattflex fit), not by measured ones"},
                resamples_option(kPlanResamples),
                {"--seed", "S", "1", "of the resamples; the same seed gives the same intervals"},
                noise_option()},
    .examples = {{"wattflex plan sweep.csv --cut 25% --policy all", "every policy beside the others"},
                 {"wattflex plan sweep.csv --fleet fleet.csv --cut 300kW --floor tier -o json",
                  "the optimal caps for a fleet, promises kept, for a script"}},
    .json_fields = with_plans(
        {{"table", "", "name of the sweep table"},
         {"fleet", "", "name of the fleet file; null: one job a group"},
         {"pedigree", "", "measured, simulated or mixed: where the curves come from"},
         {"objective", "", "normalized or tokens"},
         {"floor", "", "tier or none"},
         {"requested_cut", "1", "the cut asked for, as a share of the uncapped draw"},
         {"requested_cut_w", "W", "the cut asked for"},
         {"ci_resamples", "1", "plans made anew for the intervals; 0: none"},
         {"status", "", "done, infeasible, or no_data: groups of the table are left out"},
         {"error.message", "", "why it is not done, or why the policy is refused"},
         {"error.remedy", "", "what to do about it"},
         {"left_out[].group", "", "a group of the table that no plan counts with"},
         {"left_out[].accelerator", "", "its accelerator"},
         {"left_out[].reason", "", "why"},
         {"warnings[]", "", "what the reader should know"},
         {"policy", "", "the policy, when one was asked for"},
         {"jobs[].job", "", "name of the job"},
         {"jobs[].group", "", "its sweep group"},
         {"jobs[].accelerator", "", "the accelerator it was measured on"},
         {"jobs[].gpus", "1", "its GPUs"},
         {"jobs[].tier", "", "its promise, none when it made none"},
         {"jobs[].value", "1", "worth per GPU"},
         {"jobs[].pfi", "1", "the index that index policies weigh it by"},
         {"jobs[].pfi_source", "", "published, guarded, predicted, or neutral: none was usable, 1 stands in"},
         {"jobs[].pfi_points", "1", "how many measured points the index stands on"},
         {"jobs[].scaled", "", "true: measured on another GPU count, scaled by the ratio"},
         {"jobs[].uncapped_power_w", "W", "draw of the whole job without the cut"},
         {"jobs[].power_w", "W", "planned draw of the whole job"},
         {"jobs[].cap_w", "W",
          "cap to set on each of its GPUs: whole watts, rounded down, or the lowest or largest measured one"},
         {"jobs[].power_at_cap_w", "W", "draw at that cap, never above the planned one"},
         {"jobs[].throughput", "table's unit", "throughput at the planned draw"},
         {"jobs[].throughput_kept", "1", "the same as a share of uncapped"},
         {"jobs[].throughput_kept_at_cap", "1", "share kept at the rounded cap"},
         {"jobs[].limited_by", "", "why it gives no more: uncapped, lowest draw, floor, or none"},
         {"jobs[].promise_kept", "", "whether its promise holds at the cap; null: it made none"},
         {"total.status", "", "met, infeasible, or refused: the table lacks what the policy weighs by"},
         {"total.uncapped_power_w", "W", "draw of the fleet without the cut"},
         {"total.budget_w", "W", "what the fleet may draw"},
         {"total.power_w", "W", "what it is planned to draw"},
         {"total.cut", "1", "share of the uncapped draw really cut"},
         {"total.cut_w", "W", "watts really cut"},
         {"total.shortfall_w", "W", "watts missing to the budget; null when met"},
         {"total.tokens", "table's unit", "raw sum of throughput; means something only in one unit"},
         {"total.tokens_in_one_unit", "",
          "true: all jobs are of one group; false: the table does not state that its groups share a unit"},
         {"total.normalized", "1", "value-weighted share of uncapped throughput, at the planned draws"},
         {"total.power_at_caps_w", "W", "draw at the whole-watt caps, never above the budget"},
         {"total.normalized_at_caps", "1", "the share kept at the whole-watt caps"},
         {"total.kept", "1", "share of the uncapped objective that the measured curves promise"},
         {"total.kept_expected", "1",
          "what to expect of it: less what planning on noisy curves promises too much"},
         {"total.kept_ci95", "1", "95 % interval of it; null: none, certainty_reason says why"},
         {"total.gain", "1", "what the curves promise over equal sharing, as a difference of shares"},
         {"total.gain_expected", "1", "what to expect of it"},
         {"total.gain_ci95", "1", "95 % interval of it; when it holds 0 no difference is shown"},
         {"total.certainty_reason", "", "why there are no intervals; null: there are"},
         {"total.objective", "", "what the objective sums up to"},
         {"total.objective_equal", "", "what equal sharing of the same cut reaches"},
         {"total.objective_bound", "", "no division of this cut can exceed this; oracle only"},
         {"total.worse_than_equal", "", "true: the measured curves promise less than equal sharing"}}),
    .run = run_plan,
    .check = check_plan_options,
    .rules = {{"floor=tier", OptionRule::Relation::only_with, {"fleet"}}}};

}  // namespace

const Verb& plan_verb() {
  return kPlan;
}

}  // namespace wattflex::app
