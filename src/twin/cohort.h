// The simulated cohort: 25 headline and 4 held-out sweep groups on H200 and 6 on H100, with the physical
// parameters that let the twin stand for them.
//
// Which groups there are, their GPU counts and cap grids: arXiv:2609.11542, Tables 6, 7 and 8. The physical
// parameters are OURS, found by random search over a physical box so that the noise-free chain gives the
// published indices; hundreds of other sets do as well (two published numbers cannot fix seven). They are
// examples, not truths, and no published index is in here: telemetry follows from the physics alone.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/sweep.h"
#include "twin/job_physics.h"

namespace wattflex::twin {

enum class CohortSet { headline, validation, h100 };

// How busy units turn into what the counters show (telemetry.h).
struct TelemetryFactors {
  double bandwidth_fraction = 0;  // of peak DRAM bandwidth while the memory is at work
  double copy_factor = 0;         // share of memory time the copy counter notices
  double tensor_efficiency = 0;   // share of compute time with the tensor pipe busy
};

struct SimulatedJob {
  CohortSet set = CohortSet::headline;
  std::string_view accelerator;  // "H200", "H100"
  std::string_view group;
  Architecture architecture = Architecture::unknown;
  Task task = Task::unknown;
  std::string_view model;
  int gpus = 0;
  std::vector<Power> caps;  // measured, by falling cap; the first is the uncapped one
  JobPhysics physics;
  TelemetryFactors telemetry;
};

// All 35, headline first; the order is part of what a seed reproduces.
std::span<const SimulatedJob> simulated_jobs();

}  // namespace wattflex::twin
