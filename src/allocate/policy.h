// The rules that divide a cut, and the weights the proportional ones share by (the paper's section 5, Eq. 2).
// docs/math/allocation.md states each formula.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "allocate/problem.h"
#include "base/error.h"

namespace wattflex::allocate {

enum class Policy {
  equal,       // the same share of every job's draw
  moe_ft,      // equal, doubled for mixture-of-experts fine-tuning
  pfi,         // Eq. 2 read literally: watts proportional to (Pmax / Tmax) PFI
  pfi_scaled,  // Eq. 2 read as a share of the draw: watts proportional to Pmax (Pmax / Tmax) PFI
  dram,        // watts proportional to the DRAM copy product, uncalibrated
  oracle,      // the optimum, knowing every curve
};

// In the order in which they are listed.
std::span<const Policy> all_policies();
std::string_view to_string(Policy policy);
// What people read in tables, figures and reports: a name with the word that is typed, "Eq. 2, literal
// (pfi)".
std::string_view label(Policy policy);
// One sentence on what the policy does.
std::string_view meaning(Policy policy);
// "oracle", "equal,pfi" or "all".
Result<std::vector<Policy>> parse_policies(std::string_view text);

// Weights of a proportional policy, one a job, in any unit. Refused when a job lacks what the policy weighs
// by, with the column that is missing. Not for Policy::oracle (assertion).
Result<std::vector<double>> sharing_weights(const Problem& problem, Policy policy);

}  // namespace wattflex::allocate
