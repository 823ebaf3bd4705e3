// Predicts a group's flexibility index from its uncapped run: a linear model fitted by least squares to
// groups whose index was measured (arXiv:2609.11542, Table 3). Never needed for safety, and weak:
// the published one explains half of the variance out of sample.
//
//   PFI = b0 + b1 x1 + ... + bk xk,   standard error of a new job   s sqrt(1 + x'(X'X)^-1 x)
// A job is outside the fitted range when a feature is below the smallest or above the largest fitted value,
// or when its leverage x'(X'X)^-1 x exceeds the largest fitted one (Montgomery, Peck and Vining,
// "Introduction to Linear Regression Analysis", 5th ed., 3.8); it is predicted, and flagged.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "elasticity/training_set.h"
#include "stats/cross_validation.h"
#include "stats/least_squares.h"

namespace wattflex::elasticity {

struct PredictorScores {
  stats::FitScores in_sample;
  std::optional<stats::FitScores> leave_one_out;
  std::optional<stats::FitScores> leave_one_cluster_out;
  std::size_t clusters = 0;         // architecture x task
  std::size_t underdetermined = 0;  // folds of either kind that did not fix the model
  std::string no_clusters;          // why there is no leave-one-cluster-out score
};

// Scores of a feature set, also where it is too large for a predictor. Refused when no score exists: fewer
// than three cases, or all with the same index.
Result<PredictorScores> score_features(const TrainingSet& set);

struct FittedFeature {
  std::string name;
  double lowest = 0;
  double highest = 0;
};

struct Predictor {
  Target target = Target::published;
  std::string table;
  std::string accelerator;
  Pedigree pedigree = Pedigree::measured;        // of the groups it was fitted on
  std::vector<std::string> groups;               // names of those groups
  std::vector<std::vector<double>> cap_grids_w;  // the distinct ones; an index depends on its grid
  std::string fingerprint;                       // of features and indices, see fingerprint_of
  std::vector<FittedFeature> features;
  double largest_leverage = 0;
  stats::LinearModel model;
  PredictorScores scores;
};

// Refused, naming the feature, when one is the same in all cases, when features depend on each other, or when
// there are too few cases.
Result<Predictor> fit_predictor(const TrainingSet& set);

// FNV-1a (64 bit) over group names, features and indices: the same input gives the same text on any machine.
std::string fingerprint_of(const TrainingSet& set);

struct Prediction {
  std::optional<double> pfi;  // none: refused
  std::string reason;         // of the refusal
  double standard_error = 0;
  Interval interval95;
  double leverage = 0;
  std::vector<std::string> outside;  // in which ways the job lies outside the fitted range
};

// `columns` are the telemetry columns of the group's table.
Prediction predict(const Predictor& predictor, std::span<const std::string> columns, const SweepGroup& group);

}  // namespace wattflex::elasticity
