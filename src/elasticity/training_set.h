// The groups of a table that a predictor can learn from: those with an index and with every feature asked
// for. What is left out is kept with its reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "elasticity/indexed_groups.h"
#include "model/sweep.h"
#include "stats/least_squares.h"

namespace wattflex::elasticity {

struct TrainingCase {
  GroupId id;
  std::optional<std::string> cluster;  // architecture x task
  stats::Observation features;
  double index = 0;
  std::vector<double> caps_w;
};

struct TrainingSet {
  std::string table;
  std::string accelerator;
  Pedigree pedigree = Pedigree::measured;
  Target target = Target::published;
  std::vector<std::string> features;
  std::vector<TrainingCase> cases;
  std::vector<LeftOut> left_out;

  std::vector<stats::Observation> observations() const;
  std::vector<double> indices() const;
};

// `table` holds one accelerator. Refused as index_groups is. A set without cases is a result, not an error.
Result<TrainingSet> collect_training_set(const SweepTable& table, std::vector<std::string> features,
                                         Target target);

// The same cases with fewer features, which must be among those of `full` (assertion).
TrainingSet with_features(const TrainingSet& full, const std::vector<std::string>& features);

}  // namespace wattflex::elasticity
