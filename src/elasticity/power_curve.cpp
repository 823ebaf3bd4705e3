#include "elasticity/power_curve.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/random.h"
#include "elasticity/group_name.h"
#include "stats/descriptive.h"
#include "stats/distributions.h"

namespace wattflex::elasticity {
namespace {

// What one sound point says; errors relative and above zero.
struct Observation {
  double cap_w;
  double power_w;
  double throughput;
  RelativeError error;
};

using Observations = std::vector<Observation>;  // by rising cap

// Beyond this relative error resamples are e^10 times off and no curves; doubles end at e^709.
constexpr double kMostError = 10;

Observation observation_of(const JudgedPoint& judged) {
  constexpr double kLeastError = 1e-6;  // a stated error of 0 would weigh infinitely
  return {judged.point.cap.watts(),
          judged.point.power.watts(),
          judged.point.throughput,
          {std::max(judged.error.power, kLeastError), std::max(judged.error.throughput, kLeastError)}};
}

// Isotonic least squares of draw on cap (pool adjacent violators).
std::vector<PowerCurve::CapDraw> draw_by_cap(const Observations& observations) {
  struct Block {
    double weight;
    double power_w;
    std::size_t count;
  };
  std::vector<Block> blocks;
  const double unit_w = observations.back().power_w;  // only ratios of weights count; watts squared overflow
  for (const Observation& o : observations) {
    blocks.push_back({1 / std::pow(o.power_w / unit_w * o.error.power, 2), o.power_w, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].power_w >= blocks.back().power_w) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& block = blocks.back();
      block.weight += last.weight;
      block.power_w += (last.power_w - block.power_w) * (last.weight / block.weight);
      block.count += last.count;
    }
  }
  std::vector<PowerCurve::CapDraw> draws;
  for (const Block& block : blocks) {
    for (std::size_t i = 0; i < block.count; ++i) {
      draws.push_back(
          {Power::from_watts(observations[draws.size()].cap_w), Power::from_watts(block.power_w)});
    }
  }
  return draws;
}

Result<ConcaveFunction> throughput_fit(const Observations& observations, std::span<const double> sigmas) {
  const double least = std::ranges::min(sigmas);  // only ratios of weights count; squares overflow
  std::vector<WeightedPoint> points;
  points.reserve(observations.size());
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const double certainty = least / sigmas[i];
    points.push_back({observations[i].power_w, observations[i].throughput, certainty * certainty});
  }
  return fit_concave(points);
}

std::vector<double> throughput_sigmas(const Observations& observations) {
  std::vector<double> sigmas;
  for (const Observation& o : observations) sigmas.push_back(o.throughput * o.error.throughput);
  return sigmas;
}

// The draw's error carried over by the slope of a first fit.
std::vector<double> effective_sigmas(const Observations& observations, const ConcaveFunction& first) {
  std::vector<double> sigmas = throughput_sigmas(observations);
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const Observation& o = observations[i];
    const double slope = (first.slope_below(o.power_w) + first.slope_above(o.power_w)) / 2;
    sigmas[i] = std::hypot(sigmas[i], slope * o.power_w * o.error.power);
  }
  return sigmas;
}

// Free parameters of the fitted shape: its level and every change of slope, the last one down to zero
// included.
std::size_t parameters_of(const ConcaveFunction& fit) {
  const auto nodes = fit.nodes();
  if (nodes.size() < 2) return 1;
  return nodes.size() - 1 + (fit.slope_below(nodes.back().x) > 0 ? 1 : 0);
}

struct Scatter {
  double factor = 0;
  bool significant = false;
};

Scatter scatter_of(std::span<const CurveResidual> residuals, std::size_t parameters) {
  if (residuals.size() <= parameters) return {};
  const auto freedom = static_cast<double>(residuals.size() - parameters);
  double chi_squared = 0;
  for (const CurveResidual& r : residuals) chi_squared += r.departure * r.departure;
  if (!std::isfinite(chi_squared)) return {chi_squared, true};
  return {std::sqrt(chi_squared / freedom), stats::chi_squared_upper_p(chi_squared, freedom) < 0.05};
}

Observations resampled(const Observations& observations, double widening, RandomStream& random) {
  Observations copy = observations;
  for (Observation& o : copy) {
    o.power_w *= std::exp(widening * o.error.power * random.normal());
    o.throughput *= std::exp(widening * o.error.throughput * random.normal());
  }
  return copy;
}

