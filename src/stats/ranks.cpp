#include "stats/ranks.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "stats/order.h"

namespace wattflex::stats {
namespace {

// Calls visit(first, last) for each run of equal values in `order`, which sorts `values`.
template <class Visit>
void for_each_tie(std::span<const double> values, const std::vector<std::size_t>& order, Visit visit) {
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    visit(first, last);
    first = last;
  }
}

std::vector<std::size_t> sorted_order(std::span<const double> values) {
  assert(std::ranges::all_of(values, [](double value) { return std::isfinite(value); }));
  return ascending_order(values);
}

}  // namespace

std::vector<double> average_ranks(std::span<const double> values) {
  const auto order = sorted_order(values);
  std::vector<double> ranks(values.size());
  for_each_tie(values, order, [&](std::size_t first, std::size_t last) {
    const double shared = static_cast<double>(first + 1 + last) / 2;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = shared;
  });
  return ranks;
}

double tie_term(std::span<const double> values) {
  double term = 0;
  for_each_tie(values, sorted_order(values), [&](std::size_t first, std::size_t last) {
    const auto size = static_cast<double>(last - first);
    term += size * size * size - size;
  });
  return term;
}

}  // namespace wattflex::stats
