// The published tables as figures, in the paper's order, and what our own code makes of the published
// indices.
#pragma once

#include <vector>

#include "base/error.h"
#include "study/cohort_figures.h"

namespace wattflex::study {

// As printed: Tables 3, 6 to 13, and the allocation study.
std::vector<Figure> published_figures();

// Tables 8 to 11 again, from the two-decimal indices of Tables 6, 8 and 9: what the paper computed from
// unrounded ones. The last digits differ for that reason alone.
Result<std::vector<Figure>> recomputed_figures();

}  // namespace wattflex::study
