// `wattflex analyze`: which jobs are flexible, what in their telemetry says so, and how far such statements
// rest on a few groups, one class or the choice of caps. Reads, asks src/elasticity, prints.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/wattflex/analyze_output.h"
#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/predictor_output.h"
#include "apps/wattflex/verbs.h"
#include "base/parse.h"
#include "elasticity/feature.h"
#include "ingest/sweep_table.h"

namespace wattflex::app {
namespace {

using elasticity::Grouping;
using elasticity::IndexedGroups;

struct AnalyzeSettings {
  elasticity::Target target = elasticity::Target::published;
  std::optional<Grouping> by;  // none: the paper's classes, or tasks where these do not tell groups apart
  std::string metric;
  int drops = 0;
  std::vector<double> grid_w;
  std::size_t fewest_caps = 3;
};

std::unexpected<Error> wrong_grid(std::string_view problem) {
  return fail(ErrorKind::usage, fmt::format("--grid: {}", problem),
              "list caps in watts, e.g. 200,500,600,700");
}

Result<std::vector<double>> grid_from(std::string_view text) {
  const auto words = parse_list(text);
  if (!words) return wrong_grid(words.error().message);
  std::vector<double> caps;
  for (const std::string_view word : *words) {
    const auto cap = parse_number(word.ends_with('W') ? word.substr(0, word.size() - 1) : word);
    if (!cap || *cap <= 0) return wrong_grid(fmt::format("'{}' is not a cap", word));
    if (std::ranges::find(caps, *cap) != caps.end())
      return wrong_grid(fmt::format("'{}' is a cap that is there twice", word));
    caps.push_back(*cap);
  }
  return caps;
}

Result<AnalyzeSettings> analyze_settings_from(const Arguments& arguments) {
  AnalyzeSettings settings;
  const auto target = target_from(arguments);
  if (!target) return std::unexpected(target.error());
  settings.target = *target;
  if (arguments.has("by")) {
    settings.by = elasticity::parse_grouping(arguments.text("by"));
    if (!settings.by) {
      return fail(ErrorKind::usage, fmt::format("--by: '{}' makes no classes", arguments.text("by")),
                  "use class, arch-task, arch or task");
    }
  }
  settings.metric = arguments.text("metric");
  if (!elasticity::is_feature(settings.metric)) {
    return fail(ErrorKind::usage, fmt::format("--metric: '{}' is not a metric", settings.metric),
                "use a telemetry column, dram_copy_product, arithmetic_intensity or tensor_per_sm");
  }
  const auto drops = arguments.integer("drops", 0, 1000);
  if (!drops) return std::unexpected(drops.error());
  settings.drops = static_cast<int>(*drops);
  if (arguments.has("grid")) {
    const auto grid = grid_from(arguments.text("grid"));
    if (!grid) return std::unexpected(grid.error());
    settings.grid_w = *grid;
  }
  const auto fewest = arguments.integer("fewest-caps", 2, 1000);
  if (!fewest) return std::unexpected(fewest.error());
  settings.fewest_caps = static_cast<std::size_t>(*fewest);
  return settings;
}

std::unexpected<Error> missing(std::string what) {
  return fail(ErrorKind::no_data, std::move(what), "");
}

Result<elasticity::ClassComparison> classes_of(const IndexedGroups& indexed,
                                               const AnalyzeSettings& settings) {
  if (settings.by) return elasticity::compare_classes(indexed, *settings.by);
  auto by_class = elasticity::compare_classes(indexed, Grouping::paper_class);
  if (by_class) return by_class;
  auto by_task = elasticity::compare_classes(indexed, Grouping::task);
  return by_task ? std::move(by_task) : std::move(by_class);
}

Analysis analyze(const SweepTable& table, IndexedGroups indexed, const AnalyzeSettings& settings,
                 Console& console) {
  const std::vector<std::string>& columns = table.telemetry_columns;
  Analysis analysis{.accelerator = table.groups.front().id.accelerator,
                    .n_groups = table.groups.size(),
                    .indexed = std::move(indexed),
                    .signals = missing("the table has no telemetry columns"),
                    .drops = missing("the table has no telemetry columns"),
                    .subgroups = missing("the table has no telemetry columns"),
                    .grid = missing("no --grid was given")};
  const IndexedGroups& groups = analysis.indexed;
  analysis.classes = classes_of(groups, settings);
  if (!columns.empty()) {
    analysis.signals = elasticity::correlate_signals(columns, groups);
    analysis.drops = elasticity::drop_by_leverage(columns, groups, settings.metric, settings.drops);
    if (analysis.drops) {
      analysis.subgroups = elasticity::correlate_subgroups(columns, groups, settings.metric);
    } else {
      analysis.subgroups = std::unexpected(analysis.drops.error());
    }
  }
  if (!settings.grid_w.empty()) analysis.grid = elasticity::compare_grid(groups, settings.grid_w);
  analysis.grids = elasticity::summarise_grids(groups, settings.fewest_caps,
                                               [&](double done) { console.progress("sub-grids", done); });
  console.end_progress();
  return analysis;
}

Result<Outcome> run_analyze(const Arguments& arguments, Console& console) {
  const auto settings = analyze_settings_from(arguments);
  if (!settings) return std::unexpected(settings.error());
  const auto table = read_sweep_table(std::string(arguments.text("TABLE")));
  if (!table) return std::unexpected(table.error());
  AnalysisReport report{.table = table->name,
                        .target = settings->target,
                        .metric = settings->metric,
                        .grid_asked = !settings->grid_w.empty(),
                        .analyses = {},
                        .warnings = table->warnings};
  std::vector<SweepTable> parts;  // the analyses point into them
  const auto accelerators = elasticity::accelerators_of(*table);
  parts.reserve(accelerators.size());
  for (const std::string& accelerator : accelerators) {
    SweepTable& part = parts.emplace_back(*table);
    std::erase_if(part.groups, [&](const SweepGroup& group) { return group.id.accelerator != accelerator; });
    auto indexed = elasticity::index_groups(part, settings->target);
    if (!indexed) return std::unexpected(indexed.error());
    report.analyses.push_back(analyze(part, *std::move(indexed), *settings, console));
  }
  show(report, console);
  return Outcome::done;
}

const Verb kAnalyze = {
    .name = "analyze",
    .summary = "Test which jobs are flexible and which telemetry says so",
    .details =
        "Compares classes of jobs (Kruskal-Wallis, Dunn with Holm), correlates every telemetry column of the "
        "uncapped "
        "run with the flexibility index (Spearman, Benjamini-Hochberg), and shows how far that rests on a "
        "few groups, "
        "on one class, and on the caps that were measured. Each accelerator is analysed alone. What the "
        "table does "
        "not allow is named with the reason.",
    .options = {{"TABLE", "TABLE", "", "sweep table (CSV); - is standard input", Takes::value, true},
                {"--target", "pfi|guarded|pooled", "pfi", "which index to explain"},
                {"--by", "class|arch-task|arch|task", "",
                 "what makes a class; else dense and MoE by task, or task where that makes one class only"},
                {"--metric", "METRIC", "dram_copy_product", "the metric of the leverage and subgroup checks"},
                {"--drops", "N", "5", "how many high-leverage groups to drop"},
                {"--grid", "CAPS", "", "compare this sub-grid with the full one: 200,500,600,700"},
                {"--fewest-caps", "N", "3", "fewest caps of the sub-grids tried, the uncapped one included"}},
    .examples = {{"wattflex analyze cohort.csv", "everything the table allows"},
                 {"wattflex analyze cohort.csv --grid 200,500,600,700", "what four caps would have said"},
                 {"wattflex analyze sweep.csv --target pooled --by task -o json", "for a script"}},
    .json_fields = analysis_json_fields(),
    .run = run_analyze,
    .check = can_read<analyze_settings_from>};

}  // namespace

const Verb& analyze_verb() {
  return kAnalyze;
}

}  // namespace wattflex::app
