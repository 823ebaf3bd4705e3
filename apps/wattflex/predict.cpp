// `wattflex predict`: the flexibility index of jobs that were only seen uncapped, from a model file. Each
// comes with its standard error, or is refused with the reason.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/dropped_groups.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/predictor_output.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"
#include "elasticity/predictor.h"
#include "elasticity/predictor_file.h"
#include "ingest/sweep_table.h"

namespace wattflex::app {
namespace {

using elasticity::Prediction;
using elasticity::Predictor;
using nlohmann::ordered_json;

struct PredictedGroup {
  const SweepGroup* group;
  Prediction prediction;
  std::optional<double> measured;  // the model's target index, where the table allows it
};

struct PredictReport {
  const SweepTable& table;
  const Predictor& predictor;
  std::string model_file;
  std::vector<PredictedGroup> groups;
  std::optional<stats::FitScores> scores;  // over the groups that are predicted and measured
  std::size_t scored = 0;
  std::vector<std::string> warnings;

  std::size_t refused() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(groups, [](const auto& group) { return !group.prediction.pfi; }));
  }
  std::string_view status() const {
    if (refused() == 0) return table.dropped.empty() ? "done" : "partial";
    return refused() == groups.size() ? "refused" : "partial";
  }
};

std::vector<std::string> warnings_about(const SweepTable& table, const Predictor& predictor) {
  std::vector<std::string> warnings = table.warnings;
  for (const std::string& accelerator : elasticity::accelerators_of(table)) {
    if (accelerator == predictor.accelerator) continue;
    warnings.push_back(
        fmt::format("the model was fitted on '{}', {}: an index is comparable on one accelerator only",
                    predictor.accelerator,
                    accelerator.empty() ? "the table names no accelerator"
                                        : fmt::format("these jobs ran on '{}'", accelerator)));
  }
  if (predictor.pedigree != Pedigree::measured) {
    warnings.push_back(fmt::format("the model was fitted on {} groups", to_string(predictor.pedigree)));
  }
  return warnings;
}

void score(PredictReport& report) {
  std::vector<double> measured;
  std::vector<double> predicted;
  for (const PredictedGroup& group : report.groups) {
    if (!group.measured || !group.prediction.pfi) continue;
    measured.push_back(*group.measured);
    predicted.push_back(*group.prediction.pfi);
  }
  report.scored = measured.size();
  // Two groups always lie on a line through their mean; below three a score says nothing.
  if (measured.size() < 3 || std::ranges::max(measured) == std::ranges::min(measured)) return;
  report.scores = stats::score(measured, predicted);
}

PredictReport make_report(const SweepTable& table, const Predictor& predictor, std::string model_file) {
  PredictReport report{.table = table,
                       .predictor = predictor,
                       .model_file = std::move(model_file),
                       .warnings = warnings_about(table, predictor)};
  for (const SweepGroup& group : table.groups) {
    const auto flexibility = elasticity::measure_flexibility(group, {.resamples = 0});
    report.groups.push_back({.group = &group,
                             .prediction = elasticity::predict(predictor, table.telemetry_columns, group),
                             .measured = elasticity::index_of(flexibility, predictor.target).value});
  }
  score(report);
  return report;
}

ordered_json group_json(const PredictedGroup& entry) {
  const Prediction& prediction = entry.prediction;
  ordered_json result = {{"group", entry.group->id.group},
                         {"accelerator", entry.group->id.accelerator},
                         {"gpus", entry.group->gpus},
                         {"status", prediction.pfi ? "predicted" : "refused"},
                         {"pfi", or_null(prediction.pfi)},
                         {"standard_error", nullptr},
                         {"interval95", nullptr},
                         {"leverage", nullptr},
                         {"extrapolated", !prediction.outside.empty()},
                         {"outside", prediction.outside},
                         {"reason", prediction.reason},
                         {"measured", or_null(entry.measured)}};
  if (prediction.pfi) {
    result["standard_error"] = prediction.standard_error;
    result["interval95"] = {prediction.interval95.low, prediction.interval95.high};
    result["leverage"] = prediction.leverage;
  }
  return result;
}

ordered_json to_json(const PredictReport& report) {
  const Predictor& predictor = report.predictor;
  ordered_json features = ordered_json::array();
  for (const auto& feature : predictor.features) features.push_back(feature.name);
  ordered_json groups = ordered_json::array();
  for (const PredictedGroup& group : report.groups) groups.push_back(group_json(group));
  return {{"status", report.status()},
          {"table", report.table.name},
          {"pedigree", "predicted"},
          {"target", to_string(predictor.target)},
          {"target_definition", elasticity::definition_of(predictor.target)},
          {"model",
           {{"file", report.model_file},
            {"features", std::move(features)},
            {"table", predictor.table},
            {"accelerator", predictor.accelerator},
            {"pedigree", to_string(predictor.pedigree)},
            {"n_groups", predictor.groups.size()},
            {"cap_grids_w", predictor.cap_grids_w},
            {"fingerprint", predictor.fingerprint}}},
          {"groups", std::move(groups)},
          {"n_predicted", report.groups.size() - report.refused()},
          {"n_refused", report.refused()},
          {"left_out", dropped_json(report.table.dropped)},
          {"n_scored", report.scored},
          {"scores", scores_json(report.scores)},
          {"warnings", report.warnings}};
}

