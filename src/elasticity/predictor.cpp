#include "elasticity/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <ranges>

#include "base/counted.h"
#include "elasticity/feature.h"

namespace wattflex::elasticity {
namespace {

std::unexpected<Error> too_few(std::string message) {
  return fail(ErrorKind::no_data, std::move(message), "measure more groups or use fewer features");
}

Result<void> score_clusters(const TrainingSet& set, PredictorScores& scores) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> cluster_of;
  for (const TrainingCase& training : set.cases) {
    if (!training.cluster) {
      scores.no_clusters = fmt::format("group {} does not state arch and task", training.id.group);
      return {};
    }
    cluster_of.push_back(numbers.try_emplace(*training.cluster, numbers.size()).first->second);
  }
  scores.clusters = numbers.size();
  if (numbers.size() < 2) {
    scores.no_clusters = "all groups are of one architecture and task";
    return {};
  }
  const auto validation = stats::cross_validate(set.observations(), set.indices(), cluster_of);
  if (!validation) return std::unexpected(validation.error());
  scores.leave_one_cluster_out = validation->scores;
  scores.underdetermined += validation->underdetermined;
  return {};
}

// The name of a feature with one value only; empty when all vary.
std::string constant_feature(const TrainingSet& set) {
  for (std::size_t j = 0; j < set.features.size(); ++j) {
    const auto same = [&](const TrainingCase& training) {
      return training.features[j] == set.cases.front().features[j];
    };
    if (std::ranges::all_of(set.cases, same)) return set.features[j];
  }
  return {};
}

std::vector<FittedFeature> ranges_of(const TrainingSet& set) {
  std::vector<FittedFeature> ranges;
  for (std::size_t j = 0; j < set.features.size(); ++j) {
    const auto [lowest, highest] =
        std::ranges::minmax(set.cases | std::views::transform([&](const auto& c) { return c.features[j]; }));
    ranges.push_back({set.features[j], lowest, highest});
  }
  return ranges;
}

class Fnv1a {
 public:
  void add(std::string_view text) {
    for (const char c : text) mix(static_cast<unsigned char>(c));
    mix(0);  // so that "ab","c" and "a","bc" differ
  }
  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
    for (int shift = 0; shift < 64; shift += 8) mix(static_cast<unsigned char>(bits >> shift));
  }
  std::string text() const { return fmt::format("fnv1a64:{:016x}", state_); }

 private:
  void mix(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3; }
  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace

Result<PredictorScores> score_features(const TrainingSet& set) {
  if (set.cases.size() < 3) {
    return too_few(fmt::format("{}: {} group{} usable, a fit needs 3", set.table, set.cases.size(),
                               set.cases.size() == 1 ? " is" : "s are"));
  }
  const auto cases = set.observations();
  const auto indices = set.indices();
  const auto left_out = stats::leave_one_out(cases, indices);
  if (!left_out) return std::unexpected(left_out.error());
  PredictorScores scores;
  const auto fit = stats::fit_minimum_norm(cases, indices);
  std::vector<double> fitted;
  fitted.reserve(cases.size());
  for (const auto& row : cases) fitted.push_back(fit.predict(row));
  scores.in_sample = stats::score(indices, fitted);
  scores.leave_one_out = left_out->scores;
  scores.underdetermined = left_out->underdetermined;
  if (const auto scored = score_clusters(set, scores); !scored) return std::unexpected(scored.error());
  return scores;
}

Result<Predictor> fit_predictor(const TrainingSet& set) {
  const std::size_t k = set.features.size();
  if (set.cases.size() < k + 2) {
    return too_few(fmt::format("{}: {} need{} {} groups or more, {} usable", set.table, counted(k, "feature"),
                               k == 1 ? "s" : "", k + 2, set.cases.size()));
  }
  if (const std::string constant = constant_feature(set); !constant.empty()) {
    return fail(ErrorKind::refused,
                fmt::format("{}: {} is the same in all {} groups", set.table, constant, set.cases.size()),
                "leave this feature out");
  }
  const auto model = stats::fit_least_squares(set.observations(), set.indices());
  if (!model) return too_few(set.table + ": " + model.error().message);
  auto scores = score_features(set);
  if (!scores) return std::unexpected(scores.error());
  Predictor predictor{.target = set.target,
                      .table = set.table,
                      .accelerator = set.accelerator,
                      .pedigree = set.pedigree,
                      .groups = {},
                      .cap_grids_w = {},
                      .fingerprint = fingerprint_of(set),
                      .features = ranges_of(set),
                      .model = *model,
                      .scores = *std::move(scores)};
  for (const TrainingCase& training : set.cases) {
    predictor.groups.push_back(training.id.group);
    if (std::ranges::find(predictor.cap_grids_w, training.caps_w) == predictor.cap_grids_w.end()) {
      predictor.cap_grids_w.push_back(training.caps_w);
    }
    predictor.largest_leverage = std::max(predictor.largest_leverage, model->leverage(training.features));
  }
  return predictor;
}

std::string fingerprint_of(const TrainingSet& set) {
  Fnv1a hash;
  for (const std::string& feature : set.features) hash.add(feature);
  for (const TrainingCase& training : set.cases) {
    hash.add(training.id.group);
    for (const double value : training.features) hash.add(value);
    hash.add(training.index);
  }
  return hash.text();
}

Prediction predict(const Predictor& predictor, std::span<const std::string> columns,
                   const SweepGroup& group) {
  Prediction prediction;
  stats::Observation features;
  for (const FittedFeature& feature : predictor.features) {
    const FeatureReading reading = read_feature(feature.name, columns, group);
    if (!reading.value) {
      prediction.reason = reading.reason;
      return prediction;
    }
    features.push_back(*reading.value);
    if (*reading.value < feature.lowest || *reading.value > feature.highest) {
      prediction.outside.push_back(fmt::format("{} = {:.4g} is outside {:.4g} to {:.4g}", feature.name,
                                               *reading.value, feature.lowest, feature.highest));
    }
  }
  const stats::LinearModel& model = predictor.model;
  prediction.pfi = model.predict(features);
  prediction.standard_error = model.prediction_error(features);
  const double half_width = model.t_quantile(0.95) * prediction.standard_error;
  prediction.interval95 = {*prediction.pfi - half_width, *prediction.pfi + half_width};
  prediction.leverage = model.leverage(features);
  if (prediction.leverage > predictor.largest_leverage * (1 + 1e-9) && prediction.outside.empty()) {
    prediction.outside.push_back(fmt::format("leverage {:.3g} exceeds the largest fitted, {:.3g}",
                                             prediction.leverage, predictor.largest_leverage));
  }
  return prediction;
}

}  // namespace wattflex::elasticity
