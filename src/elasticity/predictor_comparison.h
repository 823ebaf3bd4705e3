// How two fitted predictors differ, coefficient by coefficient: before and after a driver, on two
// accelerators. B - A with Welch's t interval: variance s_A^2 + s_B^2, Satterthwaite's degrees of freedom; p
// values corrected together by Holm's method. Assumes fits to independent data; that both were fitted to the
// same groups is warned about.
#pragma once

#include <string>
#include <vector>

#include "elasticity/comparison.h"
#include "elasticity/predictor.h"

namespace wattflex::elasticity {

struct CoefficientDifference {
  std::string name;  // "intercept" or the feature
  double a = 0;
  double b = 0;
  Difference::Tested tested;
};

struct PredictorComparison {
  std::vector<CoefficientDifference> coefficients;  // those of both
  std::vector<std::string> only_in_a;               // features
  std::vector<std::string> only_in_b;
  std::vector<std::string> warnings;
};

PredictorComparison compare(const Predictor& a, const Predictor& b);

}  // namespace wattflex::elasticity
