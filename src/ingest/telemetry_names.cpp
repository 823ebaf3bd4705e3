#include "ingest/telemetry_names.h"

#include <algorithm>
#include <cctype>

namespace wattflex {
namespace {

// DCGM names and ids from dcgm_fields.h of DCGM 4.6 (its alias table names the older ones), GPM metrics from
// nvml.h. A ratio above 1 or below 0 is a broken reading, not a busy chip.
constexpr TelemetryName kNames[] = {
    {"dram_active", "ratio", 0, 1, true, "DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_PROF_DRAM_UTIL_RATIO", 1005,
     "NVML_GPM_METRIC_DRAM_BW_UTIL", 0.01, "cycles in which the memory interface moves data"},
    {"mem_copy_util", "ratio", 0, 1, false, "DCGM_FI_DEV_MEM_COPY_UTIL", "", 204,
     "nvmlDeviceGetUtilizationRates: memory", 0.01, "time in which memory was read or written"},
    {"tensor_active", "ratio", 0, 1, true, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
     "DCGM_FI_PROF_TENSOR_UTIL_RATIO", 1004, "NVML_GPM_METRIC_ANY_TENSOR_UTIL", 0.01,
     "cycles in which any tensor pipe is busy"},
    {"sm_active", "ratio", 0, 1, true, "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_SM_UTIL_RATIO", 1002,
     "NVML_GPM_METRIC_SM_UTIL", 0.01, "cycles in which an SM has a warp, mean over SMs"},
    {"sm_occupancy", "ratio", 0, 1, true, "DCGM_FI_PROF_SM_OCCUPANCY", "DCGM_FI_PROF_SM_OCCUPANCY_RATIO",
     1003, "NVML_GPM_METRIC_SM_OCCUPANCY", 0.01, "resident warps of the possible ones"},
    {"gr_engine_active", "ratio", 0, 1, true, "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
     "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", 1001, "NVML_GPM_METRIC_GRAPHICS_UTIL", 0.01,
     "time in which the compute engine is busy"},
    {"fp64_active", "ratio", 0, 1, true, "DCGM_FI_PROF_PIPE_FP64_ACTIVE", "DCGM_FI_PROF_FP64_UTIL_RATIO",
     1006, "NVML_GPM_METRIC_FP64_UTIL", 0.01, "cycles in which the FP64 pipe is busy"},
    {"fp32_active", "ratio", 0, 1, true, "DCGM_FI_PROF_PIPE_FP32_ACTIVE", "DCGM_FI_PROF_FP32_UTIL_RATIO",
     1007, "NVML_GPM_METRIC_FP32_UTIL", 0.01, "cycles in which the FP32 pipe is busy"},
    {"fp16_active", "ratio", 0, 1, true, "DCGM_FI_PROF_PIPE_FP16_ACTIVE", "DCGM_FI_PROF_FP16_UTIL_RATIO",
     1008, "NVML_GPM_METRIC_FP16_UTIL", 0.01, "cycles in which the FP16 pipe is busy"},
    {"int_active", "ratio", 0, 1, true, "DCGM_FI_PROF_PIPE_INT_ACTIVE", "DCGM_FI_PROF_INT_UTIL_RATIO", 1016,
     "NVML_GPM_METRIC_INTEGER_UTIL", 0.01, "cycles in which the integer pipe is busy"},
    {"gpu_util", "ratio", 0, 1, false, "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_GPU_UTIL_RATIO", 203,
     "nvmlDeviceGetUtilizationRates: gpu", 0.01, "time in which any kernel ran"},
    {"nvlink_util", "ratio", 0, 1, false, "", "", 0, "", 1,
     "NVLink bytes sent and received of the links' capacity"},
    {"nvlink_tx_bytes_per_s", "B/s", 0, 1e13, true, "DCGM_FI_PROF_NVLINK_TX_BYTES", "", 1011,
     "NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC", 1048576, "NVLink bytes sent per GPU"},
    {"nvlink_rx_bytes_per_s", "B/s", 0, 1e13, true, "DCGM_FI_PROF_NVLINK_RX_BYTES", "", 1012,
     "NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC", 1048576, "NVLink bytes received per GPU"},
    {"pcie_tx_bytes_per_s", "B/s", 0, 1e12, true, "DCGM_FI_PROF_PCIE_TX_BYTES", "", 1009,
     "NVML_GPM_METRIC_PCIE_TX_PER_SEC", 1048576, "PCIe bytes sent per GPU"},
    {"pcie_rx_bytes_per_s", "B/s", 0, 1e12, true, "DCGM_FI_PROF_PCIE_RX_BYTES", "", 1010,
     "NVML_GPM_METRIC_PCIE_RX_PER_SEC", 1048576, "PCIe bytes received per GPU"},
    {"sm_clock_mhz", "MHz", 0, 5000, false, "DCGM_FI_DEV_SM_CLOCK", "", 100,
     "nvmlDeviceGetClockInfo(NVML_CLOCK_SM)", 1, "SM clock"},
    {"mem_clock_mhz", "MHz", 0, 20000, false, "DCGM_FI_DEV_MEM_CLOCK", "", 101,
     "nvmlDeviceGetClockInfo(NVML_CLOCK_MEM)", 1, "memory clock"},
    {"gpu_power_w", "W", 0, 10000, false, "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_BOARD_POWER_WATTS", 155,
     "nvmlDeviceGetPowerUsage", 0.001, "draw of one GPU as its sensor gives it"},
    {"gpu_temp_c", "C", -50, 150, false, "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_GPU_TEMP_CELSIUS", 150,
     "nvmlDeviceGetTemperature", 1, "GPU temperature"},
    {"mem_temp_c", "C", -50, 150, false, "DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS", 140,
     "NVML_FI_DEV_MEMORY_TEMP", 1, "memory temperature"},
    {"fb_used_mib", "MiB", 0, 1e7, false, "DCGM_FI_DEV_FB_USED", "", 252, "nvmlDeviceGetMemoryInfo: used",
     1.0 / 1048576, "framebuffer memory in use per GPU"},
    {"mfu", "ratio", 0, 1, false, "", "", 0, "", 1, "model FLOPS utilisation, from the trainer"},
};

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return !a.empty() && std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::span<const TelemetryName> telemetry_names() {
  return kNames;
}

const TelemetryName* find_telemetry_name(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name, &TelemetryName::name);
  return found == std::end(kNames) ? nullptr : found;
}

const TelemetryName* find_foreign_telemetry_name(std::string_view name) {
  const auto* const found = std::ranges::find_if(kNames, [&](const TelemetryName& ours) {
    return same_name(ours.dcgm, name) || same_name(ours.dcgm_4_6, name) || same_name(ours.nvml, name);
  });
  return found == std::end(kNames) ? nullptr : found;
}

}  // namespace wattflex
