// The option -m,--model of the allocation verbs: indices from a fitted model instead of measured ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "elasticity/predictor.h"
#include "model/sweep.h"

namespace wattflex::app {

struct PredictedPfi {
  std::vector<std::optional<double>> values;  // one a group of the table; nothing where refused
  std::vector<std::string> warnings;          // refusals, and inputs outside the fitted range
};

PredictedPfi predict_all(const elasticity::Predictor& predictor, const SweepTable& table);
Result<PredictedPfi> predict_all(const std::string& model_path, const SweepTable& table);

}  // namespace wattflex::app
