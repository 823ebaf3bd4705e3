// The published tables as figures, in the paper's order, and what our own code makes of the published
// indices.
#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"
#include "study/cohort_figures.h"

namespace wattflex::study {

// Rows and columns of the allocation study. The paper does not say which reading of its Eq. 2 it used
// (docs/math/allocation.md); its one result stands in both rows.
inline constexpr std::string_view kEq2Literal = "production mix, 30 % cut, Eq. 2, literal (pfi)";
inline constexpr std::string_view kEq2Scaled = "production mix, 30 % cut, Eq. 2, size-scaled (pfi-scaled)";
inline constexpr std::string_view kGainQuantity = "over equal, tokens/s per job";
inline constexpr std::string_view kGapQuantity = "share of the gap to the oracle";

// As printed: Tables 3, 6 to 13, and the allocation study.
std::vector<Figure> published_figures();

// Tables 8 to 11 again, from the two-decimal indices of Tables 6, 8 and 9: what the paper computed from
// unrounded ones. The last digits differ for that reason alone.
Result<std::vector<Figure>> recomputed_figures();

}  // namespace wattflex::study
