// The central interval of resampled values. Exact order statistics, not an approximation, but only the two
// tails are ever sorted: the first draws, being as random as all others, tell where the tails begin.
#pragma once

#include <span>
#include <vector>

namespace wattflex::stats {

struct PercentileInterval {
  double low = 0;
  double high = 0;
};

// The share `coverage` (0..1) of the values around the median, cut off at equal tails, by linear
// interpolation between order statistics (type 7 of Hyndman and Fan 1996, as numpy.percentile). `values` are
// independent draws, at least one, none NaN, infinities allowed; in any order, but when they are sorted the
// call is slow. `scratch` is working memory to be reused between calls.
PercentileInterval percentile_interval(std::span<const double> values, double coverage,
                                       std::vector<double>& scratch);

}  // namespace wattflex::stats
