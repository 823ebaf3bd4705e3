#include "stats/least_squares.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "stats/distributions.h"

namespace wattflex::stats {
namespace {

constexpr double kRankTolerance = 1e-7;

// Centred and scaled columns: rank decisions then do not depend on units.
struct Standardised {
  Eigen::MatrixXd columns;
  Eigen::VectorXd means;
  Eigen::VectorXd scales;  // 1 for a constant column
  Eigen::VectorXd response;
  double response_mean = 0;
  Eigen::Index constant_column = -1;
};

Standardised standardise(std::span<const Observation> cases, std::span<const double> response) {
  assert(!cases.empty() && cases.size() == response.size());
  const auto n = static_cast<Eigen::Index>(cases.size());
  const auto k = static_cast<Eigen::Index>(cases.front().size());
  Standardised data;
  data.columns.resize(n, k);
  for (Eigen::Index i = 0; i < n; ++i) {
    assert(std::ssize(cases[i]) == k);
    data.columns.row(i) = Eigen::Map<const Eigen::RowVectorXd>(cases[i].data(), k);
  }
  data.means = data.columns.colwise().mean();
  data.scales.setOnes(k);
  for (Eigen::Index j = 0; j < k; ++j) {
    const bool constant = (data.columns.col(j).array() == data.columns(0, j)).all();
    data.columns.col(j).array() -= data.means(j);
    if (constant) {
      data.columns.col(j).setZero();
      data.constant_column = j;
    } else {
      data.scales(j) = data.columns.col(j).norm() / std::sqrt(static_cast<double>(n));
      data.columns.col(j) /= data.scales(j);
    }
  }
  data.response = Eigen::Map<const Eigen::VectorXd>(response.data(), n);
  data.response_mean = data.response.mean();
  data.response.array() -= data.response_mean;
  return data;
}

// From coefficients on standardised columns to the caller's units, intercept first.
std::vector<double> in_original_units(const Standardised& data, const Eigen::VectorXd& standardised) {
  const Eigen::VectorXd slopes = standardised.array() / data.scales.array();
  std::vector<double> coefficients{data.response_mean - slopes.dot(data.means)};
  coefficients.insert(coefficients.end(), slopes.begin(), slopes.end());
  return coefficients;
}

// (X'X)^-1 of the design with intercept, from that of the standardised columns.
std::vector<double> inverse_moment(const Standardised& data, const Eigen::MatrixXd& standardised_inverse) {
  const Eigen::Index k = data.scales.size();
  const Eigen::VectorXd inverse_scales = data.scales.cwiseInverse();
  const Eigen::MatrixXd slopes =
      inverse_scales.asDiagonal() * standardised_inverse * inverse_scales.asDiagonal();
  const Eigen::VectorXd with_intercept = -slopes * data.means;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> inverse(k + 1, k + 1);
  inverse(0, 0) = 1 / static_cast<double>(data.columns.rows()) - with_intercept.dot(data.means);
  inverse.block(1, 0, k, 1) = with_intercept;
  inverse.block(0, 1, 1, k) = with_intercept.transpose();
  inverse.block(1, 1, k, k) = slopes;
  return {inverse.data(), inverse.data() + inverse.size()};
}

std::unexpected<Error> cannot_fit(std::string reason) {
  return fail(ErrorKind::no_data, std::move(reason), "give more groups or fewer features");
}

double linear(std::span<const double> coefficients, std::span<const double> predictors) {
  assert(predictors.size() + 1 == coefficients.size());
  double sum = coefficients.front();
  for (std::size_t j = 0; j < predictors.size(); ++j) sum += coefficients[j + 1] * predictors[j];
  return sum;
}

}  // namespace

double LinearModel::predict(std::span<const double> predictors) const {
  return linear(coefficients, predictors);
}

double LinearModel::leverage(std::span<const double> predictors) const {
  const std::size_t size = coefficients.size();
  assert(predictors.size() + 1 == size && inverse_moment.size() == size * size);
  const auto x = [&](std::size_t j) { return j == 0 ? 1.0 : predictors[j - 1]; };
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) sum += x(i) * inverse_moment[i * size + j] * x(j);
  }
  return sum;
}

