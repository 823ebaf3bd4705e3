// Adjusted p values for many tests at once, in the order given. Inputs lie in 0..1 (assertion).
#pragma once

#include <span>
#include <vector>

namespace wattflex::stats {

// Bounds the chance of any false finding. Holm, Scand. J. Statist. 6 (1979).
std::vector<double> holm(std::span<const double> p_values);

// The q value: expected share of false ones among the findings up to this one.
// Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995).
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace wattflex::stats
