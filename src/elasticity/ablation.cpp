#include "elasticity/ablation.h"

#include <algorithm>
#include <array>

#include "elasticity/feature.h"

namespace wattflex::elasticity {
namespace {

struct PredictorSet {
  std::string_view name;
  std::string_view features;  // as parse_features reads them
};

constexpr std::array kSets = std::to_array<PredictorSet>({
    {"dram_copy_product", "dram_copy_product"},
    {"arithmetic_intensity", "arithmetic_intensity"},
    {"dram_copy_product+arithmetic_intensity", "dram_copy_product,arithmetic_intensity"},
    {"job_metadata", "job_metadata"},
    {"dram_copy_product+job_metadata", "dram_copy_product,job_metadata"},
    {"all_telemetry", "all_telemetry"},
    {"all_telemetry+job_metadata", "all_telemetry,job_metadata"},
});

// Why no group of the table has this feature; empty when one has.
std::string lacking(const SweepTable& table, const std::string& feature) {
  std::string reason = "the table has no groups";
  for (const SweepGroup& group : table.groups) {
    const FeatureReading reading = read_feature(feature, table.telemetry_columns, group);
    if (reading.value) return {};
    reason = reading.reason;
  }
  return reason;
}

AblationRow available_row(const SweepTable& table, const PredictorSet& set) {
  AblationRow row{.predictors = std::string(set.name)};
  const auto features = parse_features(set.features, table.telemetry_columns);
  if (!features) {
    row.reason = features.error().message;
    return row;
  }
  for (const std::string& feature : *features) {
    row.reason = lacking(table, feature);
    if (!row.reason.empty()) return row;
  }
  row.features = *features;
  return row;
}

std::vector<std::string> all_features(const std::vector<AblationRow>& rows) {
  std::vector<std::string> all;
  for (const AblationRow& row : rows) {
    for (const std::string& feature : row.features) {
      if (std::ranges::find(all, feature) == all.end()) all.push_back(feature);
    }
  }
  return all;
}

void leave_out_constant(const TrainingSet& set, AblationRow& row) {
  for (std::size_t j = 0; j < set.features.size(); ++j) {
    const auto same = [&](const TrainingCase& training) {
      return training.features[j] == set.cases.front().features[j];
    };
    if (!std::ranges::all_of(set.cases, same)) continue;
    row.constant.push_back(set.features[j]);
    std::erase(row.features, set.features[j]);
  }
}

}  // namespace

Result<Ablation> ablate(const SweepTable& table, Target target) {
  Ablation ablation;
  for (const PredictorSet& set : kSets) ablation.rows.push_back(available_row(table, set));
  auto full = collect_training_set(table, all_features(ablation.rows), target);
  if (!full) return std::unexpected(full.error());
  ablation.n = full->cases.size();
  ablation.left_out = full->left_out;
  for (AblationRow& row : ablation.rows) {
    if (!row.reason.empty()) continue;
    if (!full->cases.empty()) leave_out_constant(with_features(*full, row.features), row);
    if (row.features.empty()) {
      row.reason = "every feature is the same in all groups";
      continue;
    }
    auto scores = score_features(with_features(*full, row.features));
    if (!scores) return std::unexpected(scores.error());
    row.scores = *std::move(scores);
  }
  return ablation;
}

}  // namespace wattflex::elasticity
