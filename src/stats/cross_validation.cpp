#include "stats/cross_validation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

#include "stats/correlation.h"
#include "stats/descriptive.h"
#include "stats/order.h"

namespace wattflex::stats {

FitScores score(std::span<const double> observed, std::span<const double> predicted) {
  assert(observed.size() == predicted.size());
  const double centre = mean(observed);
  double residual = 0;
  double total = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    residual += (observed[i] - predicted[i]) * (observed[i] - predicted[i]);
    total += (observed[i] - centre) * (observed[i] - centre);
  }
  assert(total > 0);
  FitScores scores{.r_squared = 1 - residual / total,
                   .rmse = std::sqrt(residual / static_cast<double>(observed.size())),
                   .rho = std::nullopt};
  if (const auto correlation = spearman(observed, predicted)) scores.rho = correlation->rho;
  return scores;
}

Result<CrossValidation> cross_validate(std::span<const Observation> cases, std::span<const double> response,
                                       std::span<const std::size_t> fold_of) {
  assert(cases.size() == response.size() && cases.size() == fold_of.size());
  const std::set<std::size_t> folds(fold_of.begin(), fold_of.end());
  if (folds.size() < 2) return fail(ErrorKind::no_data, "cross-validation needs 2 folds", "");
  if (std::ranges::all_of(response, [&](double value) { return value == response.front(); })) {
    return fail(ErrorKind::no_data, "all values to predict are equal", "");
  }
  CrossValidation result;
  result.predicted.resize(cases.size());
  result.folds = folds.size();
  for (const std::size_t fold : folds) {
    std::vector<Observation> rest;
    std::vector<double> rest_response;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (fold_of[i] == fold) continue;
      rest.push_back(cases[i]);
      rest_response.push_back(response[i]);
    }
    const MinimumNormFit fit = fit_minimum_norm(rest, rest_response);
    result.underdetermined += fit.determined ? 0 : 1;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (fold_of[i] == fold) result.predicted[i] = fit.predict(cases[i]);
    }
  }
  result.scores = score(response, result.predicted);
  return result;
}

Result<CrossValidation> leave_one_out(std::span<const Observation> cases, std::span<const double> response) {
  return cross_validate(cases, response, first_indices(cases.size()));
}

}  // namespace wattflex::stats
