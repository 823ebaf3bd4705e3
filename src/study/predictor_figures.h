// The paper's Tables 3, 12 and 13 computed from a cohort with telemetry: which predictors of PFI are worth
// having, and how far their rank correlation rests on a few groups or one class.
#pragma once

#include <vector>

#include "base/error.h"
#include "model/sweep.h"
#include "study/cohort_figures.h"

namespace wattflex::study {

// `headline` holds the 25 groups of Table 6 with the telemetry of their uncapped runs.
Result<std::vector<Figure>> predictor_figures(const SweepTable& headline);

}  // namespace wattflex::study
