// Which predictors are worth having: the feature sets of the paper's Table 3 side by side, all scored on the
// same groups, in sample and on groups the fit has not seen.
//
// A fold of a large set can leave fewer groups than coefficients; the smallest solution then predicts
// (least_squares.h), and the fold is counted as underdetermined.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "elasticity/predictor.h"

namespace wattflex::elasticity {

struct AblationRow {
  std::string predictors;             // "dram_copy_product+job_metadata"
  std::vector<std::string> features;  // that were used
  std::vector<std::string> constant;  // left out: the same in all groups
  std::optional<PredictorScores> scores;
  std::string reason;  // without scores: what the table lacks
};

struct Ablation {
  std::vector<AblationRow> rows;
  std::size_t n = 0;  // groups every row is scored on
  std::vector<LeftOut> left_out;
};

// `table` holds one accelerator. Refused as collect_training_set and score_features are.
Result<Ablation> ablate(const SweepTable& table, Target target);

}  // namespace wattflex::elasticity