report::TextTable to_table(const PredictReport& report) {
  report::TextTable table({{"group", "group", report::Align::left},
                           {"accelerator", "accelerator", report::Align::left},
                           {"pfi", "PFI"},
                           {"standard_error", "+-"},
                           {"ci_low", "95 % from"},
                           {"ci_high", "to"},
                           {"measured", "measured"},
                           {"note", "note", report::Align::left}});
  for (const auto& [group, prediction, measured] : report.groups) {
    std::vector<std::string> row{group->id.group, group->id.accelerator};
    if (prediction.pfi) {
      for (const double value : {*prediction.pfi, prediction.standard_error, prediction.interval95.low,
                                 prediction.interval95.high}) {
        row.push_back(fmt::format("{:.2f}", value));
      }
    } else {
      row.resize(6);
    }
    row.push_back(measured ? fmt::format("{:.2f}", *measured) : "");
    row.push_back(prediction.pfi ? fmt::format("{}", fmt::join(prediction.outside, "; "))
                                 : "refused: " + prediction.reason);
    table.add_row(std::move(row));
  }
  return table;
}

void print(const PredictReport& report, Console& console) {
  for (const std::string& warning : report.warnings) console.warn(warning);
  if (console.format() == Format::json) {
    print_json(to_json(report), console);
    return;
  }
  console.say(fmt::format(
      "{} predicted from {} (fitted on {} of {}, {})\n", to_string(report.predictor.target),
      report.model_file,
      counted(report.predictor.groups.size(), fmt::format("{} group", to_string(report.predictor.pedigree))),
      report.predictor.table, report.predictor.accelerator));
  console.print(to_table(report));
  if (report.refused() > 0) {
    console.say(fmt::format("\n{} of {} refused", report.refused(), counted(report.groups.size(), "group")));
  }
  say_dropped(report.table.dropped, console);
  if (report.scores) {
    const auto cells = score_cells(report.scores);
    console.say(fmt::format("\nagainst the measured index of {}: R2 {}, RMSE {}, rho {}",
                            counted(report.scored, "group"), cells[0], cells[1], cells[2]));
  }
}

Result<Outcome> run_predict(const Arguments& arguments, Console& console) {
  const std::string model_file(arguments.text("model"));
  const auto predictor = elasticity::load_predictor(model_file);
  if (!predictor) return std::unexpected(predictor.error());
  const auto table = read_uncapped_table(std::string(arguments.text("TABLE")));
  if (!table) return std::unexpected(table.error());
  const PredictReport report = make_report(*table, *predictor, model_file);
  print(report, console);
  return report.status() == "done" ? Outcome::done : Outcome::partial;
}

std::vector<JsonField> predict_json_fields() {
  std::vector<JsonField> fields = {
      {"status", "", "done, partial or refused: all, some or none of the table's groups are predicted"},
      {"table", "", "name of the table"},
      {"pedigree", "", "predicted"},
      {"target", "", "the index that is predicted: pfi, guarded or pooled"},
      {"target_definition", "", "its definition"},
      {"model.file", "", "the model file"},
      {"model.features[]", "", "what it looks at"},
      {"model.table", "", "the table it was fitted on"},
      {"model.accelerator", "", "of the groups it was fitted on"},
      {"model.pedigree", "", "measured, simulated or predicted: those groups"},
      {"model.n_groups", "1", "their number"},
      {"model.cap_grids_w[][]", "W", "the cap grids their index was measured on"},
      {"model.fingerprint", "", "of features and indices it was fitted on"},
      {"groups[].group", "", "name of the group"},
      {"groups[].accelerator", "", "the accelerator it ran on"},
      {"groups[].gpus", "1", "its GPUs"},
      {"groups[].status", "", "predicted or refused"},
      {"groups[].pfi", "1", "predicted index; null: refused"},
      {"groups[].standard_error", "1", "of the prediction for this one job"},
      {"groups[].interval95", "1", "null: refused"},
      {"groups[].interval95[]", "1", "low and high end of the 95 % prediction interval"},
      {"groups[].leverage", "1", "distance from the centre of the fitted groups"},
      {"groups[].extrapolated", "", "true: outside the fitted range"},
      {"groups[].outside[]", "", "in which way"},
      {"groups[].reason", "", "why it is refused"},
      {"groups[].measured", "1", "the measured index, where the table has capped points"},
      {"n_predicted", "1", "groups predicted"},
      {"n_refused", "1", "groups refused"},
      {"n_scored", "1", "groups that are both predicted and measured"},
      {"scores", "", "over those groups; null: fewer than three"},
      {"scores.r_squared", "1", "1 - SSE / SST; below 0: worse than their mean"},
      {"scores.rmse", "1", "root mean squared error of the index"},
      {"scores.rho", "1", "Spearman rank correlation of measured and predicted; null: constant"},
      {"warnings[]", "", "what the reader should know"}};
  return fields;
}

const Verb kPredict = {
    .name = "predict",
    .summary = "Predict flexibility of jobs seen only uncapped",
    .details =
        "Reads the telemetry of each group's uncapped row and predicts its flexibility index from a model "
        "file, with "
        "standard error and 95 % prediction interval. A job outside the fitted range is predicted and "
        "flagged. "
        "Telemetry that cannot be true (profiling counters at exactly 0 on a busy GPU, ratios above 1) is "
        "refused, "
        "never repaired. Where the table also has capped points the measured index stands beside. Exit "
        "status 1 when "
        "any group is refused or left out.",
    .options = {{"TABLE", "TABLE", "", "table with telemetry (CSV); - is standard input", Takes::value, true},
                {"-m,--model", "MODEL", "", "model file, from wattflex fit", Takes::value, true}},
    .examples = {{"wattflex predict -m model.json jobs.csv", "how flexible these jobs should be"},
                 {"wattflex predict -m h200.json h100.csv -o json",
                  "does a model of one board serve another"}},
    .json_fields = with_dropped_fields(predict_json_fields()),
    .run = run_predict};

}  // namespace

const Verb& predict_verb() {
  return kPredict;
}

}  // namespace wattflex::app
