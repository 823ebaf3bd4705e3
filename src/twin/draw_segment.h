// A stretch of a GPU's life without events: how it draws from one moment on, until the next segment begins.
// Everything about any moment is computed from here when somebody asks; nothing ticks. A plain value, as it
// also lies in memory that processes share.
//
//   draw(t) = wave(t) (1 + offset remaining(transition, t - changed))
// wave: hot, cool and waiting part of the job's step in turn. Waiting is for the slowest GPU of the job.
// Temperature follows the draw with 40 s lag: T' = (27 C + 0.065 K/W draw - T) / 40 s, solved for the mean
// draw of the stretch asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/quantity.h"
#include "twin/cap_transition.h"

namespace wattflex::twin {

// In the order of the first columns of telemetry.h, then the share of time with any kernel running.
enum class Counter : std::uint8_t { dram_active, mem_copy, tensor_active, sm_active, nvlink, gpu_busy };
inline constexpr std::size_t kCounters = 6;
using Counters = std::array<double, kCounters>;

// One step of a job as one GPU draws it. Shares of the step's time: hot from 0, cool from `hot_until`,
// waiting from `cool_until` to 1.
struct StepDraw {
  double hot_w = 0;
  double cool_w = 0;
  double wait_w = 0;
  double hot_until = 1;
  double cool_until = 1;
  double step_s = 1;
};

// What the counters show from here on.
struct Activity {
  Counters counters{};  // shares of time
  double clock_mhz = 0;
  double bound = 0;  // 1: the power limit holds the clocks down
};

struct DrawSegment {
  double start_s = 0;
  double phase = 0;  // 0..1: where in its step the GPU is at the start
  StepDraw step;
  Transition transition = Transition::none;
  double changed_s = 0;  // when the limit was written; may lie before the start
  double offset = 0;     // draw before that in relation to the draw after it, less 1
  Activity activity;
  // What has come together until the start.
  double energy_j = 0;
  double temperature_c = 0;
  Counters busy_s{};
};

Power draw_at(const DrawSegment& segment, Seconds time);
// From the segment's start to `time`.
Energy energy_until(const DrawSegment& segment, Seconds time);
double temperature_at(const DrawSegment& segment, Seconds time);
double phase_at(const DrawSegment& segment, Seconds time);
Power mean_draw(const StepDraw& step);
// A segment that begins at `time`, where `earlier` ends: sums, temperature and transition go on, the rest is
// as given.
DrawSegment continued(const DrawSegment& earlier, Seconds time, const StepDraw& step,
                      const Activity& activity);
// From here on the power limit is another one: draw goes over from `before`, as `transition` says.
void begin_transition(DrawSegment& segment, Transition transition, Power before);

}  // namespace wattflex::twin
