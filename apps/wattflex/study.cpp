// `wattflex study`: the paper's allocation study on a sweep table.
#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/predicted_pfi.h"
#include "apps/wattflex/study_output.h"
#include "apps/wattflex/study_reproduce.h"
#include "apps/wattflex/verbs.h"
#include "ingest/sweep_table.h"
#include "study/allocation_study.h"

namespace wattflex::app {
namespace {

std::vector<study::Mix> mixes_from(const Arguments& arguments) {
  const std::string_view text = arguments.text("mix");
  if (text == "random") return {study::Mix::random};
  if (text == "production") return {study::Mix::production};
  return {study::Mix::random, study::Mix::production};
}

Result<study::StudyOptions> counts_from(const Arguments& arguments) {
  study::StudyOptions options;
  const auto workloads = arguments.integer("workloads", 1, 1'000'000);
  if (!workloads) return std::unexpected(workloads.error());
  const auto jobs = arguments.integer("jobs", 1, 100'000);
  if (!jobs) return std::unexpected(jobs.error());
  const auto seed = arguments.integer("seed", 0, 1'000'000'000'000);
  if (!seed) return std::unexpected(seed.error());
  options.workloads = static_cast<int>(*workloads);
  options.jobs = static_cast<int>(*jobs);
  options.seed = static_cast<std::uint64_t>(*seed);
  return options;
}

Result<study::StudyOptions> study_options_from(const Arguments& arguments) {
  auto options = counts_from(arguments);
  if (!options) return options;
  const auto cuts = arguments.percent_range("cuts");
  if (!cuts) return std::unexpected(cuts.error());
  if (!std::ranges::all_of(*cuts, [](double cut) { return cut >= 0 && cut <= 1; })) {
    return fail(ErrorKind::usage, "--cuts: a cut must lie between 0% and 100%", "write e.g. 0%:40%:2%");
  }
  options->cuts = *cuts;
  const auto share = arguments.percent("mix-share");
  if (!share) return std::unexpected(share.error());
  if (*share < 0 || *share > 1)
    return fail(ErrorKind::usage, "--mix-share: a share lies between 0% and 100%", "write e.g. 94.3%");
  options->fine_tuning_share = *share;
  const auto objective = allocate::parse_objective(arguments.text("objective"));
  assert(objective);  // one of the option's choices
  options->objective = *objective;
  if (arguments.text("values") == "decade") options->values = study::Values::decade;
  return options;
}

void add_warnings(StudyReport& report) {
  const std::vector<std::string>& of_study = report.studies.front().second.warnings;
  report.warnings.insert(report.warnings.end(), report.table.warnings.begin(), report.table.warnings.end());
  report.warnings.insert(report.warnings.end(), of_study.begin(), of_study.end());
  if (report.options.objective == allocate::Objective::tokens) {
    report.warnings.push_back(
        "objective tokens: sums of raw throughput mean something only where all jobs count in one unit");
    if (report.options.values == study::Values::decade) {
      report.warnings.push_back("objective tokens: raw sums take no account of values");
    }
  }
}

Result<Outcome> run_study(const Arguments& arguments, Console& console) {
  if (arguments.flag("reproduce")) return reproduce_paper(arguments, console);
  if (!arguments.has("TABLE")) {
    return fail(ErrorKind::usage, "TABLE: no sweep table was given",
                "name a table, or use --reproduce, which needs none");
  }
  auto options = study_options_from(arguments);
  if (!options) return std::unexpected(options.error());
  const auto table = read_sweep_table(std::string(arguments.text("TABLE")));
  if (!table) return std::unexpected(table.error());
  PredictedPfi predicted;
  if (arguments.has("model")) {
    auto all = predict_all(std::string(arguments.text("model")), *table);
    if (!all) return std::unexpected(all.error());
    predicted = std::move(*all);
    options->predicted_pfi = predicted.values;
  }
  StudyReport report{.table = *table, .options = *options, .studies = {}, .warnings = predicted.warnings};
  for (const study::Mix mix : mixes_from(arguments)) {
    options->mix = mix;
    const auto label = std::string(to_string(mix)) + " mix";
    auto done =
        study::run_allocation_study(*table, *options, [&](double share) { console.progress(label, share); });
    if (!done) return std::unexpected(done.error());
    report.studies.emplace_back(mix, std::move(*done));
  }
  console.end_progress();
  add_warnings(report);
  show(report, console);
  if (any_met(report)) return Outcome::done;
  console.warn("infeasible: no workload can be cut as far as any of the cuts asks; try smaller --cuts");
  return Outcome::partial;
}

const Verb kStudy = {
    .name = "study",
    .summary = "Compare the policies over many random workloads and cuts",
    .details =
        "Draws workloads from the groups of a sweep table and divides a range of power cuts over each by "
        "every "
        "policy: what each policy keeps, and how much of the gap between equal sharing and the optimum it "
        "recovers. The production mix draws fine-tuning and pretraining jobs by the job counts of the Acme "
        "trace's Seren cluster (Hu et al., NSDI 2024). Cuts that a workload's caps cannot give are left out "
        "and "
        "counted, not averaged; when no workload can give any of them, the exit status is 1.",
    .options = {{"TABLE", "TABLE", "", "sweep table (CSV); - is standard input; not with --reproduce"},
                {"--workloads", "N", "500", "random workloads"},
                {"--jobs", "N", "100", "jobs in each"},
                {"--mix", "random|production|both", "random",
                 "random: uniform over groups; production: by task; or both"},
                {"--mix-share", "PERCENT", "94.3%", "fine-tuning jobs in the production mix, by count"},
                {"--cuts", "RANGE", "0%:40%:2%", "shares of the uncapped draw to cut"},
                {"--objective", "normalized|tokens", "normalized",
                 "what counts: value-weighted share of uncapped throughput, or its raw sum"},
                {"--values", "equal|decade", "equal",
                 "a job's value per GPU: 1, or log-uniform from 1 to 10"},
                {"--seed", "N", "1", "the same seed draws the same workloads"},
                {"-m,--model", "MODEL", "",
                 "also run the index policies on indices this model predicts (wattflex fit)"},
                {"--reproduce", "", "",
                 "instead of a table: every number of the paper beside ours, published, recomputed and "
                 "simulated",
                 Takes::flag},
                {"--seeds", "N", "30", "noisy cohorts simulated for --reproduce"}},
    .examples = {{"wattflex study sweep.csv", "the random mix, cuts from 0 to 40 %"},
                 {"wattflex study sweep.csv --mix both --objective tokens -o csv",
                  "both mixes, raw tokens, as rows for plotting"},
                 {"wattflex study --reproduce", "the paper's tables beside ours, on one page"}},
    .json_fields = {{"status", "", "done, or infeasible: no workload can be cut by any of the cuts"},
                    {"table", "", "name of the sweep table"},
                    {"pedigree", "", "measured, simulated or mixed: where the curves come from"},
                    {"workloads", "1", "workloads drawn"},
                    {"jobs", "1", "jobs in each"},
                    {"objective", "", "normalized or tokens"},
                    {"values", "", "equal or decade"},
                    {"seed", "1", "seed of the draws"},
                    {"cuts[]", "1", "cuts, as shares of the uncapped draw"},
                    {"warnings[]", "", "what the reader should know"},
                    {"mixes[].mix", "", "random or production"},
                    {"mixes[].fine_tuning_share", "1", "fine-tuning jobs by count; null in the random mix"},
                    {"mixes[].groups", "1", "groups that can be drawn"},
                    {"mixes[].largest_oracle_gap", "1",
                     "worst certificate of the oracle, a share of the uncapped objective"},
                    {"mixes[].policies[].policy", "", "the policy"},
                    {"mixes[].policies[].pfi", "", "index it weighs by: measured, predicted, none"},
                    {"mixes[].policies[].cells[].cut", "1", "the cut"},
                    {"mixes[].policies[].cells[].infeasible_workloads", "1",
                     "workloads that cannot be cut so far, left out"},
                    {"mixes[].policies[].cells[].status", "",
                     "met, or infeasible: no workload can be cut so far"},
                    {"mixes[].policies[].cells[].kept", "1", "mean share of the uncapped objective"},
                    {"mixes[].policies[].cells[].kept_ci95[]", "1", "95 % interval of that mean"},
                    {"mixes[].policies[].cells[].kept_middle95[]", "1",
                     "what 95 % of the workloads lie between"},
                    {"mixes[].policies[].cells[].tokens_per_job", "table's unit", "mean throughput per job"},
                    {"mixes[].policies[].cells[].tokens_per_job_behind_oracle", "table's unit",
                     "the oracle's less this"},
                    {"mixes[].policies[].cells[].gap_recovered", "1",
                     "share of the gap between equal sharing and the oracle; null where there is no gap"},
                    {"mixes[].refused[].policy", "", "a policy the table lacks columns for"},
                    {"mixes[].refused[].pfi", "", "index it would weigh by"},
                    {"mixes[].refused[].message", "", "what is missing"},
                    {"mixes[].refused[].remedy", "", "what to do about it"},
                    {"source", "", "with --reproduce: the paper"},
                    {"seeds", "1", "with --reproduce: noisy cohorts simulated"},
                    {"numbers[].table", "", "with --reproduce: the paper's table, or allocation"},
                    {"numbers[].subject", "", "row of that table"},
                    {"numbers[].quantity", "", "column of that table"},
                    {"numbers[].published", "", "as printed"},
                    {"numbers[].recomputed", "", "by us from other published figures"},
                    {"numbers[].simulated_noise_free", "", "by the cohort without noise"},
                    {"numbers[].simulated.mean", "", "by noisy cohorts, mean over seeds"},
                    {"numbers[].simulated.sd", "", "standard deviation over seeds"}},
    .run = run_study,
    .check = can_read<study_options_from>,
    .rules = {{"reproduce",
               OptionRule::Relation::not_with,
               {"TABLE", "jobs", "mix", "mix-share", "cuts", "objective", "values", "model"}},
              {"seeds", OptionRule::Relation::only_with, {"reproduce"}},
              {"mix-share", OptionRule::Relation::only_with, {"mix=production", "mix=both"}}}};

}  // namespace

const Verb& study_verb() {
  return kStudy;
}

}  // namespace wattflex::app
