// What the telemetry of the uncapped runs says about flexibility: which readings go with the index, and what
// a predictor makes of them. One study an accelerator, as an index compares only within one. Draws nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elasticity/predictor.h"
#include "elasticity/signal.h"
#include "model/sweep.h"
#include "report/evidence.h"
#include "report/figure.h"

namespace wattflex::report {

struct PredictedGroup {
  std::string name;
  elasticity::Estimate measured;
  elasticity::Prediction prediction;
};

struct SignalStudy {
  std::string accelerator;
  std::string pedigree;
  std::vector<elasticity::Signal> signals;         // strongest first
  std::optional<elasticity::Predictor> predictor;  // given, or fitted to these groups
  bool fitted_here = false;
  std::vector<PredictedGroup> predicted;
};

// Nothing for tables without telemetry. Where no predictor is given, one on the DRAM copy product (the
// paper's best) is fitted if the groups allow it.
std::vector<SignalStudy> study_signals(const SweepTable& table, const Evidence& evidence,
                                       const std::optional<elasticity::Predictor>& predictor);

// A row a signal, its rank correlation as a bar; stars as in the paper: q < 0.05 one, q < 0.01 two.
Figure correlations(const SignalStudy& study);

// Index of the sweep over the predicted one, with the scores in the subtitle. Only with a predictor.
Figure predictor_fit(const SignalStudy& study);

}  // namespace wattflex::report
