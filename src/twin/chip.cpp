#include "twin/chip.h"

#include <algorithm>

namespace wattflex::twin {
namespace {

constexpr double kVoltageKneeMhz = 1180;
constexpr Power kLeakage = Power::from_watts(28.4);
constexpr double kWattsPerMegahertz = 0.1578;

}  // namespace

double voltage_ratio(Frequency clock) {
  const double above_knee = std::max(0.0, clock.megahertz() - kVoltageKneeMhz);
  return 1 + 7e-5 * above_knee + 3.4e-7 * above_knee * above_knee;
}

Frequency switching_frequency(Frequency clock) {
  const double ratio = voltage_ratio(clock);
  return clock * (ratio * ratio);
}

Power sm_power(Frequency clock, double activity) {
  return kLeakage + Power::from_watts(activity * kWattsPerMegahertz * switching_frequency(clock).megahertz());
}

Power enforced_draw(Power cap) {
  const double above = std::clamp((cap.watts() - 200) / 400, 0.0, 1.0);
  return cap * (0.995 - 0.010 * above);
}

Frequency reported_clock(Frequency clock) {
  return std::max(clock, kPulseSkippingClock);
}

}  // namespace wattflex::twin
