// The boards a twin can have: limits, clocks, memory and what their power sensors show. One table; nothing is
// computed here. A board runs the jobs of the cohort by scaling the H100's chip (chip.h): watts with the
// largest limit, clocks with the fastest clock, work with the peak rate. Only H100 and H200 are fitted.
//
// Sources: limits, clocks, memory, device ids and idle draw of H100 and L40S as nvidia-smi 590 and 595 print
// them, A100's from driver 535 and from GPU_Power_Benchmark's A100 traces (idle, 100 ms readings); sensor
// windows and periods of V100, A100 and H100: arXiv:2312.02741; which call averages: nvml.h on fields 185 and
// 186; the rest: NVIDIA's data sheets. ASSUMED where no source is at hand: sensors of B200 and L40S (as
// Hopper's), idle draw of H200, B200, V100 and L40S, memory reserved by the driver outside H100 and L40S.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/quantity.h"

namespace wattflex::twin {

// What nvmlDeviceGetPowerUsage shows.
enum class PowerReading : std::uint8_t { instant, average };

struct BoardProfile {
  std::string_view key;            // as on the command line
  std::string_view name;           // as the driver gives it
  std::uint32_t architecture = 0;  // NVML's number
  std::uint32_t compute_major = 0;
  std::uint32_t compute_minor = 0;
  std::uint32_t pci_device_id = 0;
  Power idle;
  Power lowest_limit;
  Power largest_limit;  // and default
  double largest_clock_mhz = 0;
  double idle_clock_mhz = 0;
  double memory_clock_mhz = 0;
  double memory_mib = 0;
  double reserved_mib = 0;
  double peak_tflops = 0;  // dense BF16; V100: FP16
  PowerReading plain_reading = PowerReading::average;
  bool has_average = true;   // field 185, beside the plain reading
  bool has_activity = true;  // GPM metrics
  Seconds instant_window{};
  Seconds period{};  // of all readings and the energy counter
};

// The mean of an averaged reading.
inline constexpr Seconds kAverageWindow{1};

std::span<const BoardProfile> board_profiles();
// Null for a key that is not there.
const BoardProfile* find_board(std::string_view key);

}  // namespace wattflex::twin
