#include "elasticity/verdict.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

namespace wattflex::elasticity {
namespace {

constexpr double kResolvedSigmas = 2;
// Below the whole watts and tenths that drivers and logs round to.
constexpr Power kEnforcedTolerance = Power::from_watts(0.5);
constexpr double kWellBelowCap = 0.95;

// A relative change against the uncapped point and its standard error.
struct Change {
  double value = 0;
  double sigma = 0;

  bool resolved() const { return value > kResolvedSigmas * sigma; }
  bool reversed() const { return value < -kResolvedSigmas * sigma; }
};

Change change_of(double share, double error, double reference_error) {
  return {1 - share, share * std::hypot(error, reference_error)};
}

std::string percent_text(double share) {
  return fmt::format("{:.2f} %", share * 100);
}

std::string limits(const Change& change) {
  return fmt::format("{} (2 sigma {})", percent_text(change.value),
                     percent_text(kResolvedSigmas * change.sigma));
}

bool cap_binds(const SweepPoint& point, int gpus, const Change& cut) {
  if (point.limited_by == Limiter::none) return false;
  if (point.limited_by == Limiter::power_cap) return true;
  const bool same_draw = !cut.resolved() && !cut.reversed();
  return !same_draw || point.power / gpus > point.cap * kWellBelowCap;
}

Fault judge_change(const SweepPoint& point, int gpus, const Change& cut, const Change& loss) {
  if (!cap_binds(point, gpus, cut)) {
    if (point.limited_by == Limiter::none) {
      return {Verdict::cap_not_binding, "limited_by says none: the cap did not hold the job back"};
    }
    return {Verdict::cap_not_binding,
            fmt::format("draws {:.1f} W per GPU under a {:g} W cap, the same as uncapped: power cut {}",
                        (point.power / gpus).watts(), point.cap.watts(), limits(cut))};
  }
  if (cut.reversed()) return {Verdict::above_uncapped, "draws more than uncapped: power cut " + limits(cut)};
  if (loss.reversed()) {
    return {Verdict::above_uncapped, "is faster than uncapped: throughput loss " + limits(loss)};
  }
  if (!cut.resolved()) {
    return {Verdict::below_resolution, "power cut within the noise: " + limits(cut)};
  }
  if (!loss.resolved()) {
    return {Verdict::below_resolution, "throughput loss within the noise: " + limits(loss)};
  }
  return {Verdict::used, "power cut " + limits(cut) + ", throughput loss " + limits(loss)};
}

JudgedPoint unjudged(const SweepPoint& point, DefaultNoise noise) {
  JudgedPoint out;
  out.point = point;
  out.error = error_of(point, noise);
  return out;
}

void give(JudgedPoint& point, Fault verdict) {
  point.verdict = verdict.verdict;
  point.reason = std::move(verdict.reason);
}

// Sets the changes against the reference, and the verdict unless the point already has a fault.
void compare(JudgedPoint& judged, const JudgedPoint& reference, int gpus) {
  const SweepPoint& point = judged.point;
  const Change cut =
      change_of(point.power / reference.point.power, judged.error.power, reference.error.power);
  const Change loss = change_of(point.throughput / reference.point.throughput, judged.error.throughput,
                                reference.error.throughput);
  judged.power_cut = cut.value;
  judged.throughput_loss = loss.value;
  if (point.throughput != reference.point.throughput) judged.ratio = cut.value / loss.value;
  if (judged.verdict == Verdict::used) give(judged, judge_change(point, gpus, cut, loss));
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::uncapped:
      return "uncapped";
    case Verdict::used:
      return "used";
    case Verdict::not_enforced:
      return "not enforced";
    case Verdict::other_limiter:
      return "thermal or other limiter";
    case Verdict::cap_not_binding:
      return "cap not binding";
    case Verdict::above_uncapped:
      return "above uncapped";
    case Verdict::below_resolution:
      return "below resolution";
    case Verdict::no_reference:
      return "no reference";
  }
  std::unreachable();
}

std::optional<Fault> fault_of(const SweepPoint& point) {
  const Power asked = point.requested.value_or(point.cap);
  const Power in_force = point.enforced.value_or(point.cap);
  if (std::abs((in_force - asked).watts()) >= kEnforcedTolerance.watts()) {
    return Fault{Verdict::not_enforced,
                 fmt::format("{:g} W asked for, {:g} W in force", asked.watts(), in_force.watts())};
  }
  if (point.limited_by == Limiter::thermal) {
    return Fault{Verdict::other_limiter, "heat held the job back, not the cap (limited_by thermal)"};
  }
  if (point.limited_by == Limiter::other) {
    return Fault{Verdict::other_limiter, "something else than the cap held the job back (limited_by other)"};
  }
  return std::nullopt;
}

std::vector<JudgedPoint> judge(const SweepGroup& group, DefaultNoise noise) {
  const std::optional<Fault> reference_fault = fault_of(group.uncapped());
  std::vector<JudgedPoint> judged;
  judged.reserve(group.points.size());
  for (const SweepPoint& point : group.points) {
    JudgedPoint& out = judged.emplace_back(unjudged(point, noise));
    if (auto fault = fault_of(point)) give(out, *std::move(fault));
    if (&point == &group.uncapped()) {
      if (!reference_fault) give(out, {Verdict::uncapped, "largest cap: the reference of all others"});
    } else if (!reference_fault) {
      compare(out, judged.front(), group.gpus);
    } else if (out.verdict == Verdict::used) {
      give(out, {Verdict::no_reference, "sound, but the uncapped point is not: reference missing"});
    }
  }
  return judged;
}

}  // namespace wattflex::elasticity
