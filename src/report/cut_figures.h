// Figures of what a power cut costs: throughput kept by cut and policy, and each policy against equal
// sharing.
#pragma once

#include "report/cut_study.h"
#include "report/figure.h"

namespace wattflex::report {

Figure cost_of_cuts(const CutStudy& study);

// In percentage points of throughput. For one job there is nothing to divide, and no such figure.
Figure gain_over_equal(const CutStudy& study);

}  // namespace wattflex::report
