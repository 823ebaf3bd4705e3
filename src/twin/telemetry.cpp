#include "twin/telemetry.h"

#include <algorithm>

#include "twin/chip.h"

namespace wattflex::twin {

double steady_temperature_c(Power power) {
  constexpr double kInletCelsius = 27;
  constexpr double kKelvinPerWatt = 0.065;
  return kInletCelsius + kKelvinPerWatt * power.watts();
}

Telemetry telemetry_at(const SimulatedJob& job, const OperatingPoint& point) {
  constexpr double kSmsFreeDuringCollectives = 0.85;
  constexpr double kLinkLoadDuringCollectives = 0.8;
  const TelemetryFactors& factors = job.telemetry;
  Frequency clock;
  for (const PartPoint& part : point.parts) {
    clock += reported_clock(part.clock) * (part.time * point.pace);
  }
  const Frequency memory_clock = job.accelerator == "H100" ? kMemoryClockH100 : kMemoryClockH200;
  return {point.memory_duty * factors.bandwidth_fraction,
          std::min(1.0, point.memory_duty * factors.copy_factor),
          point.compute_duty * factors.tensor_efficiency,
          1 - kSmsFreeDuringCollectives * point.exposed_duty,
          kLinkLoadDuringCollectives * point.exposed_duty,
          clock.megahertz(),
          memory_clock.megahertz(),
          point.power.watts(),
          steady_temperature_c(point.power)};
}

}  // namespace wattflex::twin
