// How a training job runs on the chip under a power cap: cap -> clock -> draw and throughput, in steady state
// and without noise. No dynamics, no sensors (measured_run.h), no published index anywhere.
//
// A step consists of one or two parts. With r = f / 1980 MHz, the time of a part, in units of its compute
// time at full clock, is
//   tau(f) = ((1/r)^p + w_m^p)^(1/p) + w_x      compute, memory (deaf to the cap), exposed rest
//   D_c = (1/r) / tau,   D_m = w_m / tau        duties of compute and memory
//   P(f) = 28.4 W + P_m0 + P_md D_m + a 0.1578 W/MHz phi(f) (D_c + s (1 - D_c))        per GPU
// A cap makes f the largest clock with P(f) <= eta(cap) cap, for each part by itself (the regulator acts in
// tens of milliseconds, a part lasts hundreds). A part with share h of the step at full clock takes
// h tau(f) / tau(1980 MHz); draw, duties and clock of a step are means weighted by these times.
//
// Source: the model is ours (docs/math/chip-physics.md), checked against arXiv:2604.11391 and
// arXiv:2603.16164. Its parameters are not unique.
#pragma once

#include <vector>

#include "base/quantity.h"

namespace wattflex::twin {

struct StepPart {
  double share = 1;     // h: of the step time at full clock; shares of a job add up to 1
  double activity = 1;  // a
  double memory = 0;    // w_m >= 0
};

struct JobPhysics {
  Power memory_floor;           // P_m0
  Power memory_swing;           // P_md
  double exposed = 0;           // w_x >= 0
  double overlap = 4;           // p >= 1: how well compute and memory hide each other
  double stalled = 0.4;         // s, 0..1: activity of a stalled SM relative to a busy one
  std::vector<StepPart> parts;  // never empty
};

// One part of a step at one clock.
struct PartPoint {
  Frequency clock;
  Power power;
  double time = 0;  // in units of the whole step at full clock
  double compute_duty = 0;
  double memory_duty = 0;
  double exposed_duty = 0;  // w_x / tau
};

enum class CapEffect {
  slack,  // the job draws less than the cap would let through
  binding,
  exceeded,  // even the slowest clock draws more than the cap lets through
};

// A step under a cap; means over the step's time, power per GPU.
struct OperatingPoint {
  Power power;
  Frequency clock;
  double pace = 1;  // steps per time, relative to a chip that holds full clock
  double compute_duty = 0;
  double memory_duty = 0;
  double exposed_duty = 0;
  double bound_share = 0;               // of the time, in parts that run into the cap
  CapEffect effect = CapEffect::slack;  // the strongest among the parts
  std::vector<PartPoint> parts;
};

// Time, draw and duties of one part at a given clock.
PartPoint part_at(const JobPhysics& job, const StepPart& part, Frequency clock);
OperatingPoint operate(const JobPhysics& job, Power cap);
// The same job with P_m0, P_md and a scaled together; moves its draw at a given clock by about that factor.
JobPhysics scaled(JobPhysics job, double factor);

}  // namespace wattflex::twin
