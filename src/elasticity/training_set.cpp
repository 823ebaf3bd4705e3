#include "elasticity/training_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  for (const SweepPoint& point : group.points) caps.push_back(point.cap.watts());
  return caps;
}

}  // namespace

std::string_view to_string(Target target) {
  switch (target) {
    case Target::published:
      return "pfi";
    case Target::guarded:
      return "guarded";
    case Target::pooled:
      return "pooled";
  }
  return "";
}

std::string_view definition_of(Target target) {
  switch (target) {
    case Target::published:
      return "mean over capped points of (1 - P/Pmax) / (1 - T/Tmax), as published";
    case Target::guarded:
      return "mean of (1 - P/Pmax) / (1 - T/Tmax) over points whose losses are both resolved";
    case Target::pooled:
      return "sum of (1 - P/Pmax) over sum of (1 - T/Tmax) of points whose losses are both resolved";
  }
  return "";
}

std::optional<Target> parse_target(std::string_view text) {
  for (const auto target : {Target::published, Target::guarded, Target::pooled}) {
    if (text == to_string(target)) return target;
  }
  return std::nullopt;
}

const Estimate& index_of(const Flexibility& flexibility, Target target) {
  switch (target) {
    case Target::guarded:
      return flexibility.guarded;
    case Target::pooled:
      return flexibility.pooled;
    case Target::published:
      break;
  }
  return flexibility.published;
}

std::vector<stats::Observation> TrainingSet::observations() const {
  std::vector<stats::Observation> rows;
  for (const TrainingCase& training : cases) rows.push_back(training.features);
  return rows;
}

std::vector<double> TrainingSet::indices() const {
  std::vector<double> values;
  for (const TrainingCase& training : cases) values.push_back(training.index);
  return values;
}

Result<SweepTable> only_accelerator(SweepTable table, std::string_view accelerator) {
  std::vector<std::string> present;
  for (const SweepGroup& group : table.groups) {
    if (std::ranges::find(present, group.id.accelerator) == present.end())
      present.push_back(group.id.accelerator);
  }
  if (accelerator.empty()) {
    if (present.size() <= 1) return table;
    return fail(ErrorKind::usage,
                fmt::format("{} has several accelerators ({}); an index is comparable on one only",
                            table.name, fmt::join(present, ", ")),
                fmt::format("choose one: --accelerator '{}'", present.front()));
  }
  std::erase_if(table.groups, [&](const SweepGroup& group) { return group.id.accelerator != accelerator; });
  if (!table.groups.empty()) return table;
  return fail(ErrorKind::no_data, fmt::format("{} has no group on accelerator '{}'", table.name, accelerator),
              fmt::format("it has: {}", fmt::join(present, ", ")));
}

Result<TrainingSet> collect_training_set(const SweepTable& table, std::vector<std::string> features,
                                         Target target) {
  TrainingSet set{.table = table.name, .target = target, .features = std::move(features)};
  if (!table.groups.empty()) {
    set.accelerator = table.groups.front().id.accelerator;
    set.pedigree = table.groups.front().pedigree;
  }
  for (const SweepGroup& group : table.groups) {
    if (group.pedigree != set.pedigree) {
      return fail(ErrorKind::refused,
                  fmt::format("{} mixes {} groups and {} ones", table.name, to_string(set.pedigree),
                              to_string(group.pedigree)),
                  "put them into tables of their own: real and simulated results are never mixed");
    }
    TrainingCase training{.id = group.id,
                          .cluster = class_of(group, Grouping::architecture_task),
                          .features = {},
                          .caps_w = caps_of(group)};
    if (const auto reason = read_features(table, group, set.features, training)) {
      set.left_out.push_back({group.id, *reason});
      continue;
    }
    const Flexibility flexibility = measure_flexibility(group, {.resamples = 0});
    const Estimate& index = index_of(flexibility, target);
    if (!index.value) {
      set.left_out.push_back({group.id, "no index: " + index.reason});
      continue;
    }
    training.index = *index.value;
    set.cases.push_back(std::move(training));
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
