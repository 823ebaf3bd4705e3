// Do several groups of values differ (Kruskal-Wallis), and which pairs of them (Dunn)?
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/error.h"

namespace wattflex::stats {

// H is corrected for ties and compared with chi-squared with (groups - 1) degrees of freedom, an
// approximation that is rough below about five values a group.
struct KruskalWallis {
  double h = 0;
  int degrees_of_freedom = 0;
  double p_value = 1;
};

// Kruskal and Wallis, J. Am. Stat. Assoc. 47 (1952). Groups hold finite values (assertion). No value
// (ErrorKind::no_data, with the reason) below two groups, when a group is empty or when all values are equal.
Result<KruskalWallis> kruskal_wallis(std::span<const std::vector<double>> groups);

// One pair of groups: z is negative when the first ranks lower.
struct DunnComparison {
  std::size_t first = 0;
  std::size_t second = 0;
  double z = 0;
  double p_value = 1;  // two-sided, from the normal distribution
  double p_holm = 1;   // adjusted for the number of pairs
};

// All pairs first < second, z corrected for ties. Dunn, Technometrics 6 (1964). Same conditions as above.
Result<std::vector<DunnComparison>> dunn(std::span<const std::vector<double>> groups);

}  // namespace wattflex::stats
