#include "elasticity/predictor_comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "stats/distributions.h"
#include "stats/multiple_testing.h"

namespace wattflex::elasticity {
namespace {

double degrees_of_freedom(const stats::LinearModel& model) {
  return static_cast<double>(model.n) - static_cast<double>(model.coefficients.size());
}

Difference::Tested welch(const stats::LinearModel& a, std::size_t i, const stats::LinearModel& b,
                         std::size_t j) {
  const double variance_a = std::pow(a.coefficient_error(i), 2);
  const double variance_b = std::pow(b.coefficient_error(j), 2);
  const double variance = variance_a + variance_b;
  const double difference = b.coefficients[j] - a.coefficients[i];
  if (variance == 0) return {difference, {difference, difference}, difference == 0 ? 1.0 : 0.0};
  const double freedom =
      variance * variance /
      (variance_a * variance_a / degrees_of_freedom(a) + variance_b * variance_b / degrees_of_freedom(b));
  const double reach = stats::student_t_quantile(0.975, freedom) * std::sqrt(variance);
  const double t = std::abs(difference) / std::sqrt(variance);
  return {difference, {difference - reach, difference + reach}, stats::student_t_two_sided_p(t, freedom)};
}

std::optional<std::size_t> position(const Predictor& predictor, const std::string& feature) {
  const auto found = std::ranges::find(predictor.features, feature, &FittedFeature::name);
  if (found == predictor.features.end()) return std::nullopt;
  return static_cast<std::size_t>(found - predictor.features.begin());
}

std::vector<std::string> features_missing_in(const Predictor& other, const Predictor& predictor) {
  std::vector<std::string> missing;
  for (const FittedFeature& feature : predictor.features) {
    if (!position(other, feature.name)) missing.push_back(feature.name);
  }
  return missing;
}

std::vector<std::string> warnings_about(const Predictor& a, const Predictor& b) {
  std::vector<std::string> warnings;
  if (a.target != b.target) warnings.emplace_back("the two were fitted to different indices");
  if (a.pedigree != b.pedigree) {
    warnings.push_back(
        fmt::format("A was fitted to {} groups, B to {}", to_string(a.pedigree), to_string(b.pedigree)));
  }
  if (a.cap_grids_w != b.cap_grids_w) {
    warnings.emplace_back("the indices were measured on different caps, on which an index depends");
  }
  if (a.fingerprint == b.fingerprint) {
    warnings.emplace_back("both were fitted to the same data: their errors are not independent");
  }
  if (!features_missing_in(a, b).empty() || !features_missing_in(b, a).empty()) {
    warnings.emplace_back("the features differ: a coefficient means something else beside other features");
  }
  return warnings;
}

}  // namespace

PredictorComparison compare(const Predictor& a, const Predictor& b) {
  PredictorComparison result{.coefficients = {},
                             .only_in_a = features_missing_in(b, a),
                             .only_in_b = features_missing_in(a, b),
                             .warnings = warnings_about(a, b)};
  const auto add = [&](const std::string& name, std::size_t i, std::size_t j) {
    result.coefficients.push_back(
        {name, a.model.coefficients[i], b.model.coefficients[j], welch(a.model, i, b.model, j)});
  };
  add("intercept", 0, 0);
  for (std::size_t i = 0; i < a.features.size(); ++i) {
    if (const auto j = position(b, a.features[i].name)) add(a.features[i].name, i + 1, *j + 1);
  }
  std::vector<double> p_values;
  p_values.reserve(result.coefficients.size());
  for (const CoefficientDifference& c : result.coefficients) p_values.push_back(c.tested.p_value);
  const std::vector<double> adjusted = stats::holm(p_values);
  for (std::size_t i = 0; i < adjusted.size(); ++i) result.coefficients[i].tested.p_adjusted = adjusted[i];
  return result;
}

}  // namespace wattflex::elasticity
