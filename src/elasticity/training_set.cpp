#include "elasticity/training_set.h"

#include <algorithm>
#include <cassert>

#include "elasticity/feature.h"
#include "elasticity/job_class.h"

namespace wattflex::elasticity {
namespace {

// Fills the features of `training`; the reason when one cannot be read.
std::optional<std::string> read_features(const SweepTable& table, const SweepGroup& group,
                                         const std::vector<std::string>& features, TrainingCase& training) {
  for (const std::string& feature : features) {
    const FeatureReading reading = read_feature(feature, table.telemetry_columns, group);
    if (!reading.value) return reading.reason;
    training.features.push_back(*reading.value);
  }
  return std::nullopt;
}

std::vector<double> caps_of(const SweepGroup& group) {
  std::vector<double> caps;
  caps.reserve(group.points.size());
  for (const SweepPoint& point : group.points) caps.push_back(point.cap.watts());
  return caps;
}

}  // namespace

std::vector<stats::Observation> TrainingSet::observations() const {
  std::vector<stats::Observation> rows;
  rows.reserve(cases.size());
  for (const TrainingCase& training : cases) rows.push_back(training.features);
  return rows;
}

std::vector<double> TrainingSet::indices() const {
  std::vector<double> values;
  values.reserve(cases.size());
  for (const TrainingCase& training : cases) values.push_back(training.index);
  return values;
}

Result<TrainingSet> collect_training_set(const SweepTable& table, std::vector<std::string> features,
                                         Target target) {
  auto indexed = index_groups(table, target);
  if (!indexed) return std::unexpected(indexed.error());
  TrainingSet set{.table = table.name,
                  .pedigree = indexed->pedigree,
                  .target = target,
                  .features = std::move(features),
                  .left_out = std::move(indexed->left_out)};
  if (!table.groups.empty()) set.accelerator = table.groups.front().id.accelerator;
  for (const auto& [group, index] : indexed->groups) {
    TrainingCase training{.id = group->id,
                          .cluster = class_of(*group, Grouping::architecture_task),
                          .index = index,
                          .caps_w = caps_of(*group)};
    if (const auto reason = read_features(table, *group, set.features, training)) {
      set.left_out.push_back({group->id, *reason});
    } else {
      set.cases.push_back(std::move(training));
    }
  }
  return set;
}

TrainingSet with_features(const TrainingSet& full, const std::vector<std::string>& features) {
  std::vector<std::size_t> columns;
  for (const std::string& feature : features) {
    const auto found = std::ranges::find(full.features, feature);
    assert(found != full.features.end());
    columns.push_back(static_cast<std::size_t>(found - full.features.begin()));
  }
  TrainingSet set = full;
  set.features = features;
  for (std::size_t i = 0; i < set.cases.size(); ++i) {
    set.cases[i].features.clear();
    for (const std::size_t column : columns) set.cases[i].features.push_back(full.cases[i].features[column]);
  }
  return set;
}

}  // namespace wattflex::elasticity
