// What the phases of a job ask of its GPUs, in relation to steady training; the same shares as in
// measured_run.h. Assumptions.
#pragma once

#include <algorithm>

#include "twin/board.h"
#include "twin/draw_segment.h"
#include "twin/live_job.h"

namespace wattflex::twin {

struct JobLevel {
  double work = 1;    // of the draw above idle, and of the counters
  double busy = 1;    // share of time with a kernel running
  double memory = 1;  // of the working set
};

inline JobLevel level_of(JobPhase phase) {
  switch (phase) {
    case JobPhase::loading:
      return {0, 0, 0.01};
    case JobPhase::starting:
      return {0.05, 0, 0.6};
    case JobPhase::evaluation:
      return {0.92, 0.98, 1};
    case JobPhase::checkpoint:
      return {0.02, 0, 1};
    case JobPhase::finished:
      return {0, 0, 1};
    case JobPhase::training:
      break;
  }
  return {};
}

inline Activity pause_activity(const BoardProfile& board, const Activity& training, const JobLevel& level) {
  Activity activity = training;
  for (double& share : activity.counters) share *= level.work;
  activity.counters[static_cast<std::size_t>(Counter::gpu_busy)] = level.busy;
  if (level.work >= 0.5) return activity;
  activity.clock_mhz = board.largest_clock_mhz;  // a context keeps the clocks up
  activity.bound = 0;
  return activity;
}

// As trainers fill a board's memory.
inline double working_set_mib(const BoardProfile& board) {
  return 0.85 * (board.memory_mib - board.reserved_mib);
}

}  // namespace wattflex::twin
