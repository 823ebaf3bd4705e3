// The power wave of a two-part step: hot and cool part alternate once a step, 0.2-3 Hz. Gives the mean draw
// over a sampling window, which depends on where in the step the window begins. A step of one part has none:
// what it varies by lies in the sample noise.
#pragma once

#include "base/quantity.h"
#include "twin/job_physics.h"

namespace wattflex::twin {

class StepWave {
 public:
  // `phase` 0..1: where in its step the job is at time 0.
  StepWave(const OperatingPoint& point, Seconds step_time, double phase);

  // Per GPU, over `from`..`to`, from < to.
  Power mean(Seconds from, Seconds to) const;

 private:
  // Time spent in the hot part since time 0, in steps.
  double hot_steps(Seconds time) const;

  Power hot_;
  Power cool_;
  double hot_share_;
  Seconds step_time_;
  double phase_;
};

}  // namespace wattflex::twin
