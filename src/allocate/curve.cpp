#include "allocate/curve.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace wattflex::allocate {
namespace {

// How far `draw` lies between two points, 0..1.
double share_between(const CurvePoint& left, const CurvePoint& right, Power draw) {
  return (draw - left.draw) / (right.draw - left.draw);
}

// First point at or above `draw`, never the very first one: the right end of the piece that holds `draw`.
std::vector<CurvePoint>::const_iterator right_end(const std::vector<CurvePoint>& points, Power draw) {
  return std::lower_bound(points.begin() + 1, points.end() - 1, draw,
                          [](const CurvePoint& point, Power wanted) { return point.draw < wanted; });
}

CapMap cap_map(const std::vector<CurvePoint>& points, std::vector<MeasuredCap> caps) {
  if (caps.empty()) {
    for (const CurvePoint& point : points) caps.push_back({point.cap, point.draw, point.throughput});
  }
  return CapMap(std::move(caps));
}

}  // namespace

Curve::Curve(std::vector<CurvePoint> points, std::vector<MeasuredCap> caps)
    : points_(std::move(points)), caps_(cap_map(points_, std::move(caps))) {
  assert(!points_.empty() && points_.back().throughput > 0);
  assert(std::ranges::is_sorted(points_, {}, &CurvePoint::throughput));
  assert(std::ranges::adjacent_find(points_, [](const CurvePoint& left, const CurvePoint& right) {
           return left.draw >= right.draw;
         }) == points_.end());
}

double Curve::throughput_at(Power draw) const {
  if (draw <= lowest_draw()) return points_.front().throughput;
  if (draw >= uncapped_draw()) return uncapped_throughput();
  const auto right = right_end(points_, draw);
  const auto left = right - 1;
  return left->throughput + share_between(*left, *right, draw) * (right->throughput - left->throughput);
}

Curve::Curve(std::vector<CurvePoint> points, CapMap caps)
    : points_(std::move(points)), caps_(std::move(caps)) {}

Power Curve::least_capped_draw() const {
  return std::clamp(caps_.lowest_draw(), lowest_draw(), uncapped_draw());
}

Power Curve::draw_for(double throughput) const {
  const auto right = std::ranges::lower_bound(points_, throughput, {}, &CurvePoint::throughput);
  if (right == points_.end()) return uncapped_draw();
  if (right == points_.begin()) return lowest_draw();
  const auto left = right - 1;
  const double share = (throughput - left->throughput) / (right->throughput - left->throughput);
  return left->draw + share * (right->draw - left->draw);
}

Curve Curve::scaled(double ratio) const {
  std::vector<CurvePoint> points = points_;
  for (CurvePoint& point : points) {
    point.draw = point.draw * ratio;
    point.throughput *= ratio;
  }
  return Curve(std::move(points), caps_.scaled(ratio));
}

}  // namespace wattflex::allocate
