#include "allocate/whole_watt.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace wattflex::allocate {
namespace {

// A cap this close to a whole watt is one; keeps 300 from becoming 299 by rounding in the interpolation.
constexpr double kWholeWatt = 1e-6;

struct Stretch {
  CurvePoint left;
  CurvePoint right;
};

Stretch stretch_around(const Curve& curve, Power draw) {
  const auto points = curve.points();
  const auto right =
      std::ranges::lower_bound(points.subspan(1, points.size() - 2), draw, {}, &CurvePoint::draw);
  return {*std::prev(right), *right};
}

Power draw_at(const Stretch& stretch, double cap) {
  const double left = stretch.left.cap.watts();
  const double share = (cap - left) / (stretch.right.cap.watts() - left);
  return stretch.left.draw + std::clamp(share, 0.0, 1.0) * (stretch.right.draw - stretch.left.draw);
}

}  // namespace

WholeWattCap whole_watt_cap(const Curve& curve, Power planned_draw) {
  if (planned_draw >= curve.uncapped_draw()) return {curve.points().back().cap, curve.uncapped_draw()};
  if (planned_draw <= curve.lowest_draw()) return {curve.points().front().cap, curve.lowest_draw()};
  const Stretch stretch = stretch_around(curve, planned_draw);
  // Noise can make a lower cap draw more; then only the point below is known to be safe.
  if (stretch.right.cap <= stretch.left.cap) return {stretch.left.cap, stretch.left.draw};
  const double wanted = curve.cap_at(planned_draw).watts();
  const double whole = std::floor(wanted + kWholeWatt);
  if (whole < stretch.left.cap.watts()) return {stretch.left.cap, stretch.left.draw};
  return {Power::from_watts(whole), std::min(planned_draw, draw_at(stretch, whole))};
}

Power floor_on_whole_watts(const Curve& curve, Power draw) {
  if (draw >= curve.uncapped_draw()) return curve.uncapped_draw();
  if (draw <= curve.lowest_draw()) return curve.lowest_draw();
  const Stretch stretch = stretch_around(curve, draw);
  if (stretch.right.cap <= stretch.left.cap) return stretch.right.draw;
  const double whole = std::ceil(curve.cap_at(draw).watts() - kWholeWatt);
  if (whole >= stretch.right.cap.watts()) return stretch.right.draw;
  return std::max(draw, draw_at(stretch, whole));
}

}  // namespace wattflex::allocate
