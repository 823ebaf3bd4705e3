// Index vectors that sort a sample, for walking it in order while the values stay where they are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wattflex::stats {

// 0, 1, ..., n - 1.
std::vector<std::size_t> first_indices(std::size_t n);

// Indices of `values` from the smallest to the largest.
std::vector<std::size_t> ascending_order(std::span<const double> values);

}  // namespace wattflex::stats
