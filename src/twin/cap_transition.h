// How the draw of a GPU gets from one power limit to the next. `remaining` is the share of the change that is
// still to come, at a time since the limit was written:
//   lower   1 until 20 ms, falls in a line to -0.07 (the undershoot) at 50 ms, back to 0 exponentially
//   raise   1 until 100 ms, then exponentially to 0, 2 % of it left at 0.6 s
// Exactly 0 from kTransitionTime on. The pace of the job follows the clocks, which follow the draw:
// `pace_lag` is the delay of a sudden change of pace that loses or gains the same work.
// Times and undershoot: public figures on H100 (docs/math/gpu-dynamics.md).
#pragma once

#include <cstdint>

#include "base/quantity.h"

namespace wattflex::twin {

enum class Transition : std::uint8_t { none, lower, raise };

// How long the driver takes over one write of a limit.
inline constexpr Seconds kCapWriteTime{0.032};
inline constexpr Seconds kTransitionTime{1.2};
inline constexpr double kUndershoot = 0.07;

double remaining(Transition transition, Seconds since);
// Integral of `remaining` from 0 to `until`, until >= 0, in seconds.
double remaining_integral(Transition transition, Seconds until);
Seconds pace_lag(Transition transition);

}  // namespace wattflex::twin
