#include "allocate/whole_watt.h"

#include <algorithm>
#include <cmath>

namespace wattflex::allocate {
namespace {

// A cap this close to a whole watt is one; keeps 300 from becoming 299 by rounding in the interpolation.
constexpr double kWholeWatt = 1e-6;

}  // namespace

WholeWattCap whole_watt_cap(const Curve& curve, Power planned_draw) {
  const CapMap& caps = curve.caps();
  if (planned_draw >= curve.uncapped_draw()) return {caps.largest_cap(), curve.uncapped_draw()};
  const double whole = std::floor(caps.cap_for(planned_draw).watts() + kWholeWatt);
  const Power cap = std::max(Power::from_watts(whole), caps.lowest_cap());
  return {cap, std::min(std::max(planned_draw, caps.lowest_draw()), caps.draw_at(cap))};
}

Power floor_on_whole_watts(const Curve& curve, Power draw) {
  if (draw >= curve.uncapped_draw()) return curve.uncapped_draw();
  if (draw <= curve.least_capped_draw()) return curve.least_capped_draw();
  const double whole = std::ceil(curve.caps().cap_for(draw).watts() - kWholeWatt);
  return std::clamp(curve.caps().draw_at(Power::from_watts(whole)), draw, curve.uncapped_draw());
}

}  // namespace wattflex::allocate
