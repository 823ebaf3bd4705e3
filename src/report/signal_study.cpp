#include "report/signal_study.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/counted.h"
#include "elasticity/indexed_groups.h"
#include "elasticity/training_set.h"
#include "report/display_text.h"

namespace wattflex::report {
namespace {

using elasticity::Predictor;
using elasticity::Target;

constexpr const char* kBestFeature = "dram_copy_product";

const GroupEvidence* evidence_of(const Evidence& evidence, const GroupId& id) {
  const auto found =
      std::ranges::find_if(evidence.groups, [&](const GroupEvidence& e) { return e.group->id == id; });
  return found == evidence.groups.end() ? nullptr : &*found;
}

std::optional<Predictor> fitted_to(const SweepTable& table) {
  const auto set = elasticity::collect_training_set(table, {kBestFeature}, Target::published);
  if (!set) return std::nullopt;
  auto predictor = elasticity::fit_predictor(*set);
  return predictor ? std::optional(std::move(*predictor)) : std::nullopt;
}

std::string stars(const elasticity::Signal& signal) {
  if (!signal.q || *signal.q >= 0.05) return "";
  return *signal.q < 0.01 ? " **" : " *";
}

std::string scores(const elasticity::PredictorScores& scores) {
  std::string text = fmt::format("R2 {:.2f} in sample", scores.in_sample.r_squared);
  if (scores.leave_one_out)
    text += fmt::format(", {:.2f} leaving one group out", scores.leave_one_out->r_squared);
  if (scores.leave_one_cluster_out) {
    text += fmt::format(", {:.2f} leaving one class out", scores.leave_one_cluster_out->r_squared);
  }
  return text + fmt::format("; RMSE {:.2f}", scores.in_sample.rmse);
}

std::string features_of(const Predictor& predictor) {
  std::string names;
  for (const auto& feature : predictor.features) names += (names.empty() ? "" : ", ") + feature.name;
  return names;
}

SignalStudy study_of(const SweepTable& table, const std::string& accelerator, const Evidence& evidence,
                     const std::optional<Predictor>& given) {
  SignalStudy study{.accelerator = accelerator,
                    .pedigree = evidence.pedigree(),
                    .signals = {},
                    .predictor = given,
                    .predicted = {}};
  if (const auto indexed = elasticity::index_groups(table, Target::published)) {
    study.signals = elasticity::correlate_signals(table.telemetry_columns, *indexed);
    std::erase_if(study.signals, [](const elasticity::Signal& s) { return !s.association.correlation; });
  }
  if (!given) {
    study.predictor = fitted_to(table);
    study.fitted_here = study.predictor.has_value();
  }
  if (!study.predictor) return study;
  for (const SweepGroup& group : table.groups) {
    const GroupEvidence* const each = evidence_of(evidence, group.id);
    auto prediction = elasticity::predict(*study.predictor, table.telemetry_columns, group);
    if (each != nullptr && prediction.pfi) {
      study.predicted.push_back({each->name, elasticity::index_of(each->flexibility, study.predictor->target),
                                 std::move(prediction)});
    }
  }
  return study;
}

}  // namespace

std::vector<SignalStudy> study_signals(const SweepTable& table, const Evidence& evidence,
                                       const std::optional<Predictor>& predictor) {
  std::vector<SignalStudy> studies;
  if (table.telemetry_columns.empty()) return studies;
  for (const std::string& accelerator : elasticity::accelerators_of(table)) {
    const auto only = elasticity::only_accelerator(table, accelerator);
    if (!only) continue;
    SignalStudy study = study_of(*only, accelerator, evidence, predictor);
    if (!study.signals.empty() || !study.predicted.empty()) studies.push_back(std::move(study));
  }
  return studies;
}

Figure correlations(const SignalStudy& study) {
  Figure figure{.id = "correlations",
                .title = "Which readings of the uncapped run go with the index",
                .subtitle = fmt::format(
                    "Spearman's rank correlation with the published index over the groups of {}. * q < 0.05, "
                    "** q < 0.01 (Benjamini-Hochberg over all readings). Correlation only; no cause.",
                    study.accelerator.empty() ? "the table" : study.accelerator),
                .pedigree = study.pedigree};
  Axis rows{.title = "", .low = -0.7, .high = static_cast<double>(study.signals.size()) - 0.3};
  Series certain{.name = "q < 0.05", .mark = Mark::stems, .ink = Ink::blue};
  Series uncertain{.name = "not significant", .mark = Mark::stems, .ink = Ink::muted};
  for (std::size_t i = 0; i < study.signals.size(); ++i) {
    const elasticity::Signal& signal = study.signals[i];
    const auto row = static_cast<double>(study.signals.size() - 1 - i);
    rows.ticks.push_back({row, signal.metric + stars(signal)});
    const auto& correlation = *signal.association.correlation;
    (stars(signal).empty() ? uncertain : certain)
        .samples.push_back(
            {.x = correlation.rho,
             .y = row,
             .note = fmt::format("{}: rho {:.2f}, p {:.2g}, {}", signal.metric, correlation.rho,
                                 correlation.p_value, counted(correlation.n, "group"))});
  }
  figure.legend = {{Ink::blue, "q < 0.05"}, {Ink::muted, "not significant"}};
  figure.panels = {
      {.x = {.title = "Spearman's rho", .low = -1, .high = 1}, .y = rows, .series = {uncertain, certain}}};
  figure.panel_height = 50 + 24 * static_cast<double>(study.signals.size());
  return figure;
}

Figure predictor_fit(const SignalStudy& study) {
  const Predictor& predictor = *study.predictor;
  Figure figure{
      .id = "predictor",
      .title = "Index predicted from " + features_of(predictor),
      .subtitle =
          study.fitted_here
              ? fmt::format("Least squares on these groups: {}. On the dashed line the prediction is right.",
                            scores(predictor.scores))
              : fmt::format(
                    "Model fitted on {} of {} ({}); there: {}. On the dashed line the prediction is right.",
                    counted(predictor.groups.size(), "group"), predictor.table, to_string(predictor.pedigree),
                    scores(predictor.scores)),
      .pedigree = study.pedigree + "; the index along x is predicted"};
  Series inside{.name = "group", .mark = Mark::points, .ink = Ink::blue};
  Series outside{.name = "outside the fitted range", .mark = Mark::points, .ink = Ink::vermillion};
  Range range{1, 1};
  for (const PredictedGroup& each : study.predicted) {
    if (!each.measured.value) continue;
    range = {std::min({range.low, *each.prediction.pfi, *each.measured.value}),
             std::max({range.high, *each.prediction.pfi, *each.measured.value})};
    Sample sample{.x = *each.prediction.pfi,
                  .y = *each.measured.value,
                  .note = fmt::format("{}: predicted {:.2f} +- {:.2f}", display_text(each.name, 60),
                                      *each.prediction.pfi, each.prediction.standard_error)};
    if (each.measured.ci95) sample.y_range = Range{each.measured.ci95->low, each.measured.ci95->high};
    (each.prediction.outside.empty() ? inside : outside).samples.push_back(std::move(sample));
  }
  const Series right{.name = "right",
                     .mark = Mark::line,
                     .ink = Ink::muted,
                     .stroke = Stroke::dashed,
                     .samples = {{.x = range.low, .y = range.low}, {.x = range.high, .y = range.high}}};
  figure.panels = {{.x = {.title = "Predicted index"},
                    .y = {.title = "Index of the sweep"},
                    .series = {right, inside, outside}}};
  if (!outside.samples.empty())
    figure.legend = {{Ink::blue, "within the fitted range"}, {Ink::vermillion, "outside it"}};
  figure.panel_height = 340;
  return figure;
}

}  // namespace wattflex::report
