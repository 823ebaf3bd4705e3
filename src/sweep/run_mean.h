// Draw and throughput of a run as one number each, with a standard error.
//
//   top_tenth   mean of the largest 10 % of the samples of training: per GPU for the draw, then summed over
//               GPUs (arXiv:2609.11542; checkpoints and evaluations do not count). Reads high by 1.75
//               standard deviations of a sample, which cancels in an index only as far as the relative noise
//               is the same at all caps.
//   whole_phase plain mean over training: unbiased, but evaluations and checkpoints count.
// Telemetry is the plain mean over training in both.
//
// Standard error of the top tenth: with q the 90 % quantile, each sample contributes (x - q)+ / 0.1 to the
// mean; their scatter over sqrt(n) is the error (expected shortfall; Chen, J. Financial Econometrics 6,
// 2008). Contributions of a job's GPUs are added per sample first, so their correlation counts. Samples are
// taken for independent in time.
#pragma once

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "model/run_samples.h"
#include "sweep/phases.h"

namespace wattflex::sweep {

enum class Averaging { top_tenth, whole_phase };

struct RunMean {
  Power power;  // whole job
  Power power_stderr;
  double throughput = 0;
  double throughput_stderr = 0;
  std::vector<double> telemetry;  // parallel to RunSamples::telemetry_columns
  std::size_t n_samples = 0;
};

// No value (ErrorKind::no_data) when the trainer reported too few rates.
Result<RunMean> mean_of_training(const RunSamples& run, const Phases& phases, Averaging averaging);

}  // namespace wattflex::sweep
