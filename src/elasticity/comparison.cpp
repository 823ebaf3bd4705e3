#include "elasticity/comparison.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/counted.h"
#include "elasticity/power_curve.h"
#include "stats/multiple_testing.h"

namespace wattflex::elasticity {
namespace {

constexpr double kNormal95 = 1.959963984540054;
constexpr Power kSameCap = Power::from_watts(0.5);

double two_sided_p(double z) {
  return std::erfc(std::abs(z) / std::sqrt(2.0));
}

bool same_cap(Power a, Power b) {
  return std::abs((a - b).watts()) < kSameCap.watts();
}

// A positive value and its relative error.
struct Measured {
  double value;
  double error;
};

Measured ratio(const Measured& top, const Measured& bottom) {
  return {top.value / bottom.value, std::hypot(top.error, bottom.error)};
}

Difference relative_change(Compared quantity, const Measured& a, const Measured& b) {
  const double change = std::log(b.value / a.value);
  const double sigma = std::hypot(a.error, b.error);
  return {.quantity = quantity,
          .a = a.value,
          .b = b.value,
          .tested = Difference::Tested{
              .difference = std::expm1(change),
              .ci95 = {std::expm1(change - kNormal95 * sigma), std::expm1(change + kNormal95 * sigma)},
              .p_value = change == 0 ? 1 : two_sided_p(change / sigma)}};
}

Difference plain_change(Compared quantity, const Ranged& a, const Ranged& b) {
  const double difference = b.value - a.value;
  const double low = difference - std::hypot(b.value - b.low, a.high - a.value);
  const double high = difference + std::hypot(b.high - b.value, a.value - a.low);
  const double facing_zero = difference > 0 ? difference - low : high - difference;
  const double z = kNormal95 * difference / facing_zero;  // endless where nothing is uncertain
  return {.quantity = quantity,
          .a = a.value,
          .b = b.value,
          .tested = Difference::Tested{difference, {low, high}, difference == 0 ? 1 : two_sided_p(z)}};
}

std::optional<Ranged> ranged(const Estimate& estimate) {
  if (!estimate.value || !estimate.ci95) return std::nullopt;
  return Ranged{*estimate.value, estimate.ci95->low, estimate.ci95->high};
}

Difference index_change(Compared quantity, const Estimate& a, const Estimate& b) {
  const auto left = ranged(a);
  const auto right = ranged(b);
  if (left && right) return plain_change(quantity, *left, *right);
  return {.quantity = quantity,
          .a = a.value,
          .b = b.value,
          .reason = !left ? "A: " + a.reason : "B: " + b.reason};
}

// One side of a comparison: its sound points with their errors, widened where they scatter, written out as
// stderr columns so that every later step uses the same.
struct Side {
  const SweepGroup& measured;
  SweepGroup group;
  std::optional<PowerCurveFit> fit;
  std::string failure;  // why two or more points have no fit, and so no honest errors
  double widening = 1;

