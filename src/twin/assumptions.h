// ASSUMED work of every simulated job: tokens per second, step time and largest draw. The paper publishes
// none of them; raw token counts of simulated jobs rest on this file alone and must be printed with it.
//
//   tokens/s = utilisation * 989.5 TFLOP/s * GPUs / (6 * active parameters)
//   step time = tokens per step and GPU * GPUs / (tokens/s)
//   P_max = draw at the uncapped clock (job_physics.h)
// Active parameters: the models' published sizes. 989.5 TFLOP/s: dense BF16 peak of H100 and H200 SXM. Model
// FLOPs utilisation: 0.44 dense pretraining, 0.38 dense fine-tuning, 0.16 MoE pretraining, 0.08 MoE
// fine-tuning; 0.8 of that without compilation; 0.92 of it above one node. Batch: 8 sequences of 4096 tokens
// a node unless the group's name says otherwise.
#pragma once

#include "base/quantity.h"
#include "twin/cohort.h"

namespace wattflex::twin {

struct WorkAssumption {
  double active_parameters_b = 0;  // billions
  double utilization = 0;          // of peak FLOP/s, 0..1
  double tokens_per_s = 0;         // whole job, uncapped
  Seconds step_time{};             // uncapped
  Power max_power;                 // whole job, uncapped
};

WorkAssumption assume_work(const SimulatedJob& job);

}  // namespace wattflex::twin
