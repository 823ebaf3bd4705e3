// Mean, median and quantiles of a sample. Inputs are finite and not empty (assertions).
#pragma once

#include <span>

namespace wattflex::stats {

double mean(std::span<const double> values);
double median(std::span<const double> values);

// The value below which a share `probability` (0..1) of the sample lies, linear between order statistics:
// Hyndman and Fan's type 7 (The American Statistician 50, 1996), the default of R and numpy.
double quantile(std::span<const double> values, double probability);

}  // namespace wattflex::stats