  const SweepPoint& reference() const { return group.uncapped(); }
  Measured power(const SweepPoint& p) const {
    return {p.power.watts() / group.gpus, error_of(p, DefaultNoise::run_to_run).power};
  }
  Measured throughput(const SweepPoint& p) const {
    return {p.throughput / group.gpus, error_of(p, DefaultNoise::run_to_run).throughput};
  }
};

// What a deviation common to a sweep adds to the errors of a point as it was measured.
RunToRun not_in_errors(const SweepPoint& measured, const ComparisonOptions& options) {
  const bool separate = options.flexibility.noise == DefaultNoise::run_to_run;
  const RelativeError held = separate ? default_error(DefaultNoise::run_to_run) : RelativeError{};
  const auto left = [](double whole, bool stated, double part) {
    return stated ? whole : std::sqrt(std::max(0.0, whole * whole - part * part));
  };
  return {left(options.run_to_run.power, measured.power_stderr.has_value(), held.power),
          left(options.run_to_run.throughput, measured.throughput_stderr.has_value(), held.throughput)};
}

struct Level {
  Measured power;
  Measured throughput;
};

// The reference point, with the error it has as one of many sweeps.
Level level_of(const Side& side, const ComparisonOptions& options) {
  const SweepPoint& reference = side.reference();
  const auto measured = std::ranges::find(side.measured.points, reference.cap, &SweepPoint::cap);
  const RunToRun more = not_in_errors(*measured, options);
  Level level{side.power(reference), side.throughput(reference)};
  level.power.error = std::hypot(level.power.error, more.power);
  level.throughput.error = std::hypot(level.throughput.error, more.throughput);
  return level;
}

Side side_of(const SweepGroup& group, const ComparisonOptions& options, int resamples) {
  Side side{.measured = group, .group = group, .fit = std::nullopt};
  std::erase_if(side.group.points, [](const SweepPoint& p) { return fault_of(p).has_value(); });
  if (side.group.points.empty()) return side;
  const DefaultNoise noise = options.flexibility.noise;
  auto fit = PowerCurveFit::fit(group.id, judge(side.group, noise),
                                {.resamples = resamples, .seed = options.flexibility.seed});
  if (fit && fit->widened()) side.widening = fit->scatter();
  if (fit) {
    side.fit = *std::move(fit);
  } else if (side.group.points.size() > 1) {
    side.failure = fit.error().message;
  }
  for (SweepPoint& point : side.group.points) {
    const RelativeError error = error_of(point, noise);
    point.power_stderr = point.power * (error.power * side.widening);
    point.throughput_stderr = point.throughput * (error.throughput * side.widening);
  }
  return side;
}

// One row a cap on either side, paired by their place. Where several are close enough, the nearest pair up.
void keep_common_caps(Side& a, Side& b) {
  std::vector<SweepPoint>& left = a.group.points;  // by falling cap, as all groups are
  std::vector<SweepPoint>& right = b.group.points;
  const auto apart = [](const SweepPoint& p, const SweepPoint& q) {
    return std::abs((p.cap - q.cap).watts());
  };
  std::vector<SweepPoint> kept_left;
  std::vector<SweepPoint> kept_right;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() && j < right.size()) {
    if (!same_cap(left[i].cap, right[j].cap)) {
      ++(left[i].cap > right[j].cap ? i : j);
    } else if (i + 1 < left.size() && apart(left[i + 1], right[j]) < apart(left[i], right[j])) {
      ++i;
    } else if (j + 1 < right.size() && apart(left[i], right[j + 1]) < apart(left[i], right[j])) {
      ++j;
    } else {
      kept_left.push_back(left[i++]);
      kept_right.push_back(right[j++]);
    }
  }
  left = std::move(kept_left);
  right = std::move(kept_right);
}

std::vector<std::string> warnings_about(const SweepGroup& a, const SweepGroup& b) {
  std::vector<std::string> warnings;
  if (a.gpus != b.gpus) {
    warnings.push_back(fmt::format("{} against {}: powers and throughputs are compared per GPU",
                                   counted(a.gpus, "GPU"), b.gpus));
  }
  if (a.pedigree != b.pedigree) {
    warnings.push_back(fmt::format("A is {}, B is {}", to_string(a.pedigree), to_string(b.pedigree)));
  }
  const PowerKind kind_a = a.uncapped().power_kind;
  const PowerKind kind_b = b.uncapped().power_kind;
  if (kind_a != kind_b) {
    warnings.push_back(fmt::format("draws of A are {}, of B {}: only throughputs are compared",
                                   to_string(kind_a), to_string(kind_b)));
  }
  if (a.id.accelerator != b.id.accelerator) {
    warnings.push_back(fmt::format("two accelerators ('{}', '{}'): an index says little across models",
                                   a.id.accelerator, b.id.accelerator));
  }
  return warnings;
}

void warn_about_widening(const Side& a, const Side& b, std::vector<std::string>& warnings) {
  for (const auto& [name, side] : {std::pair("A", &a), std::pair("B", &b)}) {
    if (side->widening > 1) {
      warnings.push_back(
          fmt::format("points of {} scatter {:.1f} times more than their errors allow; its errors are "
                      "widened by that factor",
                      name, side->widening));
    }
  }
}

std::string list_of_caps(const SweepGroup& group) {
  std::vector<double> caps;
  caps.reserve(group.points.size());
  for (const SweepPoint& point : group.points) caps.push_back(point.cap.watts());
  return fmt::format("{:g}", fmt::join(caps, " "));
}

// A forgotten cap must not pass for a slow baseline.
void warn_about_grids(const SweepGroup& a, const SweepGroup& b, const Side& common,
                      std::vector<std::string>& warnings) {
  if (list_of_caps(a) == list_of_caps(b)) return;
  warnings.push_back(fmt::format("caps differ (A {}; B {}): compared on the {} both have", list_of_caps(a),
                                 list_of_caps(b), common.group.points.size()));
  if (same_cap(a.uncapped().cap, b.uncapped().cap)) return;
  warnings.push_back(
      fmt::format("largest caps differ, {:g} W and {:g} W: the reference is {:g} W for both; was a cap "
                  "forgotten?",
                  a.uncapped().cap.watts(), b.uncapped().cap.watts(), common.reference().cap.watts()));
}

void compare_references(const Level& a, const Level& b, bool powers, std::vector<Difference>& out) {
  if (powers) out.push_back(relative_change(Compared::reference_power, a.power, b.power));
  out.push_back(relative_change(Compared::reference_throughput, a.throughput, b.throughput));
  if (!powers) return;
  out.push_back(relative_change(Compared::reference_efficiency, ratio(a.throughput, a.power),
                                ratio(b.throughput, b.power)));
}

void compare_indices(const Side& a, const Side& b, const FlexibilityOptions& options,
                     std::vector<Difference>& out) {
  const Flexibility left = measure_flexibility(a.group, options);
  const Flexibility right = measure_flexibility(b.group, options);
  out.push_back(index_change(Compared::pfi_published, left.published, right.published));
  out.push_back(index_change(Compared::pfi_guarded, left.guarded, right.guarded));
}

Ranged kept(const Side& side, const SweepPoint& point) {
  const Measured k = ratio(side.throughput(point), side.throughput(side.reference()));
  const double reach = kNormal95 * k.value * k.error;
  return {k.value, k.value - reach, k.value + reach};
}

void compare_kept_at_caps(const Side& a, const Side& b, std::vector<Difference>& out) {
  for (std::size_t i = 1; i < a.group.points.size(); ++i) {
    Difference difference =
        plain_change(Compared::kept_at_cap, kept(a, a.group.points[i]), kept(b, b.group.points[i]));
    difference.cap = a.group.points[i].cap;
    out.push_back(std::move(difference));
  }
}

std::optional<Ranged> kept(const Side& side, double cut) {
  if (!side.fit) return std::nullopt;
  const PowerCurve& curve = side.fit->curve();
  if (curve.uncapped_draw() * (1 - cut) < curve.lowest_draw()) return std::nullopt;
  return side.fit->estimate([&](const PowerCurve& c) { return c.kept_at(c.uncapped_draw() * (1 - cut)); },
                            kShare);
}

void compare_kept_at_cuts(const Side& a, const Side& b, std::span<const double> cuts,
                          std::vector<Difference>& out) {
  for (const double cut : cuts) {
    const auto left = kept(a, cut);
    const auto right = kept(b, cut);
    Difference difference{.quantity = Compared::kept_at_cut};
    if (left && right) {
      difference = plain_change(Compared::kept_at_cut, *left, *right);
    } else {
      difference.reason = left ? "B: not reached by this sweep" : "A: not reached by this sweep";
    }
    difference.cut = cut;
    out.push_back(std::move(difference));
  }
}

std::string no_reference(const SweepGroup& group, std::string_view name) {
  const auto fault = fault_of(group.uncapped());
  return fault ? fmt::format("{}: reference missing: {}", name, fault->reason) : "";
}

}  // namespace

