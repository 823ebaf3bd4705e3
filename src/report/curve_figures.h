// Figures of the power curves: all groups on common axes, and each on its own.
#pragma once

#include "report/evidence.h"
#include "report/figure.h"

namespace wattflex::report {

// Share of throughput kept over share of draw kept. Few groups have a colour each; more share one by task or
// fall back behind the middle and the deciles.
Figure normalised_curves(const Evidence& evidence);

// Small multiples in the table's own units, from zero, with the proportional line; refused points stand out.
// Above kMostPanels groups, that many are picked evenly from the first to the last by rank.
inline constexpr std::size_t kMostPanels = 24;
Figure raw_curves(const Evidence& evidence);

// The measured curve as points in 0..1 of draw and throughput, for a sparkline; empty without curve.
std::vector<std::pair<double, double>> spark_of(const GroupEvidence& group);

}  // namespace wattflex::report
