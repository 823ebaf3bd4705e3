// Ranks with ties, the raw material of every rank test. Values are finite (assertion).
#pragma once

#include <span>
#include <vector>

namespace wattflex::stats {

// 1 for the smallest; equal values share the mean of the ranks they occupy.
std::vector<double> average_ranks(std::span<const double> values);

// Sum of t^3 - t over the sets of equal values, t the size of a set; 0 without ties.
double tie_term(std::span<const double> values);

}  // namespace wattflex::stats
