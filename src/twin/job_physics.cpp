#include "twin/job_physics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "twin/chip.h"

namespace wattflex::twin {
namespace {

double step_time(const JobPhysics& job, double memory, double slowdown) {
  const double overlapped =
      std::pow(std::pow(slowdown, job.overlap) + std::pow(memory, job.overlap), 1 / job.overlap);
  return overlapped + job.exposed;
}

// The largest clock at which the part draws no more than `limit`. P(f) rises with f: by bisection.
Frequency clock_within(const JobPhysics& job, const StepPart& part, Power limit) {
  Frequency low = kMinClock;
  Frequency high = kMaxClock;
  constexpr int kHalvings = 44;  // 1860 MHz / 2^44 is below 1e-9 MHz
  for (int i = 0; i < kHalvings; ++i) {
    const Frequency middle = (low + high) / 2;
    (part_at(job, part, middle).power <= limit ? low : high) = middle;
  }
  return low;
}

PartPoint part_within(const JobPhysics& job, const StepPart& part, Power limit) {
  const PartPoint full = part_at(job, part, kMaxClock);
  return full.power <= limit ? full : part_at(job, part, clock_within(job, part, limit));
}

}  // namespace

PartPoint part_at(const JobPhysics& job, const StepPart& part, Frequency clock) {
  const double slowdown = kMaxClock.megahertz() / clock.megahertz();
  const double time = step_time(job, part.memory, slowdown);
  PartPoint point;
  point.clock = clock;
  point.compute_duty = slowdown / time;
  point.memory_duty = part.memory / time;
  point.exposed_duty = job.exposed / time;
  point.time = part.share * time / step_time(job, part.memory, 1);
  const double busy = point.compute_duty + job.stalled * (1 - point.compute_duty);
  point.power =
      job.memory_floor + job.memory_swing * point.memory_duty + sm_power(clock, part.activity * busy);
  return point;
}

OperatingPoint operate(const JobPhysics& job, Power cap) {
  assert(!job.parts.empty());
  const Power limit = enforced_draw(cap);
  OperatingPoint step;
  double time = 0;
  for (const StepPart& part : job.parts) {
    const PartPoint point = part_within(job, part, limit);
    const bool exceeded = point.clock == kMinClock && point.power > limit;
    const bool bound = point.clock < kMaxClock;
    if (bound) step.effect = std::max(step.effect, exceeded ? CapEffect::exceeded : CapEffect::binding);
    time += point.time;
    step.bound_share += bound ? point.time : 0;
    step.power += point.power * point.time;
    step.clock += point.clock * point.time;
    step.compute_duty += point.compute_duty * point.time;
    step.memory_duty += point.memory_duty * point.time;
    step.exposed_duty += point.exposed_duty * point.time;
    step.parts.push_back(point);
  }
  step.pace = 1 / time;
  step.power = step.power / time;
  step.clock = step.clock / time;
  step.compute_duty /= time;
  step.memory_duty /= time;
  step.exposed_duty /= time;
  step.bound_share /= time;
  return step;
}

JobPhysics scaled(JobPhysics job, double factor) {
  job.memory_floor = job.memory_floor * factor;
  job.memory_swing = job.memory_swing * factor;
  for (StepPart& part : job.parts) part.activity *= factor;
  return job;
}

}  // namespace wattflex::twin
