// Which samples of a run belong to steady training, by what the GPUs show (arXiv:2609.11542):
//   warmup    framebuffer used < 10 GiB
//   startup   weights loaded, GPU utilisation still low
//   training  from the first of three samples in a row with GPU utilisation >= 50 % to the last such sample
// Evaluations and checkpoints inside training stay in it; the averaging deals with them (run_mean.h). Works
// on samples alone: whether hardware or the twin made them plays no part.
#pragma once

#include <cstddef>

#include "base/error.h"
#include "model/run_samples.h"

namespace wattflex::sweep {

struct PhaseRules {
  double loaded_gib = 10;
  double busy = 0.5;        // GPU utilisation
  int sustained = 3;        // samples
  int fewest_samples = 20;  // of training: two in the top tenth
};

// Indices into the samples; training is [training_begin, training_end).
struct Phases {
  std::size_t startup_begin = 0;
  std::size_t training_begin = 0;
  std::size_t training_end = 0;

  std::size_t training_samples() const { return training_end - training_begin; }
};

// No value (ErrorKind::no_data) when the run never trained, or for too few samples.
Result<Phases> detect_phases(const RunSamples& run, const PhaseRules& rules = {});

}  // namespace wattflex::sweep
