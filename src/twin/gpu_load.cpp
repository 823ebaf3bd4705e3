#include "twin/gpu_load.h"

#include <algorithm>

#include "twin/assumptions.h"
#include "twin/chip.h"
#include "twin/telemetry.h"

namespace wattflex::twin {
namespace {

constexpr double kFittedPeakTflops = 989.5;

StepDraw flat(Power draw) {
  return {draw.watts(), draw.watts(), draw.watts(), 1, 1, 1};
}

}  // namespace

BoardJob::BoardJob(const BoardProfile& board, const SimulatedJob& job, RunFactors factors)
    : board_(board),
      job_(job),
      physics_(scaled(job.physics, factors.power)),
      watts_scale_(kUncappedLimit / board.largest_limit) {
  // From the job's own physics, so that a run's factor on its power changes its pace under a cap only.
  const double uncapped = operate(job.physics, kUncappedLimit).pace;
  const double peak = board.peak_tflops / kFittedPeakTflops;
  step_at_pace_ = assume_work(job).step_time.count() * uncapped / (peak * factors.pace);
}

GpuLoad BoardJob::under(Power limit) const {
  const OperatingPoint point = operate(physics_, limit * watts_scale_);
  const Telemetry telemetry = telemetry_at(job_, point);
  const PartPoint& hot = point.parts.front();
  const PartPoint& cool = point.parts.back();
  GpuLoad load;
  load.step_time = Seconds(step_at_pace_ / point.pace);
  const double hot_share = point.parts.size() == 1 ? 1 : hot.time * point.pace;
  load.draw = {hot.power.watts() / watts_scale_,
               cool.power.watts() / watts_scale_,
               0,
               hot_share,
               1,
               load.step_time.count()};
  // Polling for the others: the SMs spin as when stalled, the memory rests.
  const Power spinning =
      physics_.memory_floor + sm_power(point.clock, physics_.parts.front().activity * physics_.stalled);
  load.wait_w = std::min(spinning.watts() / watts_scale_, std::min(load.draw.hot_w, load.draw.cool_w));
  std::copy_n(telemetry.begin(), kCounters - 1, load.activity.counters.begin());
  load.activity.counters[static_cast<std::size_t>(Counter::gpu_busy)] = 1;
  load.activity.clock_mhz = point.clock / kMaxClock * board_.largest_clock_mhz;
  load.activity.bound = point.effect == CapEffect::slack ? 0 : 1;
  return load;
}

Seconds BoardJob::uncapped_step_time() const {
  return under(board_.largest_limit).step_time;
}

double BoardJob::tokens_per_step(int gpus) const {
  const WorkAssumption work = assume_work(job_);
  return work.tokens_per_s * work.step_time.count() * gpus / job_.gpus;
}

StepDraw paced(const GpuLoad& load, Seconds job_step) {
  const double own = std::min(1.0, load.step_time / job_step);
  StepDraw draw = load.draw;
  draw.wait_w = load.wait_w;
  draw.hot_until *= own;
  draw.cool_until = own;
  draw.step_s = job_step.count();
  return draw;
}

Activity paced_activity(const GpuLoad& load, Seconds job_step) {
  const double own = std::min(1.0, load.step_time / job_step);
  Activity activity = load.activity;
  // Who waits runs a kernel that polls: busy, but no more than that.
  for (std::size_t i = 0; i + 1 < kCounters; ++i) activity.counters[i] *= own;
  return activity;
}

StepDraw pause_draw(const BoardProfile& board, const GpuLoad& load, double work) {
  return flat(board.idle + (mean_draw(load.draw) - board.idle) * work);
}

StepDraw idle_draw(const BoardProfile& board) {
  return flat(board.idle);
}

Activity idle_activity(const BoardProfile& board) {
  Activity activity;
  activity.clock_mhz = board.idle_clock_mhz;
  return activity;
}

}  // namespace wattflex::twin
