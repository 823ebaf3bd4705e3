#include "apps/wattflex/predicted_pfi.h"

#include <fmt/core.h>

#include "elasticity/predictor_file.h"

namespace wattflex::app {

PredictedPfi predict_all(const elasticity::Predictor& predictor, const SweepTable& table) {
  PredictedPfi predicted;
  for (const SweepGroup& group : table.groups) {
    const elasticity::Prediction prediction = elasticity::predict(predictor, table.telemetry_columns, group);
    predicted.values.push_back(prediction.pfi);
    if (!prediction.pfi) {
      predicted.warnings.push_back(
          fmt::format("group '{}': no predicted PFI ({}); 1 stands in", group.id.group, prediction.reason));
    }
    for (const std::string& outside : prediction.outside) {
      predicted.warnings.push_back(fmt::format("group '{}': {}", group.id.group, outside));
    }
  }
  return predicted;
}

Result<PredictedPfi> predict_all(const std::string& model_path, const SweepTable& table) {
  const auto predictor = elasticity::load_predictor(model_path);
  if (!predictor) return std::unexpected(predictor.error());
  return predict_all(*predictor, table);
}

}  // namespace wattflex::app
