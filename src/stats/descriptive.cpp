#include "stats/descriptive.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace wattflex::stats {

double mean(std::span<const double> values) {
  assert(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::span<const double> values) {
  return quantile(values, 0.5);
}

double quantile(std::span<const double> values, double probability) {
  assert(!values.empty() && probability >= 0 && probability <= 1);
  std::vector<double> sorted(values.begin(), values.end());
  const double position = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(std::floor(position));
  std::ranges::nth_element(sorted, sorted.begin() + below);
  const double lower = sorted[static_cast<std::size_t>(below)];
  if (below + 1 == std::ssize(sorted)) return lower;
  const double upper = *std::min_element(sorted.begin() + below + 1, sorted.end());
  return lower + (position - static_cast<double>(below)) * (upper - lower);
}

}  // namespace wattflex::stats
