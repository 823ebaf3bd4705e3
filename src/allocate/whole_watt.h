// The caps to set for planned draws. Drivers take whole watts and all GPUs of a synchronous job get the same
// cap, so a job's draw moves in steps of its GPU count; every cap is rounded down, which can never break a
// budget.
#pragma once

#include "allocate/curve.h"
#include "base/quantity.h"

namespace wattflex::allocate {

struct WholeWattCap {
  Power cap;  // per GPU, whole watts unless it is the lowest or largest measured one
  Power
      draw;  // the most the whole job may draw at that cap; not above the planned draw, if a cap can do that
};

// The cap for a planned draw. An uncut job keeps its largest cap, a job at its lowest point its lowest one.
WholeWattCap whole_watt_cap(const Curve& curve, Power planned_draw);

// The share of its uncapped throughput, 0..1, that a job is sure to keep at a cap.
double sure_share(const Curve& curve, Power cap);

// Least draw whose whole-watt cap is sure to keep this share, and every larger one too: where a promise's
// floor has to lie.
Power draw_that_keeps(const Curve& curve, double share);

}  // namespace wattflex::allocate
