// `wattflex cohort`: the paper's jobs on the simulated chip, measured like real ones, as a sweep table.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/cohort_output.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"
#include "ingest/sweep_table_writer.h"
#include "study/cohort.h"
#include "study/trace_files.h"

namespace wattflex::app {
namespace {

using twin::CohortSet;
using twin::Noise;

template <class Value>
struct Choice {
  std::string_view text;
  Value value;
};

constexpr Choice<Noise> kNoises[] = {{"none", Noise::none},
                                     {"within-run", Noise::within_run},
                                     {"run-to-run", Noise::run_to_run},
                                     {"independent-runs", Noise::independent_runs}};
constexpr Choice<sweep::Averaging> kAverages[] = {{"top-tenth", sweep::Averaging::top_tenth},
                                                  {"mean", sweep::Averaging::whole_phase}};
constexpr Choice<std::optional<CohortSet>> kSets[] = {{"headline", CohortSet::headline},
                                                      {"validation", CohortSet::validation},
                                                      {"h100", CohortSet::h100},
                                                      {"all", std::nullopt}};

template <class Value, std::size_t N>
Result<Value> choose(const Arguments& arguments, std::string_view option, const Choice<Value> (&choices)[N]) {
  const std::string_view text = arguments.text(option);
  const auto* const found = std::ranges::find(choices, text, &Choice<Value>::text);
  if (found != std::end(choices)) return found->value;
  std::string known;
  for (const auto& choice : choices) known += (known.empty() ? "" : ", ") + std::string(choice.text);
  return fail(ErrorKind::usage, fmt::format("--{}: '{}' is not one of its values", option, text),
              "use one of " + known);
}

std::vector<CohortSet> sets_of(const std::optional<CohortSet>& set) {
  if (set) return {*set};
  return {CohortSet::headline, CohortSet::validation, CohortSet::h100};
}

Result<study::CohortOptions> cohort_options_from(const Arguments& arguments) {
  const auto seed = arguments.integer("seed", 0, std::numeric_limits<long long>::max());
  if (!seed) return std::unexpected(seed.error());
  const auto noise = choose(arguments, "noise", kNoises);
  if (!noise) return std::unexpected(noise.error());
  const auto average = choose(arguments, "average", kAverages);
  if (!average) return std::unexpected(average.error());
  const auto set = choose(arguments, "set", kSets);
  if (!set) return std::unexpected(set.error());
  return study::CohortOptions{.seed = static_cast<std::uint64_t>(*seed),
                              .noise = *noise,
                              .averaging = *average,
                              .sets = sets_of(*set)};
}

std::vector<const twin::SimulatedJob*> jobs_of(const study::CohortOptions& options) {
  std::vector<const twin::SimulatedJob*> jobs;
  for (const twin::SimulatedJob& job : twin::simulated_jobs()) {
    if (std::ranges::find(options.sets, job.set) != options.sets.end()) jobs.push_back(&job);
  }
  return jobs;
}

Result<Outcome> show_assumptions(const study::CohortOptions& options, Console& console) {
  const auto jobs = jobs_of(options);
  if (console.format() == Format::json) {
    print_json(nlohmann::json{{"status", "done"}, {"assumptions", json_of_assumptions(jobs)}}, console);
    return Outcome::done;
  }
  console.print(assumptions_table(jobs));
  console.say(
      "\nAssumed from model sizes and a stated utilisation (docs/math/measuring-chain.md); the paper");
  console.say("publishes no token rates. MFU: share of 989.5 TFLOP/s per GPU.");
  return Outcome::done;
}

Result<Outcome> show_bias(const Arguments& arguments, const study::CohortOptions& options, Console& console) {
  const auto seeds = arguments.integer("bias", 2, 1'000);
  if (!seeds) return std::unexpected(seeds.error());
  std::vector<BiasRow> rows;
  const auto jobs = jobs_of(options);
  for (const twin::SimulatedJob* const job : jobs) {
    console.progress("measuring", static_cast<double>(rows.size()) / static_cast<double>(jobs.size()));
    const auto bias = study::averaging_bias(*job, static_cast<int>(*seeds));
    if (!bias) return std::unexpected(bias.error());
    rows.push_back({job, *bias});
  }
  console.end_progress();
  if (console.format() == Format::json) {
    print_json(nlohmann::json{{"status", "done"}, {"seeds", *seeds}, {"bias", json_of_bias(rows)}}, console);
    return Outcome::done;
  }
  console.print(bias_table(rows));
  console.say(
      fmt::format("\nSimulated: mean index over {} with within-run noise, minus the index without noise.",
                  counted(static_cast<std::size_t>(*seeds), "sweep")));
  return Outcome::done;
}

// The cohort, its runs written to `traces` when there is such a directory.
Result<SweepTable> simulate(const study::CohortOptions& options, study::TraceDirectory* traces,
                            Console& console) {
  std::size_t runs = 0;
  std::size_t done = 0;
  for (const twin::SimulatedJob* const job : jobs_of(options)) runs += job->caps.size();
  return study::simulate_cohort(
      options, [&](const twin::SimulatedJob& job, Power cap, const RunSamples& run) -> Result<void> {
        console.progress("simulating", static_cast<double>(++done) / static_cast<double>(runs));
        return traces == nullptr ? Result<void>() : traces->add(job, cap, run);
      });
}

void print_cohort(const SweepTable& table, const Arguments& arguments, int traces, Console& console) {
  if (console.format() == Format::csv) {
    console.out() << write_sweep_table(table);
    return;
  }
  if (console.format() == Format::json) {
    const nlohmann::json document = {
        {"status", "done"},
        {"pedigree", "simulated"},
        {"seed", arguments.integer("seed", 0, std::numeric_limits<long long>::max()).value()},
        {"noise", arguments.text("noise")},
        {"average", arguments.text("average")},
        {"set", arguments.text("set")},
        {"telemetry_columns", table.telemetry_columns},
        {"trace_files", traces},
        {"groups", json_of_cohort(table)}};
    return print_json(document, console);
  }
  console.print(summary_of_cohort(table));
  console.say(
      "\nSimulated from fitted physics, not measured; 'paper' is the published index. Tokens/s rest on");
  console.say("assumptions (--assumptions). Write '-o csv > cohort.csv' for a table every verb reads.");
  if (traces > 0) {
    console.say(fmt::format("{} of 5 s samples: {}.", counted(traces, "trace"), arguments.text("traces")));
  }
}

Result<Outcome> run_cohort(const Arguments& arguments, Console& console) {
  const auto options = cohort_options_from(arguments);
  if (!options) return std::unexpected(options.error());
  if (arguments.flag("assumptions")) return show_assumptions(*options, console);
  if (arguments.has("bias")) return show_bias(arguments, *options, console);

  std::optional<study::TraceDirectory> traces;
  if (arguments.has("traces")) {
    auto created = study::TraceDirectory::create(std::string(arguments.text("traces")));
    if (!created) return std::unexpected(created.error());
    traces.emplace(std::move(*created));
  }
  const auto table = simulate(*options, traces ? &*traces : nullptr, console);
  if (!table) return std::unexpected(table.error());
  if (traces) {
    if (const auto finished = traces->finish(); !finished) return std::unexpected(finished.error());
  }
  console.end_progress();
  print_cohort(*table, arguments, traces ? traces->files() : 0, console);
  return Outcome::done;
}

std::vector<JsonField> cohort_json_fields() {
  return {{"status", "", "done"},
          {"pedigree", "", "simulated, always"},
          {"seed", "", "as given"},
          {"noise", "", "as given"},
          {"average", "", "as given"},
          {"set", "", "as given"},
          {"telemetry_columns", "", "our own names, in the order of the CSV form"},
          {"trace_files", "1", "files written for --traces"},
          {"groups", "", "one entry a sweep group"},
          {"groups[].group", "", "name, as in the CSV form"},
          {"groups[].accelerator", "", "H200 or H100"},
          {"groups[].arch", "", "dense or moe"},
          {"groups[].task", "", "pretraining or fine-tuning"},
          {"groups[].model", "", "model trained"},
          {"groups[].gpus", "1", "GPUs of the job"},
          {"groups[].pedigree", "", "simulated"},
          {"groups[].pfi", "1", "index by the paper's definition"},
          {"groups[].pfi_published", "1", "the paper's index of this group (arXiv:2609.11542)"},
          {"groups[].points", "", "by falling cap"},
          {"groups[].points[].cap_w", "W", "per GPU"},
          {"groups[].points[].power_w", "W", "whole job"},
          {"groups[].points[].throughput", "tokens/s", "whole job; rests on assumptions"},
          {"groups[].points[].power_stderr", "W", "of this run within its sweep; null without noise"},
          {"groups[].points[].throughput_stderr", "tokens/s", "likewise"},
          {"groups[].points[].limited_by", "", "power_cap when the cap binds, else none"},
          {"groups[].points[].telemetry", "", "means over training, by column"},
          {"groups[].points[].telemetry.dram_active", "1", "see docs/sweep-table.md for these"},
          {"groups[].points[].telemetry.mem_copy_util", "1", ""},
          {"groups[].points[].telemetry.tensor_active", "1", ""},
          {"groups[].points[].telemetry.sm_active", "1", ""},
          {"groups[].points[].telemetry.nvlink_util", "1", ""},
          {"groups[].points[].telemetry.sm_clock_mhz", "MHz", ""},
          {"groups[].points[].telemetry.mem_clock_mhz", "MHz", ""},
          {"groups[].points[].telemetry.gpu_power_w", "W", "mean over training, not its top tenth"},
          {"groups[].points[].telemetry.gpu_temp_c", "C", ""},
          {"assumptions", "", "with --assumptions: one entry a group"},
          {"assumptions[].group", "", "name"},
          {"assumptions[].accelerator", "", "H200 or H100"},
          {"assumptions[].gpus", "1", "GPUs of the job"},
          {"assumptions[].active_parameters_b", "1e9", "active parameters of the model"},
          {"assumptions[].utilization", "1", "assumed model FLOPs utilisation"},
          {"assumptions[].tokens_per_s", "tokens/s", "whole job, uncapped"},
          {"assumptions[].step_time_s", "s", "uncapped"},
          {"assumptions[].max_power_w", "W", "whole job, uncapped"},
          {"assumptions[].pedigree", "", "assumption"},
          {"seeds", "1", "with --bias: sweeps averaged"},
          {"bias", "", "with --bias: one entry a group"},
          {"bias[].group", "", "name"},
          {"bias[].accelerator", "", "H200 or H100"},
          {"bias[].pfi_noise_free", "1", "index without noise"},
          {"bias[].bias_top_tenth", "1", "what the top-10 % rule adds to it on average"},
          {"bias[].bias_mean", "1", "what the plain mean adds"},
          {"bias[].pedigree", "", "simulated"}};
}

}  // namespace

const Verb& cohort_verb() {
  static const Verb kVerb = {
      .name = "cohort",
      .summary = "The paper's jobs on a simulated chip, measured like real ones, as a sweep table",
      .details =
          "Runs the jobs of arXiv:2609.11542 on a simulated chip under each power cap and measures them as "
          "real "
          "ones are measured: 5 s samples with noise, phases, top-10 % means. The same seed gives the same "
          "bytes. Everything is marked simulated.",
      .options = {{"--seed", "N", "1", "of all noise"},
                  {"--noise", "none|within-run|run-to-run|independent-runs", "run-to-run",
                   "which deviations the runs show"},
                  {"--average", "top-tenth|mean", "top-tenth",
                   "of the samples of training; the paper takes the top tenth"},
                  {"--set", "headline|validation|h100|all", "headline", "25, 4, 6 or all 35 groups"},
                  {"--traces", "DIR", "", "write the 5 s samples of every run to this new directory"},
                  {"--assumptions", "", "", "show what tokens/s and step times rest on, and nothing else",
                   Takes::flag},
                  {"--bias", "SEEDS", "",
                   "show how far each averaging rule moves the index, over so many sweeps"}},
      .examples = {{"wattflex cohort", "the 25 headline groups, their index beside the paper's"},
                   {"wattflex cohort --seed 7 -o csv > cohort.csv",
                    "a sweep table for pfi, analyze, fit, plan, study"},
                   {"wattflex cohort --set h100 --traces traces/", "and the telemetry of each run"},
                   {"wattflex cohort --bias 50", "what the top-10 % rule does to the index"}},
      .json_fields = cohort_json_fields(),
      .run = run_cohort,
      .check = can_read<cohort_options_from>,
      .rules = {
          {"assumptions", OptionRule::Relation::not_with, {"bias", "traces", "seed", "noise", "average"}},
          {"bias", OptionRule::Relation::not_with, {"traces", "seed", "noise", "average"}}}};
  return kVerb;
}

}  // namespace wattflex::app
