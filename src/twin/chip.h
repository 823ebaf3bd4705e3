// The power physics of one H100/H200 SXM GPU: voltage against clock, what a power cap really lets through,
// and the range of clocks. Steady state only; what a job does with the chip is job_physics.h.
//
//   d = max(0, f - 1180 MHz)         V/V0 = 1 + 7e-5 d + 3.4e-7 d^2        phi(f) = f (V/V0)^2
//   P_sm(f) = 28.4 W + activity * 0.1578 W/MHz * phi(f)
//   eta(cap) = 0.995 - 0.010 clamp((cap - 200 W) / 400 W, 0, 1)
//
// Fitted to the rails and clocks that arXiv:2604.11391 (figures 6b and 9b) prints for an H100 under caps of
// 200..700 W: 0.13 % rms. docs/math/chip-physics.md shows the fit.
#pragma once

#include "base/quantity.h"

namespace wattflex::twin {

inline constexpr Frequency kMaxClock = Frequency::from_megahertz(1980);
// Slowest clock the regulator goes down to; below kPulseSkippingClock the voltage is at its floor and pulses
// are skipped, so lower values are means over time.
inline constexpr Frequency kMinClock = Frequency::from_megahertz(120);
inline constexpr Frequency kPulseSkippingClock = Frequency::from_megahertz(345);
// A cap leaves the memory clock alone; this is why memory-bound jobs keep their throughput.
inline constexpr Frequency kMemoryClockH100 = Frequency::from_megahertz(2619);
inline constexpr Frequency kMemoryClockH200 = Frequency::from_megahertz(3201);
// Default and largest power limit.
inline constexpr Power kUncappedLimit = Power::from_watts(700);
inline constexpr Power kLowestLimit = Power::from_watts(200);

// V/V0, at least 1.
double voltage_ratio(Frequency clock);
// phi: the clock weighted by the square of its voltage.
Frequency switching_frequency(Frequency clock);
// SM rail; `activity` is 1 for a kernel that keeps the pipes as busy as the calibration job did.
Power sm_power(Frequency clock, double activity);
// Largest mean draw under a cap: eta(cap) cap.
Power enforced_draw(Power cap);
// What the clock counter shows: never below kPulseSkippingClock.
Frequency reported_clock(Frequency clock);

}  // namespace wattflex::twin
