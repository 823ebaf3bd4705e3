#include "stats/percentile_interval.h"

#include <algorithm>
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

// A value that, all but surely, more than rank + 2 of all values come before.
template <class Before>
double tail_begin(std::span<const double> values, double tail, Before before) {
  std::vector<double> sample(values.begin(), values.begin() + kSample);
  const double expected = tail * kSample;
  const double safe = expected + 5 * std::sqrt(expected) + 2;
  const auto at = sample.begin() + std::min(static_cast<std::ptrdiff_t>(safe), std::ptrdiff_t{kSample - 1});
  std::nth_element(sample.begin(), at, sample.end(), before);
  return *at;
}

template <class Before>
double tail_quantile(std::span<const double> values, double tail, std::vector<double>& scratch,
                     Before before) {
  const double rank = tail * static_cast<double>(values.size() - 1);
  scratch.resize(values.size());
  if (values.size() >= kFewValues) {
    const double begin = tail_begin(values, tail, before);
    std::size_t count = 0;
    for (const double value : values) {  // without branches: where the tail lies is unpredictable
      scratch[count] = value;
      count += static_cast<std::size_t>(!before(begin, value));
    }
    if (static_cast<double>(count) >= rank + 2) {
      return order_statistic(std::span(scratch).first(count), rank, before);
    }
  }
  std::ranges::copy(values, scratch.begin());
  return order_statistic(std::span(scratch), rank, before);
}

}  // namespace

PercentileInterval percentile_interval(std::span<const double> values, double coverage,
                                       std::vector<double>& scratch) {
  assert(!values.empty());
  const double tail = (1 - coverage) / 2;
  return {tail_quantile(values, tail, scratch, std::less()),
          tail_quantile(values, tail, scratch, std::greater())};
}

}  // namespace wattflex::stats
