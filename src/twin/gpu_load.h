// How one GPU of a board runs its share of a training job under a power limit, in steady state: length of a
// step, draw of its parts, counters. Scales the fitted chip to the board (board.h). Training only; what
// pauses draw is `pause_draw`.
#pragma once

#include "twin/board.h"
#include "twin/cohort.h"
#include "twin/draw_segment.h"

namespace wattflex::twin {

// Where one run of a job differs from its table: factors about 1.
struct RunFactors {
  double power = 1;
  double pace = 1;
};

struct GpuLoad {
  Seconds step_time{};  // of this GPU alone
  StepDraw draw;        // without waiting; step_s is step_time
  double wait_w = 0;    // while it waits for slower ones
  Activity activity;    // while it does not
};

// Runs a job on a board: the physics scaled once.
class BoardJob {
 public:
  BoardJob(const BoardProfile& board, const SimulatedJob& job, RunFactors factors);

  GpuLoad under(Power limit) const;
  // Without any cap.
  Seconds uncapped_step_time() const;
  // Tokens of the whole job in a step, on `gpus` GPUs.
  double tokens_per_step(int gpus) const;

 private:
  const BoardProfile& board_;
  const SimulatedJob& job_;
  JobPhysics physics_;
  double watts_scale_;   // board to fitted chip
  double step_at_pace_;  // seconds, times OperatingPoint::pace
};

// The step as a GPU draws it whose job takes `job_step`: the rest of the time it waits.
StepDraw paced(const GpuLoad& load, Seconds job_step);
Activity paced_activity(const GpuLoad& load, Seconds job_step);
// Flat, at a share `work` of what training draws above idle.
StepDraw pause_draw(const BoardProfile& board, const GpuLoad& load, double work);
StepDraw idle_draw(const BoardProfile& board);
Activity idle_activity(const BoardProfile& board);

}  // namespace wattflex::twin