std::unexpected<Error> about(const GroupId& id, const Error& error) {
  return fail(error.kind, fmt::format("{}: {}", name_of(id), error.message), error.remedy);
}

double largest_error(const Observations& observations) {
  double largest = 0;
  for (const Observation& o : observations) largest = std::max({largest, o.error.power, o.error.throughput});
  return largest;
}

// Of the group alone, so that its resamples do not hang on its place in a table.
std::uint64_t stream_of(const GroupId& id) {
  return wattflex::stream_of(id.group + '\0' + id.accelerator);
}

bool has_fault(const JudgedPoint& judged) {
  return judged.verdict == Verdict::not_enforced || judged.verdict == Verdict::other_limiter;
}

}  // namespace

PowerCurve::PowerCurve(ConcaveFunction throughput, std::vector<CapDraw> draws)
    : throughput_(std::move(throughput)), draws_(std::move(draws)) {
  assert(!draws_.empty());
}

Power PowerCurve::draw_at(Power cap) const {
  if (cap <= lowest_cap()) return lowest_draw();
  if (cap >= uncapped_cap()) return uncapped_draw();
  const auto above = std::ranges::upper_bound(draws_, cap, {}, &CapDraw::cap);
  const auto below = above - 1;
  return below->draw + (above->draw - below->draw) * ((cap - below->cap) / (above->cap - below->cap));
}

Result<PowerCurveFit> PowerCurveFit::fit(const GroupId& id, std::span<const JudgedPoint> judged,
                                         const Options& options) {
  if (judged.empty() || has_fault(judged.front())) {
    return fail(ErrorKind::no_data,
                fmt::format("{}: reference missing, the uncapped point is no reference", name_of(id)),
                "measure the uncapped point again");
  }
  std::vector<CurveResidual> residuals;
  Observations observations;
  for (const JudgedPoint& point : judged) {
    if (has_fault(point)) continue;
    residuals.push_back({point, 0, 0});
    observations.push_back(observation_of(point));
  }
  if (observations.size() < 2) {
    return fail(ErrorKind::no_data, fmt::format("{}: no sound point beside the uncapped one", name_of(id)),
                "a power curve needs at least two caps that were enforced");
  }
  std::ranges::reverse(observations);

  const auto first = throughput_fit(observations, throughput_sigmas(observations));
  if (!first) return about(id, first.error());
  const std::vector<double> sigmas = effective_sigmas(observations, *first);
  const auto best = throughput_fit(observations, sigmas);
  if (!best) return about(id, best.error());
  PowerCurveFit fit(PowerCurve(*best, draw_by_cap(observations)));
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    CurveResidual& residual = residuals[i];
    residual.fitted = best->at(residual.judged.point.power.watts());
    residual.departure = (residual.judged.point.throughput - residual.fitted) / sigmas[sigmas.size() - 1 - i];
  }
  const Scatter scatter = scatter_of(residuals, parameters_of(*best));
  fit.residuals_ = std::move(residuals);
  fit.scatter_ = scatter.factor;
  fit.widened_ = scatter.significant;
  const double widening = fit.widened_ ? fit.scatter_ : 1;
  if (!(widening * largest_error(observations) <= kMostError)) {
    return fail(ErrorKind::no_data,
                fmt::format("{}: errors of {:.3g} times the measured values leave no curve", name_of(id),
                            widening * largest_error(observations)),
                "look for values of unlike units among the rows of the group");
  }

  RandomStream random(options.seed, stream_of(id));
  fit.refits_.reserve(static_cast<std::size_t>(options.resamples));
  for (int i = 0; i < options.resamples; ++i) {
    const Observations sample = resampled(observations, widening, random);
    const auto refit = throughput_fit(sample, sigmas);
    if (!refit) return about(id, refit.error());
    fit.refits_.emplace_back(*refit, draw_by_cap(sample));
  }
  return fit;
}

Ranged PowerCurveFit::estimate(const std::function<double(const PowerCurve&)>& quantity,
                               const Bounds& bounds) const {
  const double value = quantity(curve_);
  std::vector<double> values;
  values.reserve(refits_.size());
  for (const PowerCurve& refit : refits_) values.push_back(quantity(refit));
  // A refit that does no work at some draw has no share or elasticity there and says nothing about it.
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return {value, bounds.least, bounds.most};
  const double low = stats::quantile(values, 0.025);
  const double high = stats::quantile(values, 0.975);
  const double reach = std::max(high - value, value - low);
  return {value, std::max(value - reach, bounds.least), std::min(value + reach, bounds.most)};
}

}  // namespace wattflex::elasticity
