#include "stats/multiple_testing.h"

#include <algorithm>
#include <cassert>

#include "stats/order.h"

namespace wattflex::stats {
namespace {

std::vector<std::size_t> ascending(std::span<const double> p_values) {
  assert(std::ranges::all_of(p_values, [](double p) { return p >= 0 && p <= 1; }));
  return ascending_order(p_values);
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
  const auto order = ascending(p_values);
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, static_cast<double>(order.size() - i) * p_values[order[i]]);
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  const auto order = ascending(p_values);
  std::vector<double> adjusted(p_values.size());
  double smallest = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const double scaled = p_values[order[i]] * static_cast<double>(order.size()) / static_cast<double>(i + 1);
    smallest = std::min(smallest, scaled);
    adjusted[order[i]] = smallest;
  }
  return adjusted;
}

}  // namespace wattflex::stats
