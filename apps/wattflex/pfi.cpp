// `wattflex pfi`: the Power Flexibility Index of every group of sweep tables, with intervals and a verdict on
// each point. Tables of any size: everything is checked before the first result, then streamed.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/dropped_groups.h"
#include "apps/wattflex/noise_option.h"
#include "apps/wattflex/pfi_printer.h"
#include "apps/wattflex/resamples_option.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"
#include "ingest/sweep_table_reader.h"

namespace wattflex::app {
namespace {

using elasticity::Flexibility;

// Warnings are about exceptions; a reader of more than this many is better served by the points in JSON.
constexpr std::size_t kMostWarnings = 1000;
constexpr std::size_t kMostShownWarnings = 20;
constexpr ResamplesRule kPfiResamples = {
    .fallback = "10000",
    .help = "resamples behind every interval, 100..1000000; 0 for no intervals",
    .most = 1'000'000,
    .zero = true};

Result<Definition> parse_definition(std::string_view text) {
  if (text == "ratio") return Definition::ratio;
  if (text == "area") return Definition::area;
  if (text == "elasticity") return Definition::elasticity;
  if (text == "all") return Definition::all;
  return fail(ErrorKind::usage, fmt::format("--definition: '{}' is not a definition of the index", text),
              "use ratio, area, elasticity or all");
}

Result<PfiSettings> pfi_settings_from(const Arguments& arguments) {
  const auto definition = parse_definition(arguments.text("definition"));
  if (!definition) return std::unexpected(definition.error());
  const auto intervals = interval_options_from(arguments, kPfiResamples);
  if (!intervals) return std::unexpected(intervals.error());
  return PfiSettings{
      .definition = *definition, .options = *intervals, .several_tables = arguments.list("TABLE").size() > 1};
}

// To standard error at once, and kept for JSON; both bounded.
class Warnings {
 public:
  explicit Warnings(Console& console) : console_(console) {}

  void add(std::string text) {
    ++count_;
    if (count_ <= kMostShownWarnings) console_.warn(text);
    if (count_ <= kMostWarnings) kept_.push_back(std::move(text));
  }

  std::vector<std::string> finish() && {
    if (count_ > kMostShownWarnings) {
      console_.warn(counted(count_ - kMostShownWarnings, "more warning") + ", -o json has all of them");
    }
    if (count_ > kMostWarnings) kept_.push_back(counted(count_ - kMostWarnings, "more warning"));
    return std::move(kept_);
  }

