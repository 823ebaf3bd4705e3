#include "twin/step_wave.h"

#include <algorithm>
#include <cmath>

namespace wattflex::twin {

StepWave::StepWave(const OperatingPoint& point, Seconds step_time, double phase)
    : hot_(point.parts.front().power),
      cool_(point.parts.back().power),
      hot_share_(point.parts.front().time * point.pace),
      step_time_(step_time),
      phase_(phase) {}

double StepWave::hot_steps(Seconds time) const {
  const double steps = time / step_time_ + phase_;
  const double whole = std::floor(steps);
  return whole * hot_share_ + std::min(steps - whole, hot_share_);
}

Power StepWave::mean(Seconds from, Seconds to) const {
  const double hot = (hot_steps(to) - hot_steps(from)) / ((to - from) / step_time_);
  return cool_ + (hot_ - cool_) * hot;
}

}  // namespace wattflex::twin
