// Every number of the paper's Tables 3 and 6 to 13 and of its allocation study, with ours beside it. Four
// kinds, never mixed in one column:
//   published   as the paper prints it
//   recomputed  by our code from other published figures (the paper's own rounding included)
//   noise-free  simulated: the cohort through the measuring chain without noise
//   simulated   the same with noise: mean and standard deviation over seeds
// The cohort's physical parameters were searched so that the noise-free indices of Tables 6 to 9 come out:
// agreement there shows that the physics can produce the paper, not that the paper was measured again.
// Tables 3 and 10 to 13 and the allocation study were not searched for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace wattflex::study {

struct Spread {
  double mean = 0;
  double deviation = 0;  // over seeds
};

struct ReproducedNumber {
  std::string table;
  std::string subject;
  std::string quantity;
  std::optional<double> published;
  std::optional<double> recomputed;
  std::optional<double> noise_free;
  std::optional<Spread> simulated;
};

struct ReproductionOptions {
  std::uint64_t seed = 1;
  int seeds = 30;       // noisy cohorts, seed, seed + 1, ...
  int workloads = 500;  // of the allocation study
};

// In the paper's order. `progress` is called with 0..1. Deterministic for the options.
Result<std::vector<ReproducedNumber>> reproduce(const ReproductionOptions& options,
                                                const std::function<void(double)>& progress = {});

}  // namespace wattflex::study
