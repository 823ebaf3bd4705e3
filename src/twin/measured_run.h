// One simulated training run as its monitors would have seen it: 30 minutes of 5 s samples with warmup,
// startup, training, an evaluation at 10 min and a checkpoint at 20 min. The 5 s means are drawn directly
// from the steady operating point, not stepped through; dynamics are not modelled here. Which samples count
// is not decided here either (src/sweep).
//
// Noise, all relative, every constant an assumption beside the published spreads it must add up to
// (arXiv:2609.11542: repeats 0.4 % power and 0.5 % throughput, error of a run's mean 0.04 / 0.05 %):
//   repeat    one factor a run on draw and one on throughput, standard deviations 0.4 and 0.5 %. Of their
//             variance 9 % is the run's own; the rest (nodes, room, software) is common to the runs of one
//             sweep, which follow each other on the same nodes, and so cancels in every ratio.
//   gain      2 % per GPU sensor, constant over a sweep; a factor of the reading, not of the draw.
//   sample    draw: 0.62 % common to a job's GPUs (a 1 s average read every 5 s misses most of a step wave),
//             0.40 % per GPU, and 0.25 % from the workload, which a binding cap takes away;
//             throughput 0.9 %; counters 1 %.
//   wave      two-part steps: the share of hot part in a 5 s window, from its phase.
#pragma once

#include <cstdint>
#include <vector>

#include "model/run_samples.h"
#include "twin/assumptions.h"
#include "twin/cohort.h"
#include "twin/telemetry.h"

namespace wattflex::twin {

enum class Noise {
  none,              // phases and events, but every sample at its expected value
  within_run,        // sample noise, gains and wave; runs repeat exactly
  run_to_run,        // all of the above; what the cohort is measured with
  independent_runs,  // as run_to_run, but nothing of a repeat's deviation is common to a sweep
};

inline constexpr double kRepeatPowerCv = 0.004;
inline constexpr double kRepeatThroughputCv = 0.005;
// Standard deviation of a run's own deviation, as a share of the repeat's.
inline constexpr double kOwnShareOfRepeat = 0.3;

// The share of a repeat's deviation that differs between the runs of a sweep; what a standard error of one
// point within its sweep must hold besides the run's own scatter.
double own_share_of_repeat(Noise noise);

// The runs of one sweep group on one set of nodes: sensor gains and the common deviation are drawn once. The
// same seed gives the same samples, in whatever order the runs are asked for. `job` outlives the session.
class SweepSession {
 public:
  SweepSession(const SimulatedJob& job, Noise noise, std::uint64_t seed);

  RunSamples run(Power cap) const;

 private:
  const SimulatedJob& job_;
  WorkAssumption work_;
  double uncapped_pace_;
  Noise noise_;
  std::uint64_t seed_;
  std::vector<double> sensor_gain_;  // by GPU
  double common_power_ = 1;
  double common_throughput_ = 1;
};

}  // namespace wattflex::twin