 private:
  Console& console_;
  std::size_t count_ = 0;
  std::vector<std::string> kept_;
};

Result<std::vector<SweepTableReader>> open_all(const std::vector<std::string>& paths, Warnings& warnings) {
  std::vector<SweepTableReader> readers;
  std::set<std::string> names;
  for (const std::string& path : paths) {
    auto reader = SweepTableReader::open(path);
    if (!reader) return std::unexpected(reader.error());
    if (!names.insert(reader->name()).second) {
      warnings.add(fmt::format("{}: a second table named '{}'; their groups cannot be told apart by name",
                               path, reader->name()));
    }
    for (const std::string& warning : reader->warnings()) warnings.add(warning);
    readers.push_back(*std::move(reader));
  }
  return readers;
}

// Counts how many groups were measured and how many of them have an index.
struct Tally {
  std::size_t groups = 0;
  std::size_t with_index = 0;
};

Result<Tally> measure_all(std::vector<SweepTableReader>& readers, const PfiSettings& settings,
                          PfiPrinter& printer, Warnings& warnings, Console& console) {
  elasticity::FlexibilityMeter meter(settings.options);
  std::size_t total = 0;
  for (const SweepTableReader& reader : readers) total += reader.group_count();
  Tally tally;
  for (SweepTableReader& reader : readers) {
    for (;;) {
      const auto next = reader.next();
      if (!next) return std::unexpected(next.error());
      const std::optional<SweepGroup>& group = *next;
      if (!group) break;
      const Flexibility flexibility = meter.measure(*group);
      for (const std::string& warning : flexibility.warnings) {
        warnings.add(fmt::format("{}: group '{}': {}", group->id.table, group->id.group, warning));
      }
      printer.add(*group, flexibility);
      ++tally.groups;
      tally.with_index += flexibility.published.value ? 1 : 0;
      console.progress("measuring", static_cast<double>(tally.groups) / static_cast<double>(total));
    }
  }
  console.end_progress();
  return tally;
}

Result<Outcome> run_pfi(const Arguments& arguments, Console& console) {
  const auto settings = pfi_settings_from(arguments);
  if (!settings) return std::unexpected(settings.error());
  Warnings warnings(console);
  auto readers = open_all(arguments.list("TABLE"), warnings);
  if (!readers) return std::unexpected(readers.error());
  PfiPrinter printer(console, *settings);
  printer.begin();
  const auto tally = measure_all(*readers, *settings, printer, warnings, console);
  if (!tally) return std::unexpected(tally.error());
  std::vector<DroppedGroup> left_out;
  for (const SweepTableReader& reader : *readers) {
    left_out.insert(left_out.end(), reader.dropped().begin(), reader.dropped().end());
  }
  const std::string_view status = tally->with_index == 0 ? "no_data" : left_out.empty() ? "done" : "partial";
  printer.finish({status, left_out, std::move(warnings).finish()});
  return status == "done" ? Outcome::done : Outcome::partial;
}

}  // namespace

const Verb& pfi_verb() {
  static const Verb kVerb = {
      .name = "pfi",
      .summary = "Power flexibility index of each job, with intervals and a verdict on every point",
      .details =
          "How much power a job gives up per throughput it loses: the paper's index (mean over caps of power "
          "cut by throughput loss), the same over points that noise cannot explain, and two other "
          "definitions. Every point gets one verdict with its reason; an index without usable points is "
          "none, "
          "never a number.",
      .options = {{"TABLE", "TABLE", "", "sweep tables; - for standard input", Takes::list, true},
                  {"--definition", "ratio|area|elasticity|all", "ratio",
                   "what the terminal table shows; JSON and CSV carry all"},
                  resamples_option(kPfiResamples),
                  {"--seed", "S", "1", "of the resamples"},
                  noise_option()},
      .examples = {{"wattflex pfi sweep.csv", "one line per job"},
                   {"wattflex pfi a100.csv h100.csv --definition all", "all definitions side by side"},
                   {"wattflex pfi sweep.csv -o json | jq '.groups[] | {group, pfi, pfi_guarded}'",
                    "for programs"}},
      .json_fields = with_dropped_fields({
          {"groups[].table", "", "name of the sweep table, its file's stem"},
          {"groups[].group", "", "name of the job configuration"},
          {"groups[].accelerator", "", "accelerator model"},
          {"groups[].task", "", "pretraining, fine-tuning, training, inference or unknown"},
          {"groups[].gpus", "1", "GPUs of the job"},
          {"groups[].pedigree", "", "measured, simulated or predicted"},
          {"groups[].n_points", "1", "points of the sweep, the uncapped one included"},
          {"groups[].cap_grid_w[]", "W", "caps per GPU, largest first"},
          {"groups[].pfi", "1", "the published index; null when no ratio exists"},
          {"groups[].pfi_ci95[]", "1",
           "its 95 % interval, low and high, widened by the points' scatter about the power curve; null "
           "without index or with --ci 0"},
          {"groups[].pfi_reason", "", "why the index or its interval is null; else null"},
          {"groups[].pfi_guarded", "1", "mean ratio over used points; null with fewer than two"},
          {"groups[].pfi_guarded_ci95[]", "1", "its interval"},
          {"groups[].pfi_guarded_reason", "", "why it or its interval is null; else null"},
          {"groups[].pfi_pooled", "1", "sum of power cuts over sum of throughput losses of used points"},
          {"groups[].pfi_pooled_ci95[]", "1", "its interval"},
          {"groups[].pfi_pooled_reason", "", "why it or its interval is null; else null"},
          {"groups[].pfi_area", "1", "area between normalised throughput and power; 0 is proportional"},
          {"groups[].pfi_elasticity", "1", "1 - slope of log throughput on log power; 0 is proportional"},
          {"groups[].ci_source", "",
           "stderr columns, run-to-run default or within-run default, and by how much scatter widens "
           "them"},
          {"groups[].n_used", "1", "capped points with the verdict used"},
          {"groups[].n_refused", "1", "points that are neither used nor the uncapped reference"},
          {"groups[].points[].cap_w", "W", "cap per GPU"},
          {"groups[].points[].power_w", "W", "measured draw of the job"},
          {"groups[].points[].throughput", "table unit", "measured throughput of the job"},
          {"groups[].points[].power_cut", "1", "1 - power / uncapped power; null without reference"},
          {"groups[].points[].throughput_loss", "1",
           "1 - throughput / uncapped throughput; null without reference"},
          {"groups[].points[].ratio", "1", "power_cut / throughput_loss; null when throughput is unchanged"},
          {"groups[].points[].verdict", "",
           "uncapped, used, not enforced, thermal or other limiter, cap not binding, above uncapped, "
           "below "
           "resolution or no reference"},
          {"groups[].points[].reason", "", "the verdict's reason, with the numbers"},
          {"warnings[]", "", "what the reader should know; at most 1000, then how many more"},
          {"status", "", "done, partial when groups were left out, or no_data when no group has an index"},
      }),
      .run = run_pfi,
      .check = can_read<pfi_settings_from>};
  return kVerb;
}

}  // namespace wattflex::app
