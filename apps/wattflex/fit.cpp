// `wattflex fit`: learns to predict a job's flexibility index from its uncapped telemetry, and says how well
// that works on jobs the fit has not seen.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/predictor_output.h"
#include "apps/wattflex/verbs.h"
#include "apps/wattflex/written_files.h"
#include "base/counted.h"
#include "base/file.h"
#include "elasticity/ablation.h"
#include "elasticity/feature.h"
#include "elasticity/predictor.h"
#include "elasticity/predictor_file.h"
#include "ingest/sweep_table.h"

namespace wattflex::app {
namespace {

using elasticity::Ablation;
using elasticity::AblationRow;
using elasticity::Predictor;
using nlohmann::ordered_json;

struct FitReport {
  const SweepTable& table;
  elasticity::Target target = elasticity::Target::published;
  Predictor predictor;
  std::vector<elasticity::LeftOut> left_out;
  std::string model_file;  // empty: none is written
  std::optional<Ablation> ablation;
};

ordered_json coefficient_json(const Predictor& predictor, std::size_t position) {
  return {{"coefficient", predictor.model.coefficients[position]},
          {"standard_error", predictor.model.coefficient_error(position)}};
}

ordered_json predictor_json(const Predictor& predictor) {
  ordered_json features = ordered_json::array();
  for (std::size_t j = 0; j < predictor.features.size(); ++j) {
    ordered_json feature = {{"name", predictor.features[j].name}};
    feature.update(coefficient_json(predictor, j + 1));
    feature["lowest"] = predictor.features[j].lowest;
    feature["highest"] = predictor.features[j].highest;
    features.push_back(std::move(feature));
  }
  return {{"intercept", coefficient_json(predictor, 0)},
          {"features", std::move(features)},
          {"residual_standard_error", std::sqrt(predictor.model.residual_variance)},
          {"scores", scores_json(predictor.scores)}};
}

ordered_json ablation_json(const Ablation& ablation) {
  ordered_json rows = ordered_json::array();
  for (const AblationRow& row : ablation.rows) {
    rows.push_back({{"predictors", row.predictors},
                    {"n_features", row.features.size()},
                    {"features", row.features},
                    {"constant_features", row.constant},
                    {"scores", row.scores ? scores_json(*row.scores) : ordered_json(nullptr)},
                    {"reason", row.reason}});
  }
  return {
      {"n_groups", ablation.n}, {"left_out", left_out_json(ablation.left_out)}, {"rows", std::move(rows)}};
}

ordered_json to_json(const FitReport& report) {
  const SweepGroup& first = report.table.groups.front();
  ordered_json document = {
      {"status", "done"},
      {"table", report.table.name},
      {"accelerator", first.id.accelerator},
      {"pedigree", to_string(first.pedigree)},
      {"target", to_string(report.target)},
      {"target_definition", elasticity::definition_of(report.target)},
      {"model_file", report.model_file.empty() ? ordered_json(nullptr) : ordered_json(report.model_file)}};
  document["n_groups"] = report.predictor.groups.size();
  document["left_out"] = left_out_json(report.left_out);
  document["predictor"] = predictor_json(report.predictor);
  if (report.ablation) document["ablation"] = ablation_json(*report.ablation);
  document["warnings"] = report.table.warnings;
  return document;
}

report::TextTable score_table() {
  return report::TextTable({{"predictors", "predictors", report::Align::left},
                            {"features", "features"},
                            {"r2_in", "R2 in"},
                            {"loo_r2", "LOO R2"},
                            {"loo_rmse", "RMSE"},
                            {"loo_rho", "rho"},
                            {"loco_r2", "LOCO R2"},
                            {"loco_rmse", "RMSE"},
                            {"loco_rho", "rho"},
                            {"note", "note", report::Align::left}});
}

void add_scores(report::TextTable& table, const std::string& name, std::size_t features,
                const std::optional<elasticity::PredictorScores>& scores, std::string note) {
  std::vector<std::string> row{name, scores ? std::to_string(features) : ""};
  if (!scores) {
    row.resize(9);
  } else {
    row.push_back(fmt::format("{:.3f}", scores->in_sample.r_squared));
    for (const auto* const validation : {&scores->leave_one_out, &scores->leave_one_cluster_out}) {
      const auto cells = score_cells(*validation);
      row.insert(row.end(), cells.begin(), cells.end());
    }
    if (scores->underdetermined > 0) {
      note += fmt::format("{}{} with fewer groups than coefficients", note.empty() ? "" : "; ",
                          counted(scores->underdetermined, "fold"));
    }
  }
  row.push_back(std::move(note));
  table.add_row(std::move(row));
}

void print_equation(const FitReport& report, Console& console) {
  const Predictor& predictor = report.predictor;
  std::string equation =
      fmt::format("{} = {:.4g}", to_string(report.target), predictor.model.coefficients[0]);
  for (std::size_t j = 0; j < predictor.features.size(); ++j) {
    equation += fmt::format(" {:+.4g} {}", predictor.model.coefficients[j + 1], predictor.features[j].name);
  }
  console.say(
      fmt::format("{}    standard error {:.3g}", equation, std::sqrt(predictor.model.residual_variance)));
  const SweepGroup& first = report.table.groups.front();
  console.say(
      fmt::format("fitted on {} of {} ({})",
                  counted(predictor.groups.size(), fmt::format("{} group", to_string(first.pedigree))),
                  predictor.table, first.id.accelerator));
  say_left_out(report.left_out, console);
  console.say("");
}

void print(const FitReport& report, Console& console) {
  for (const std::string& warning : report.table.warnings) console.warn(warning);
  if (is_standard_output(report.model_file)) return;
  if (console.format() == Format::json) {
    print_json(to_json(report), console);
    return;
  }
  print_equation(report, console);
  report::TextTable table = score_table();
  std::vector<std::string> names;
  names.reserve(report.predictor.features.size());
  for (const auto& feature : report.predictor.features) names.push_back(feature.name);
  const auto& scores = report.predictor.scores;
  const std::string fitted = fmt::format("{}", fmt::join(names, "+"));
  const bool in_ablation =
      report.ablation && std::ranges::any_of(report.ablation->rows, [&](const AblationRow& row) {
        return row.predictors == fitted;
      });
  if (!in_ablation) add_scores(table, fitted, names.size(), scores, scores.no_clusters);
  if (report.ablation) {
    for (const AblationRow& row : report.ablation->rows) {
      std::string note = row.reason;
      if (row.scores) note = row.scores->no_clusters;
      if (!row.constant.empty()) {
        note += fmt::format("{}without constant {}", note.empty() ? "" : "; ", fmt::join(row.constant, ", "));
      }
      add_scores(table, row.predictors, row.features.size(), row.scores, std::move(note));
    }
  }
  console.print(table);
  if (report.ablation) console.say("\nablation over the same " + counted(report.ablation->n, "group"));
  if (!report.model_file.empty()) console.say("\nmodel written to " + report.model_file);
}

Result<std::vector<std::string>> features_from(const Arguments& arguments,
                                               std::span<const std::string> telemetry_columns) {
  auto features = elasticity::parse_features(arguments.text("features"), telemetry_columns);
  if (features || features.error().kind != ErrorKind::usage) return features;
  return fail(ErrorKind::usage, "--features: " + features.error().message, features.error().remedy);
}

// What no table makes right.
Result<void> check_fit_options(const Arguments& arguments) {
  if (const auto target = target_from(arguments); !target) return std::unexpected(target.error());
  const std::vector<std::string> some_column = {"dram_active"};
  const auto features = features_from(arguments, some_column);
  return features ? Result<void>() : std::unexpected(features.error());
}

Result<Outcome> run_fit(const Arguments& arguments, Console& console) {
  const auto kept = keep_inputs(arguments, "model", {"TABLE", "config"});
  if (!kept) return std::unexpected(kept.error());
  const auto target = target_from(arguments);
  if (!target) return std::unexpected(target.error());
  auto whole = read_sweep_table(std::string(arguments.text("TABLE")));
  if (!whole) return std::unexpected(whole.error());
  const auto table = elasticity::only_accelerator(*std::move(whole), arguments.text("accelerator"));
  if (!table) return std::unexpected(table.error());
  FitReport report{.table = *table, .target = *target, .model_file = output_path(arguments, "model")};
  if (arguments.flag("ablation")) {
    auto ablation = elasticity::ablate(*table, *target);
    if (!ablation) return std::unexpected(ablation.error());
    report.ablation = *std::move(ablation);
  }
  auto features = features_from(arguments, table->telemetry_columns);
  if (!features) return std::unexpected(features.error());
  auto set = elasticity::collect_training_set(*table, *std::move(features), *target);
  if (!set) return std::unexpected(set.error());
  auto predictor = elasticity::fit_predictor(*set);
  if (!predictor) return std::unexpected(explained(predictor.error(), set->left_out));
  if (!report.model_file.empty()) {
    const auto written = write_file(report.model_file, elasticity::write_predictor(*predictor));
    if (!written) return std::unexpected(written.error());
  }
  report.predictor = *std::move(predictor);
  report.left_out = std::move(set->left_out);
  print(report, console);
  return Outcome::done;
}

std::vector<JsonField> fit_json_fields() {
  std::vector<JsonField> fields = {
      {"status", "", "done"},
      {"table", "", "name of the sweep table"},
      {"accelerator", "", "of its groups"},
      {"pedigree", "", "measured, simulated or predicted: of its groups"},
      {"target", "", "the index that is predicted: pfi, guarded or pooled"},
      {"target_definition", "", "its definition"},
      {"model_file", "", "the file written; null: none was asked for"},
      {"n_groups", "1", "groups the predictor is fitted on"},
      {"left_out[].group", "", "a group that is not among them"},
      {"left_out[].reason", "", "why"},
      {"predictor.intercept.coefficient", "1", "index when all features are 0"},
      {"predictor.intercept.standard_error", "1", "its standard error"},
      {"predictor.features[].name", "", "a feature"},
      {"predictor.features[].coefficient", "1 per unit", "change of the index per unit of it"},
      {"predictor.features[].standard_error", "1 per unit", "standard error of the coefficient"},
      {"predictor.features[].lowest", "feature's unit", "smallest fitted value"},
      {"predictor.features[].highest", "feature's unit", "largest fitted value"},
      {"predictor.residual_standard_error", "1", "scatter of the indices about the fit"},
      {"ablation.n_groups", "1", "groups every set is scored on; with --ablation"},
      {"ablation.left_out[].group", "", "a group that is not among them"},
      {"ablation.left_out[].reason", "", "why"},
      {"ablation.rows[].predictors", "", "a feature set of the paper's Table 3"},
      {"ablation.rows[].n_features", "1", "features used"},
      {"ablation.rows[].features[]", "", "their names"},
      {"ablation.rows[].constant_features[]", "", "left out because they are the same in all groups"},
      {"ablation.rows[].scores", "", "null: not available"},
      {"ablation.rows[].reason", "", "why the set is not available"},
      {"warnings[]", "", "what the reader of the table should know"}};
  add_score_fields(fields, "predictor.");
  add_score_fields(fields, "ablation.rows[].");
  return fields;
}

const Verb kFit = {
    .name = "fit",
    .summary = "Fit a predictor of flexibility from uncapped telemetry",
    .details =
        "Least squares of the flexibility index on features of each group's uncapped run, as in the paper. "
        "Scores "
        "are in sample, leaving one group out (LOO) and leaving one cluster (arch x task) out (LOCO); "
        "believe the "
        "latter two. The model file records what it was fitted on. Features: telemetry columns, "
        "dram_copy_product, arithmetic_intensity, tensor_per_sm, is_moe, is_fine_tuning, log2_gpus, and the "
        "sets "
        "job_metadata and all_telemetry.",
    .options =
        {{"TABLE", "TABLE", "", "sweep table with telemetry (CSV); - is standard input", Takes::value, true},
         {"-m,--model", "FILE", "",
          "model file to write (JSON); - for standard output, then alone; without it nothing is written"},
         {"--features", "LIST", "dram_copy_product", "features, separated by commas"},
         {"--target", "pfi|guarded|pooled", "pfi", "which index to predict"},
         {"--accelerator", "NAME", "", "use the groups on this accelerator only"},
         {"--ablation", "", "", "score the feature sets of the paper's Table 3", Takes::flag}},
    .examples =
        {{"wattflex fit cohort.csv -m model.json", "the paper's predictor"},
         {"wattflex fit cohort.csv --ablation", "which features are worth having"},
         {"wattflex fit cohort.csv -m model.json --features dram_active,tensor_active --target pooled",
          "other features, and an index that stands noise"}},
    .json_fields = fit_json_fields(),
    .run = run_fit,
    .check = check_fit_options};

}  // namespace

const Verb& fit_verb() {
  return kFit;
}

}  // namespace wattflex::app
