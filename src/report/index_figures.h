// Figures of the flexibility index: by group with its interval, and its three definitions side by side.
#pragma once

#include "report/evidence.h"
#include "report/figure.h"

namespace wattflex::report {

// Up to kMostRows groups a row each, with its name; more as one dense column of intervals by rank.
inline constexpr std::size_t kMostRows = 40;
Figure index_by_group(const Evidence& evidence);

// Ratio, area and elasticity: rows on three axes, or for many groups one definition against the other, with
// Spearman's rank correlation.
Figure definitions(const Evidence& evidence);

}  // namespace wattflex::report
