// The groups of a table that a predictor can learn from: those with an index and with every feature asked
// for. What is left out is kept with its reason. One accelerator and one pedigree at a time, never mixed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "elasticity/flexibility.h"
#include "model/sweep.h"
#include "stats/least_squares.h"

namespace wattflex::elasticity {

// Which index of flexibility.h is explained or predicted.
enum class Target { published, guarded, pooled };

std::string_view to_string(Target target);      // "pfi", "guarded", "pooled"
std::string_view definition_of(Target target);  // one sentence
std::optional<Target> parse_target(std::string_view text);
const Estimate& index_of(const Flexibility& flexibility, Target target);

struct TrainingCase {
  GroupId id;
  std::optional<std::string> cluster;  // architecture x task
  stats::Observation features;
  double index = 0;
  std::vector<double> caps_w;
};

struct LeftOut {
  GroupId id;
  std::string reason;
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

// The groups of one accelerator of the table; with an empty `accelerator` the table must have only one.
Result<SweepTable> only_accelerator(SweepTable table, std::string_view accelerator);

// Refused when the groups' pedigrees differ. A set without cases is a result, not an error.
Result<TrainingSet> collect_training_set(const SweepTable& table, std::vector<std::string> features,
                                         Target target);

// The same cases with fewer features, which must be among those of `full` (assertion).
TrainingSet with_features(const TrainingSet& full, const std::vector<std::string>& features);

}  // namespace wattflex::elasticity
