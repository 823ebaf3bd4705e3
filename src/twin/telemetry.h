// What a GPU's counters show for a job at an operating point, from the same physics as its draw; a published
// index plays no part. Means over a step and over the job's GPUs, without noise.
//
//   dram_active   = D_m bandwidth_fraction            mem_copy_util = min(1, D_m copy_factor)
//   tensor_active = D_c tensor_efficiency             sm_active     = 1 - 0.85 D_x
//   nvlink_util   = 0.8 D_x                           temperature   = 27 C + 0.065 K/W P
// with the duties D of job_physics.h, D_x = w_x / tau. The exposed rest of a step is taken for collectives:
// they keep about 20 of 132 SMs, and the links at 80 %. Temperature: air-cooled module, 72 C at 700 W. The
// counter factors, the last three lines' constants included, are assumptions.
#pragma once

#include <array>
#include <string_view>

#include "twin/cohort.h"
#include "twin/job_physics.h"

namespace wattflex::twin {

inline constexpr std::array<std::string_view, 9> kTelemetryColumns{
    "dram_active",  "mem_copy_util", "tensor_active", "sm_active", "nvlink_util",
    "sm_clock_mhz", "mem_clock_mhz", "gpu_power_w",   "gpu_temp_c"};

using Telemetry = std::array<double, kTelemetryColumns.size()>;

// Of a GPU that has drawn `power` for minutes.
double steady_temperature_c(Power power);

Telemetry telemetry_at(const SimulatedJob& job, const OperatingPoint& point);

}  // namespace wattflex::twin
