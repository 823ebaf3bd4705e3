// Spearman's rank correlation: how far two quantities rise together, whatever the shape of the relation.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/error.h"

namespace wattflex::stats {

enum class PValueMethod { exact_permutation, t_approximation };

std::string_view to_string(PValueMethod method);

struct RankCorrelation {
  double rho = 0;      // -1..1, Pearson's coefficient of the average ranks
  double p_value = 1;  // two-sided, of no association
  PValueMethod method = PValueMethod::t_approximation;
  std::size_t n = 0;
};

// `x` and `y` are finite and of one size (assertions). Up to nine pairs the p value counts all permutations
// of the ranks, ties included; from ten on it takes t = rho sqrt((n - 2) / (1 - rho^2)) with n - 2 degrees of
// freedom, as scipy does for every n. No value (ErrorKind::no_data, with the reason) below three pairs or
// when one side is constant. Source: Kendall and Gibbons, "Rank Correlation Methods", 5th ed., ch. 3-4.
Result<RankCorrelation> spearman(std::span<const double> x, std::span<const double> y);

}  // namespace wattflex::stats
