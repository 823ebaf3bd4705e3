#include "elasticity/elasticity_class.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/counted.h"

namespace wattflex::elasticity {
namespace {

constexpr Interval kProportional = {0.9, 1.1};

bool lowers_draw(const JudgedPoint& judged, const JudgedPoint& reference, double widening) {
  const bool sound = judged.verdict == Verdict::used || judged.verdict == Verdict::below_resolution ||
                     judged.verdict == Verdict::above_uncapped;
  if (!sound || !judged.power_cut) return false;
  const double sigma = (1 - *judged.power_cut) * std::hypot(judged.error.power, reference.error.power);
  return *judged.power_cut > 2 * widening * sigma;
}

Classification by_interval(double value, const Interval& ci) {
  const std::string numbers = fmt::format("guarded index {:.2f} ({:.2f}..{:.2f})", value, ci.low, ci.high);
  if (ci.low >= kProportional.low && ci.high <= kProportional.high) {
    return {ElasticityClass::proportional, numbers + ": throughput falls in proportion to power"};
  }
  if (ci.low > 1) return {ElasticityClass::flexible, numbers + ": throughput falls more slowly than power"};
  if (ci.high < 1) return {ElasticityClass::inflexible, numbers + ": throughput falls faster than power"};
  return {ElasticityClass::undetermined, numbers + ": the interval spans 1"};
}

// The mean of ratios and the ratio of sums may fall on two sides of 1, where a ratio of small losses is
// large: then "flexible" would hang on the choice of the mean.
Classification unless_pooled_contradicts(Classification found, double guarded, std::optional<double> pooled) {
  const bool decided =
      found.elasticity == ElasticityClass::flexible || found.elasticity == ElasticityClass::inflexible;
  if (!decided || !pooled || (*pooled - 1) * (guarded - 1) >= 0) return found;
  return {ElasticityClass::undetermined,
          fmt::format("guarded index {:.2f} and pooled index {:.2f} lie on opposite sides of 1", guarded,
                      *pooled)};
}

}  // namespace

std::string_view to_string(ElasticityClass elasticity) {
  switch (elasticity) {
    case ElasticityClass::unaffected:
      return "unaffected";
    case ElasticityClass::flexible:
      return "flexible";
    case ElasticityClass::proportional:
      return "proportional";
    case ElasticityClass::inflexible:
      return "inflexible";
    case ElasticityClass::undetermined:
      return "undetermined";
    case ElasticityClass::unbound:
      return "unbound";
    case ElasticityClass::unknown:
      return "unknown";
  }
  std::unreachable();
}

Classification classify(const Flexibility& flexibility) {
  const auto& points = flexibility.points;
  if (points.empty() || points.front().verdict != Verdict::uncapped) {
    return {ElasticityClass::unknown, "no sound uncapped point to compare with"};
  }
  const auto cutting = std::ranges::count_if(
      points, [&](const JudgedPoint& p) { return lowers_draw(p, points.front(), flexibility.widening); });
  if (cutting == 0) return {ElasticityClass::unbound, "no cap lowers the draw by more than noise"};
  if (flexibility.n_used == 0) {
    return {ElasticityClass::unaffected,
            fmt::format("the draw falls at {}, the throughput at none by more than noise",
                        counted(cutting, "cap"))};
  }
  const Estimate& index = flexibility.guarded;
  if (!index.value || !index.ci95) {
    return {ElasticityClass::undetermined, index.reason.empty() ? "the index has no interval" : index.reason};
  }
  return unless_pooled_contradicts(by_interval(*index.value, *index.ci95), *index.value,
                                   flexibility.pooled.value);
}

}  // namespace wattflex::elasticity
