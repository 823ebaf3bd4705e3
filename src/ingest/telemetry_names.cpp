#include "ingest/telemetry_names.h"

#include <algorithm>

namespace wattflex {
namespace {

constexpr TelemetryName kNames[] = {
    {"dram_active", "ratio", 0, 1, "share of cycles the memory interface moves data"},
    {"mem_copy_util", "ratio", 0, 1, "share of time memory was read or written"},
    {"gpu_util", "ratio", 0, 1, "share of time a kernel was running"},
    {"sm_active", "ratio", 0, 1, "share of cycles an SM has a warp, mean over SMs"},
    {"sm_occupancy", "ratio", 0, 1, "resident warps of the possible ones"},
    {"gr_engine_active", "ratio", 0, 1, "share of time the compute engine is busy"},
    {"tensor_active", "ratio", 0, 1, "share of cycles the tensor pipe is busy"},
    {"fp16_active", "ratio", 0, 1, "share of cycles the FP16 pipe is busy"},
    {"fp32_active", "ratio", 0, 1, "share of cycles the FP32 pipe is busy"},
    {"fp64_active", "ratio", 0, 1, "share of cycles the FP64 pipe is busy"},
    {"nvlink_util", "ratio", 0, 1, "NVLink traffic of the link's capacity"},
    {"pcie_util", "ratio", 0, 1, "PCIe traffic of the link's capacity"},
    {"sm_clock_mhz", "MHz", 0, 5000, "mean SM clock"},
    {"mem_clock_mhz", "MHz", 0, 20000, "mean memory clock"},
    {"gpu_power_w", "W", 0, 10000, "mean draw per GPU as its sensor gives it"},
    {"temperature_c", "C", -50, 150, "GPU temperature"},
    {"memory_temperature_c", "C", -50, 150, "memory temperature"},
    {"mfu", "ratio", 0, 1, "model FLOPS utilisation as the trainer reports it"},
};

}  // namespace

std::span<const TelemetryName> telemetry_names() {
  return kNames;
}

const TelemetryName* find_telemetry_name(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name, &TelemetryName::name);
  return found == std::end(kNames) ? nullptr : found;
}

}  // namespace wattflex
