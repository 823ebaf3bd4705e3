#include "stats/order.h"

#include <algorithm>

namespace wattflex::stats {

std::vector<std::size_t> first_indices(std::size_t n) {
  std::vector<std::size_t> indices(n);
  for (std::size_t i = 0; i < n; ++i) indices[i] = i;
  return indices;
}

std::vector<std::size_t> ascending_order(std::span<const double> values) {
  auto order = first_indices(values.size());
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  return order;
}

}  // namespace wattflex::stats
