// How far a measured power or throughput may be off: one standard error per point, from the table's own
// columns where it has them, else from what repeated runs of the paper showed. Not for sensor bias, which
// all points of a sweep share and which cancels in every ratio.
#pragma once

#include <span>
#include <string>

#include "model/sweep.h"

namespace wattflex::elasticity {

// Which published spread stands in for missing stderr columns (arXiv:2609.11542: 35 repeated runs).
enum class DefaultNoise {
  run_to_run,  // separate runs: 0.4 % power, 0.5 % throughput
  within_run,  // caps changed inside one run: 0.04 % power, 0.05 % throughput
};

// One standard error as a share of the value: `power` of power_w, `throughput` of throughput.
struct RelativeError {
  double power = 0;
  double throughput = 0;
};

RelativeError default_error(DefaultNoise noise);
RelativeError error_of(const SweepPoint& point, DefaultNoise fallback);

// "stderr columns", "run-to-run default", "within-run default", or "stderr columns, run-to-run default where
// empty".
std::string error_source(std::span<const SweepPoint> points, DefaultNoise fallback);

}  // namespace wattflex::elasticity