double LinearModel::prediction_error(std::span<const double> predictors) const {
  return std::sqrt(residual_variance * (1 + leverage(predictors)));
}

double LinearModel::coefficient_error(std::size_t coefficient) const {
  return std::sqrt(residual_variance * inverse_moment[coefficient * (coefficients.size() + 1)]);
}

double LinearModel::t_quantile(double confidence) const {
  return student_t_quantile((1 + confidence) / 2, static_cast<double>(n - coefficients.size()));
}

Result<LinearModel> fit_least_squares(std::span<const Observation> cases, std::span<const double> response) {
  if (cases.empty()) return cannot_fit("there is nothing to fit");
  const std::size_t k = cases.front().size();
  if (cases.size() < k + 2) {
    return cannot_fit(std::to_string(k + 1) + " coefficients need " + std::to_string(k + 2) +
                      " groups or more, there are " + std::to_string(cases.size()));
  }
  const Standardised data = standardise(cases, response);
  if (data.constant_column >= 0) {
    return cannot_fit("predictor " + std::to_string(data.constant_column + 1) + " is the same everywhere");
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(data.columns);
  qr.setThreshold(kRankTolerance);
  if (qr.rank() < data.columns.cols()) {
    return cannot_fit("the predictors are linearly dependent: " + std::to_string(qr.rank()) + " of " +
                      std::to_string(k) + " are independent");
  }
  const Eigen::VectorXd standardised = qr.solve(data.response);
  const auto size = data.columns.cols();
  const Eigen::MatrixXd r_inverse = qr.matrixR()
                                        .topLeftCorner(size, size)
                                        .triangularView<Eigen::Upper>()
                                        .solve(Eigen::MatrixXd::Identity(size, size));
  const Eigen::MatrixXd permuted = qr.colsPermutation() * r_inverse;
  LinearModel model;
  model.n = cases.size();
  model.coefficients = in_original_units(data, standardised);
  model.inverse_moment = inverse_moment(data, permuted * permuted.transpose());
  model.residual_variance =
      (data.response - data.columns * standardised).squaredNorm() / static_cast<double>(cases.size() - k - 1);
  return model;
}

Result<void> validate(const LinearModel& model) {
  const auto wrong = [](std::string what) { return fail(ErrorKind::refused, std::move(what), ""); };
  const std::size_t size = model.coefficients.size();
  if (size == 0 || model.inverse_moment.size() != size * size)
    return wrong("the matrix does not fit the coefficients");
  if (model.n <= size) return wrong("fewer cases than coefficients leave no residual");
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(model.coefficients, finite) ||
      !std::ranges::all_of(model.inverse_moment, finite) || !finite(model.residual_variance)) {
    return wrong("a value is not finite");
  }
  if (model.residual_variance < 0) return wrong("the residual variance is negative");
  const auto k = static_cast<Eigen::Index>(size);
  const Eigen::MatrixXd inverse = Eigen::Map<const Eigen::MatrixXd>(model.inverse_moment.data(), k, k);
  if ((inverse.diagonal().array() <= 0).any()) return wrong("(X'X)^-1 is not positive definite");
  // Unit diagonal first, so that the test does not depend on units.
  const Eigen::VectorXd scales = inverse.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scales.asDiagonal() * inverse * scales.asDiagonal();
  if ((scaled - scaled.transpose()).cwiseAbs().maxCoeff() > 1e-9) return wrong("(X'X)^-1 is not symmetric");
  if (scaled.llt().info() != Eigen::Success) return wrong("(X'X)^-1 is not positive definite");
  return {};
}

double MinimumNormFit::predict(std::span<const double> predictors) const {
  return linear(coefficients, predictors);
}

MinimumNormFit fit_minimum_norm(std::span<const Observation> cases, std::span<const double> response) {
  const Standardised data = standardise(cases, response);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(kRankTolerance);
  decomposition.compute(data.columns);
  return {.coefficients = in_original_units(data, decomposition.solve(data.response)),
          .determined = decomposition.rank() == data.columns.cols()};
}

}  // namespace wattflex::stats