std::string_view to_string(Compared quantity) {
  switch (quantity) {
    case Compared::reference_power:
      return "reference_power";
    case Compared::reference_throughput:
      return "reference_throughput";
    case Compared::reference_efficiency:
      return "reference_throughput_per_joule";
    case Compared::pfi_published:
      return "pfi";
    case Compared::pfi_guarded:
      return "pfi_guarded";
    case Compared::kept_at_cap:
      return "throughput_kept_at_cap";
    case Compared::kept_at_cut:
      return "throughput_kept_at_cut";
  }
  std::unreachable();
}

bool is_relative(Compared quantity) {
  return quantity == Compared::reference_power || quantity == Compared::reference_throughput ||
         quantity == Compared::reference_efficiency;
}

GroupComparison compare(const SweepGroup& a, const SweepGroup& b, const ComparisonOptions& options) {
  GroupComparison result{.a = a.id, .b = b.id, .warnings = warnings_about(a, b)};
  result.reason = no_reference(a, "A");
  if (result.reason.empty()) result.reason = no_reference(b, "B");
  if (!result.reason.empty()) return result;
  const bool one_accelerator = a.id.accelerator == b.id.accelerator;
  // On one accelerator the fit only tells how far points scatter.
  const int resamples = one_accelerator ? 1 : std::clamp(options.flexibility.resamples, 100, 1000);
  Side left = side_of(a, options, resamples);
  Side right = side_of(b, options, resamples);
  if (!left.failure.empty()) result.reason = "A: " + left.failure;
  if (!right.failure.empty()) result.reason = "B: " + right.failure;
  if (!result.reason.empty()) return result;
  if (one_accelerator) {
    keep_common_caps(left, right);
    if (left.group.points.empty()) {
      result.reason = fmt::format("no cap in common (A {}; B {})", list_of_caps(a), list_of_caps(b));
      return result;
    }
    warn_about_grids(a, b, left, result.warnings);
    std::ranges::transform(left.group.points, std::back_inserter(result.common_caps), &SweepPoint::cap);
  }
  warn_about_widening(left, right, result.warnings);
  result.reference_cap_a = left.reference().cap;
  result.reference_cap_b = right.reference().cap;
  const bool powers = left.reference().power_kind == right.reference().power_kind;
  compare_references(level_of(left, options), level_of(right, options), powers, result.differences);
  if (powers) compare_indices(left, right, options.flexibility, result.differences);
  if (one_accelerator) compare_kept_at_caps(left, right, result.differences);
  if (!one_accelerator && powers) compare_kept_at_cuts(left, right, options.cuts, result.differences);
  return result;
}

void adjust(std::vector<GroupComparison>& comparisons) {
  std::vector<Difference::Tested*> tests;
  std::vector<double> p_values;
  for (GroupComparison& comparison : comparisons) {
    for (Difference& difference : comparison.differences) {
      if (!difference.tested) continue;
      tests.push_back(&*difference.tested);
      p_values.push_back(difference.tested->p_value);
    }
  }
  const std::vector<double> adjusted = stats::holm(p_values);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i]->p_adjusted = adjusted[i];
}

}  // namespace wattflex::elasticity
