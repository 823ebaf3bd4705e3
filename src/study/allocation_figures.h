// The one number the paper gives of its allocation study, computed from a cohort: how far Eq. 2 gets from
// equal sharing towards the oracle, in both readings of the equation.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "model/sweep.h"
#include "study/cohort_figures.h"

namespace wattflex::study {

// Production mix, total tokens, 30 % cut, measured PFI. `headline` holds the 25 groups of Table 6.
Result<std::vector<Figure>> allocation_figures(const SweepTable& headline, int workloads, std::uint64_t seed);

}  // namespace wattflex::study
