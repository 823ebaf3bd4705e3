#include "stats/percentile_interval.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>

namespace wattflex::stats {
namespace {

constexpr std::size_t kSample = 512;  // draws that locate the tails
// Below this many values selecting over all of them costs as little.
constexpr std::size_t kFewValues = 4 * kSample;

// The order statistic at fractional rank `rank` (0-based) under `Before`; `values` are rearranged and hold at
// least the first floor(rank) + 2 of all values, or all of them.
template <class Before>
double order_statistic(std::span<double> values, double rank, Before before) {
  const auto whole = static_cast<std::ptrdiff_t>(rank);
  const auto at = values.begin() + whole;
  std::nth_element(values.begin(), at, values.end(), before);
  const double share = rank - static_cast<double>(whole);
  if (share == 0 || at + 1 == values.end()) return *at;
  const double next = *std::min_element(at + 1, values.end(), before);
  return *at == next ? next : *at + share * (next - *at);  // equal infinities have no difference
}

// Values that, all but surely, bound more than tail + 2 of all values on either side.
PercentileInterval locate_tails(std::span<const double> values, double tail) {
  std::array<double, kSample> sample;
  std::copy_n(values.begin(), kSample, sample.begin());
  const double expected = tail * kSample;
  const double safe = std::min(expected + 5 * std::sqrt(expected) + 2, kSample / 2.0 - 1);
  const auto low = sample.begin() + static_cast<std::ptrdiff_t>(safe);
  const auto high = sample.end() - 1 - static_cast<std::ptrdiff_t>(safe);
  std::nth_element(sample.begin(), low, sample.end());
  std::nth_element(low + 1, high, sample.end());
  return {*low, *high};
}

// By selection over everything.
PercentileInterval select_interval(std::span<const double> values, double rank,
                                   std::vector<double>& scratch) {
  scratch.assign(values.begin(), values.end());
  const double low = order_statistic(std::span(scratch), rank, std::less());
  const double high = order_statistic(std::span(scratch), rank, std::greater());
  return {low, high};
}

}  // namespace

PercentileInterval percentile_interval(std::span<const double> values, double coverage,
                                       std::vector<double>& scratch) {
  assert(!values.empty());
  const double tail = (1 - coverage) / 2;
  const double rank = tail * static_cast<double>(values.size() - 1);
  if (values.size() < kFewValues) return select_interval(values, rank, scratch);

  const auto [low_begin, high_begin] = locate_tails(values, tail);
  scratch.resize(2 * values.size());
  double* const lows = scratch.data();
  double* const highs = lows + values.size();
  std::size_t low_count = 0;
  std::size_t high_count = 0;
  for (const double value : values) {  // without branches: where the tails lie is unpredictable
    lows[low_count] = value;
    low_count += static_cast<std::size_t>(value <= low_begin);
    highs[high_count] = value;
    high_count += static_cast<std::size_t>(value >= high_begin);
  }
  if (static_cast<double>(std::min(low_count, high_count)) < rank + 2) {
    return select_interval(values, rank, scratch);
  }
  return {order_statistic(std::span(lows, low_count), rank, std::less()),
          order_statistic(std::span(highs, high_count), rank, std::greater())};
}

}  // namespace wattflex::stats
