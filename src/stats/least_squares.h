// Ordinary least squares with an intercept: y = b0 + b1 x1 + ... + bk xk + error.
// Not for large problems: dense, n observations of k predictors, n and k in the hundreds.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/error.h"

namespace wattflex::stats {

using Observation = std::vector<double>;  // the k predictors of one case

// A fitted model as plain values, so that it can be stored and read back.
struct LinearModel {
  std::vector<double> coefficients;    // intercept first, k + 1
  std::vector<double> inverse_moment;  // (X'X)^-1 with the intercept column, row-major, (k + 1)^2
  double residual_variance = 0;        // s^2 = SSE / (n - k - 1)
  std::size_t n = 0;

  std::size_t predictors() const { return coefficients.size() - 1; }
  double predict(std::span<const double> predictors) const;
  // x'(X'X)^-1 x: how far a case lies from the centre of the fitted ones. Averages (k + 1) / n over those.
  double leverage(std::span<const double> predictors) const;
  // Standard error of a new single case: s sqrt(1 + leverage).
  double prediction_error(std::span<const double> predictors) const;
  double coefficient_error(std::size_t coefficient) const;
  // Half-width factor of a two-sided interval: the t quantile with n - k - 1 degrees of freedom.
  double t_quantile(double confidence) const;
};

// Solved by column-pivoted QR on centred and scaled predictors (Golub and Van Loan, "Matrix Computations",
// 4th ed., 5.3 and 5.5). All values finite, all rows of one length, sizes equal (assertions). Refused
// (ErrorKind::no_data, with the reason) when a predictor is constant, predictors are linearly dependent
// (relative tolerance 1e-7) or fewer than k + 2 cases leave no residual to judge by.
Result<LinearModel> fit_least_squares(std::span<const Observation> cases, std::span<const double> response);

// For models that come from outside: sizes fit, n > k + 1, all values finite, the variance not negative and
// (X'X)^-1 symmetric and positive definite. Refused with the first thing that is wrong.
Result<void> validate(const LinearModel& model);

// For cross-validation folds that may be smaller than the model: among all least-squares solutions the one
// whose coefficients on scaled predictors are smallest, and no error estimate. `determined` says whether
// there was only one solution.
struct MinimumNormFit {
  std::vector<double> coefficients;  // intercept first
  bool determined = true;

  double predict(std::span<const double> predictors) const;
};
MinimumNormFit fit_minimum_norm(std::span<const Observation> cases, std::span<const double> response);

}  // namespace wattflex::stats
