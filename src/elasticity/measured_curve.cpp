#include "elasticity/measured_curve.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "elasticity/group_name.h"
#include "elasticity/verdict.h"

namespace wattflex::elasticity {
namespace {

CurvePoint curve_point(const SweepPoint& point, double highest) {
  return {point.power, std::min(point.throughput, highest), point.cap};
}

// The pair of neighbours around a draw strictly inside the curve, and how far it lies between them.
struct Segment {
  const CurvePoint& below;
  const CurvePoint& above;
  double share;
};

Segment segment_at(std::span<const CurvePoint> points, Power draw) {
  const auto above = std::ranges::upper_bound(points, draw, {}, &CurvePoint::draw);
  const auto below = above - 1;
  return {*below, *above, (draw - below->draw) / (above->draw - below->draw)};
}

}  // namespace

MeasuredCurve::MeasuredCurve(const SweepPoint& uncapped)
    : points_{curve_point(uncapped, uncapped.throughput)} {}

Result<MeasuredCurve> MeasuredCurve::from(const SweepGroup& group) {
  const SweepPoint& uncapped = group.uncapped();
  if (const auto fault = fault_of(uncapped)) {
    return fail(ErrorKind::no_data,
                fmt::format("{}: reference missing, the uncapped point is no reference: {}",
                            name_of(group.id), fault->reason),
                "measure the uncapped point again");
  }
  MeasuredCurve curve(uncapped);
  for (const SweepPoint& point : group.points) {
    if (&point == &uncapped) continue;
    if (auto fault = fault_of(point)) {
      curve.dropped_.push_back({point.cap, std::move(fault->reason)});
    } else if (point.power >= uncapped.power) {
      curve.dropped_.push_back({point.cap, "draws no less than the uncapped point"});
    } else {
      curve.points_.push_back(curve_point(point, uncapped.throughput));
    }
  }
  curve.drop_dominated();
  return curve;
}

// Leaves the points that are faster than every point of less draw, and the anchor.
void MeasuredCurve::drop_dominated() {
  const CurvePoint anchor = points_.front();
  // Of several points at one draw the fastest comes first; at a tie the one of the lower cap.
  std::ranges::sort(points_, {},
                    [](const CurvePoint& p) { return std::tuple(p.draw, -p.throughput, p.cap); });
  std::vector<CurvePoint> kept;
  for (const CurvePoint& point : points_) {
    if (kept.empty() || point == anchor || point.throughput > kept.back().throughput) {
      kept.push_back(point);
    } else {
      dropped_.push_back({point.cap, fmt::format("no faster than the {:g} W point, which draws less",
                                                 kept.back().cap.watts())});
    }
  }
  points_ = std::move(kept);
}

double MeasuredCurve::throughput_at(Power draw) const {
  if (draw <= lowest_draw()) return points_.front().throughput;
  if (draw >= uncapped_draw()) return points_.back().throughput;
  const auto [below, above, share] = segment_at(points_, draw);
  return below.throughput + share * (above.throughput - below.throughput);
}

}  // namespace wattflex::elasticity
