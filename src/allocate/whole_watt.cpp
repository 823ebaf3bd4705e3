#include "allocate/whole_watt.h"

#include <algorithm>
#include <cmath>

namespace wattflex::allocate {
namespace {

// A cap this close to a whole watt is one; keeps 300 from becoming 299 by rounding in the interpolation.
constexpr double kWholeWatt = 1e-6;
constexpr double kRounding = 1e-10;  // of a job's uncapped draw or throughput; a plan's check allows 1e-9

}  // namespace

WholeWattCap whole_watt_cap(const Curve& curve, Power planned_draw) {
  const CapMap& caps = curve.caps();
  if (planned_draw >= curve.uncapped_draw()) return {caps.largest_cap(), curve.uncapped_draw()};
  Power cap = Power::from_watts(std::floor(caps.cap_for(planned_draw).watts() + kWholeWatt));
  const Power rounding = curve.uncapped_draw() * kRounding;
  if (caps.draw_at(cap) > planned_draw + rounding) cap -= Power::from_watts(1);
  cap = std::max(cap, caps.lowest_cap());
  return {cap, std::min(std::max(planned_draw, caps.lowest_draw()), caps.draw_at(cap))};
}

double sure_share(const Curve& curve, Power cap) {
  return curve.caps().throughput_at(cap) / curve.uncapped_throughput();
}

Power draw_that_keeps(const Curve& curve, double share) {
  const CapMap& caps = curve.caps();
  const Power exact = caps.cap_that_gives(share * (1 - kRounding) * curve.uncapped_throughput());
  if (exact <= caps.lowest_cap()) return curve.least_capped_draw();
  const Power whole = Power::from_watts(std::ceil(exact.watts() - kWholeWatt));
  if (whole >= caps.largest_cap()) return curve.uncapped_draw();
  return std::min(caps.draw_at(whole), curve.uncapped_draw());
}

}  // namespace wattflex::allocate
