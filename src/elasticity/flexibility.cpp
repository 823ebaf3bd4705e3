#include "elasticity/flexibility.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/counted.h"
#include "elasticity/power_curve.h"

namespace wattflex::elasticity {
namespace {

// One ratio is a point of a curve, not an index of it.
constexpr std::size_t kFewestUsedPoints = 2;
// A job held by its cap draws about the cap; jobs with long pauses in each step draw less on average, but
// hardly below this share.
constexpr double kStarved = 0.75;

using PointList = std::vector<const JudgedPoint*>;

template <class Predicate>
PointList select(std::span<const JudgedPoint> points, Predicate predicate) {
  PointList selected;
  for (const JudgedPoint& point : points) {
    if (predicate(point)) selected.push_back(&point);
  }
  return selected;
}

bool is_sound(const JudgedPoint& point) {
  return point.verdict != Verdict::not_enforced && point.verdict != Verdict::other_limiter;
}

Estimate none(std::string reason) {
  return {.reason = std::move(reason)};
}

Estimate known(double value) {
  if (!std::isfinite(value)) return none("the points lie too far apart for a finite index");
  return {.value = value};
}

// What a point with a ratio adds to an index.
struct Share {
  double cut = 0;
  double loss = 0;
  double ratio = 0;
};

template <class Predicate>
std::vector<Share> shares_of(std::span<const JudgedPoint> points, Predicate predicate) {
  std::vector<Share> shares;
  for (const JudgedPoint& point : points) {
    if (predicate(point) && point.power_cut && point.throughput_loss && point.ratio) {
      shares.push_back({*point.power_cut, *point.throughput_loss, *point.ratio});
    }
  }
  return shares;
}

double mean_ratio(std::span<const Share> shares) {
  double sum = 0;
  for (const Share& share : shares) sum += share.ratio;
  return sum / static_cast<double>(shares.size());
}

double pooled_ratio(std::span<const Share> shares) {
  double cut = 0;
  double loss = 0;
  for (const Share& share : shares) {
    cut += share.cut;
    loss += share.loss;
  }
  return cut / loss;
}

// `sound` by falling cap, the uncapped point first.
double area_of(const PointList& sound) {
  const SweepPoint& top = sound.front()->point;
  double twice_area = 0;
  double last_power = 0;
  double last_throughput = 0;
  for (auto it = sound.rbegin(); it != sound.rend(); ++it) {
    const double power = (*it)->point.power / top.power;
    const double throughput = (*it)->point.throughput / top.throughput;
    twice_area += (throughput + last_throughput) * (power - last_power);
    last_power = power;
    last_throughput = throughput;
  }
  return twice_area / 2 - 0.5;
}

Estimate elasticity_of(const PointList& sound) {
  const SweepPoint& top = sound.front()->point;
  double mean_x = 0;
  double mean_y = 0;
  for (const JudgedPoint* const point : sound) {
    mean_x += std::log(point->point.power / top.power) / static_cast<double>(sound.size());
    mean_y += std::log(point->point.throughput / top.throughput) / static_cast<double>(sound.size());
  }
  double xx = 0;
  double xy = 0;
  for (const JudgedPoint* const point : sound) {
    const double x = std::log(point->point.power / top.power) - mean_x;
    xx += x * x;
    xy += x * (std::log(point->point.throughput / top.throughput) - mean_y);
  }
  const auto draws_the_same = [&top](const JudgedPoint* point) { return point->point.power == top.power; };
  if (std::ranges::all_of(sound, draws_the_same)) return none("all points draw the same");
  return known(1 - xy / xx);
}

void refuse_all(Flexibility& result, const std::string& reason) {
  for (Estimate* const estimate :
       {&result.published, &result.guarded, &result.pooled, &result.area, &result.elasticity}) {
    *estimate = none(reason);
  }
}

Role role_of(const JudgedPoint& point) {
  if (point.verdict == Verdict::used) return Role::used;
  return is_sound(point) && point.ratio ? Role::ratio : Role::none;
}

void set_indices(Flexibility& result) {
  const PointList sound = select(result.points, is_sound);
  if (sound.size() < 2) return refuse_all(result, "too few points: no sound point besides the uncapped one");
  result.area = known(area_of(sound));
  result.elasticity = elasticity_of(sound);
  const auto with_ratio =
      shares_of(result.points, [](const JudgedPoint& p) { return role_of(p) != Role::none; });
  result.published = with_ratio.empty() ? none("no capped point's throughput differs from the uncapped one")
                                        : known(mean_ratio(with_ratio));
  const auto used = shares_of(result.points, [](const JudgedPoint& p) { return role_of(p) == Role::used; });
  if (used.size() < kFewestUsedPoints) {
    const std::string reason =
        fmt::format("too few points: {} used of {}, {} needed", used.size(),
                    counted(result.points.size() - 1, "capped point"), kFewestUsedPoints);
    result.guarded = none(reason);
    result.pooled = none(reason);
    return;
  }
  result.guarded = known(mean_ratio(used));
  result.pooled = known(pooled_ratio(used));
}

void set_intervals(Flexibility& result, const IndexIntervals& intervals) {
  const auto set = [](Estimate& estimate, const std::optional<Interval>& interval) {
    if (!estimate.value || !interval) return;
    if (std::isfinite(interval->low) && std::isfinite(interval->high)) {
      estimate.ci95 = interval;
    } else {
      estimate.reason = "no interval: a throughput loss resampled to zero makes it endless";
    }
  };
  set(result.published, intervals.published);
  set(result.guarded, intervals.guarded);
  set(result.pooled, intervals.pooled);
}

// The resamples know the stated errors only. Where the points scatter more, all intervals widen alike; where
// not even a curve can be drawn through them, an interval would be too sure at any width.
void widen_by_scatter(const GroupId& id, Flexibility& result) {
  const auto fit = PowerCurveFit::fit(id, result.points, {.resamples = 0});
  if (fit && !fit->widened()) return;
  for (Estimate* const estimate : {&result.published, &result.guarded, &result.pooled}) {
    if (!estimate->value || !estimate->ci95) continue;
    if (fit) {
      estimate->ci95 = widened(*estimate->value, *estimate->ci95, fit->scatter());
    } else {
      estimate->ci95.reset();
      estimate->reason = "no interval: " + fit.error().message;
    }
  }
  if (!fit) return;
  result.widening = fit->scatter();
  result.warnings.push_back(
      fmt::format("points scatter {:.1f} times more about the power curve than their errors ({}) allow; "
                  "intervals are widened by that factor",
                  result.widening, result.ci_source));
  result.ci_source += fmt::format(", widened {:.1f} times by scatter", result.widening);
}

// What makes a group exceptional; ordinary verdicts are with their points.
void set_warnings(Flexibility& result, int gpus) {
  if (result.points.front().verdict != Verdict::uncapped) {
    result.warnings.push_back("no index: " + result.published.reason);
  } else if (const PointList faulty = select(result.points, [](const auto& p) { return !is_sound(p); });
             !faulty.empty()) {
    result.warnings.push_back(fmt::format("{} left out, the first at {:g} W: {}{}",
                                          counted(faulty.size(), "point"), faulty.front()->point.cap.watts(),
                                          faulty.front()->reason,
                                          result.guarded.value ? "" : "; " + result.guarded.reason));
  }
  const PointList starved = select(result.points, [gpus](const JudgedPoint& p) {
    return p.point.limited_by == Limiter::power_cap && p.point.power / gpus < kStarved * p.point.cap;
  });
  if (!starved.empty()) {
    const SweepPoint& worst = starved.front()->point;
    result.warnings.push_back(fmt::format(
        "the driver says the {:g} W cap binds at a draw of {:.0f} %; another limit may scale along",
        worst.cap.watts(), 100 * (worst.power / gpus / worst.cap)));
  }
}

}  // namespace

Flexibility FlexibilityMeter::measure(const SweepGroup& group) {
  Flexibility result;
  result.points = judge(group, options_.noise);
  result.ci_source = error_source(group.points, options_.noise);
  for (const JudgedPoint& point : result.points) {
    if (point.verdict == Verdict::used) {
      ++result.n_used;
    } else if (point.verdict != Verdict::uncapped) {
      ++result.n_refused;
    }
  }
  const JudgedPoint& reference = result.points.front();
  if (reference.verdict != Verdict::uncapped) {
    refuse_all(result, "reference missing: " + reference.reason);
    set_warnings(result, group.gpus);
    return result;
  }
  std::vector<Role> roles(result.points.size(), Role::none);
  std::ranges::transform(result.points.begin() + 1, result.points.end(), roles.begin() + 1, role_of);
  set_indices(result);
  set_warnings(result, group.gpus);
  if (options_.resamples > 0) {
    set_intervals(result, resampler_.intervals(result.points, roles));
    widen_by_scatter(group.id, result);
  }
  return result;
}

Flexibility measure_flexibility(const SweepGroup& group, const FlexibilityOptions& options) {
  return FlexibilityMeter(options).measure(group);
}

}  // namespace wattflex::elasticity
