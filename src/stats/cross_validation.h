// How well a least-squares model predicts cases it has not seen.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "stats/least_squares.h"

namespace wattflex::stats {

struct FitScores {
  double r_squared = 0;       // 1 - SSE / SST, SST about the mean of all cases; below 0: worse than that mean
  double rmse = 0;            // sqrt(SSE / n)
  std::optional<double> rho;  // Spearman's of observed and predicted; none when one side is constant
};

// `observed` is not constant (assertion).
FitScores score(std::span<const double> observed, std::span<const double> predicted);

struct CrossValidation {
  std::vector<double> predicted;  // by case, from the fit without its fold
  FitScores scores;               // of `predicted` taken together
  std::size_t folds = 0;
  std::size_t underdetermined = 0;  // folds whose rest does not fix the model; the smallest solution is used
};

// Each fold in turn is predicted from all others; `fold_of` gives each case's fold. Leave-one-out: all
// different. Leave-one-cluster-out: the cluster. Refused (ErrorKind::no_data) below two folds or when the
// response is constant. Source: Stone, J. R. Statist. Soc. B 36 (1974).
Result<CrossValidation> cross_validate(std::span<const Observation> cases, std::span<const double> response,
                                       std::span<const std::size_t> fold_of);
Result<CrossValidation> leave_one_out(std::span<const Observation> cases, std::span<const double> response);

}  // namespace wattflex::stats
