// A GPU and what is read from it. Values only; reading them is src/device. A draw says whether it is an
// instant or a mean over the last second, and whether it is the GPU's or the whole module's (GPU, CPU and
// memory of a superchip): neither is ever mixed (TEL-01, TEL-02).
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/quantity.h"
#include "model/reading.h"
#include "model/sweep.h"

namespace wattflex {

// The one name of a GPU that survives renumbering, reboots and driver reloads: "GPU-5a1b...".
struct GpuUuid {
  std::string text;

  friend auto operator<=>(const GpuUuid&, const GpuUuid&) = default;
};

// Limits are whole milliwatts to a driver: equal limits are equal in these.
inline long long whole_milliwatts(Power power) {
  return std::llround(power.watts() * 1000);
}

enum class DrawKind { instant, average };  // average: over the last second
enum class PowerScope { gpu, module };

std::string_view to_string(DrawKind kind);
std::string_view to_string(PowerScope scope);

// What keeps the clocks down, bit by bit. The bits are NVML's; old and new names of a bit mean the same.
enum class Throttle : std::uint32_t {
  gpu_idle = 0x1,
  application_clocks = 0x2,
  sw_power_cap = 0x4,
  hw_slowdown = 0x8,
  sync_boost = 0x10,
  sw_thermal = 0x20,
  hw_thermal = 0x40,
  hw_power_brake = 0x80,
  display_clock = 0x100,
  board_limit = 0x200,
  reliability = 0x400,
};

class ThrottleReasons {
 public:
  ThrottleReasons() = default;
  explicit ThrottleReasons(std::uint64_t bits) : bits_(bits) {}
  bool has(Throttle reason) const { return (bits_ & static_cast<std::uint64_t>(reason)) != 0; }
  bool thermal() const;
  std::uint64_t bits() const { return bits_; }
  // "sw_power_cap+hw_thermal"; "none"; bits without a name as "bit12".
  std::string names() const;
  // The opposite; nothing where a name is unknown.
  static std::optional<ThrottleReasons> parse(std::string_view names);

  friend bool operator==(const ThrottleReasons&, const ThrottleReasons&) = default;

 private:
  std::uint64_t bits_ = 0;
};

struct GpuIdentity {
  GpuUuid uuid;
  std::string name;          // "NVIDIA H200"
  std::string pci_bus_id;    // "00000000:18:00.0"
  std::optional<int> index;  // the driver's number now; for people only
  std::optional<int> minor;  // of /dev/nvidiaN
};

// The limits of one GPU and what decides whether they last, read in one go (CAP-02). `enforced` is what
// holds.
struct PowerLimits {
  Reading<Power> requested;  // what was last asked for, by anyone
  Reading<Power> enforced;   // the least of all limiters, out-of-band ones included
  Reading<Power> factory;    // the board's default
  Reading<Power> least;      // of what it takes
  Reading<Power> most;
  Reading<bool> persistence;  // off: the driver forgets the limit when the last client leaves

  // Another limiter than the requested limit holds (CAP-04): a BMC, a module's own limit.
  bool limited_elsewhere() const { return requested && enforced && *enforced < *requested; }
  bool capped() const { return requested && factory && *requested < *factory; }
};

// A counter that only rises between resets; raw, as the driver gives it.
struct EnergyCount {
  std::uint64_t millijoules = 0;
  PowerScope scope = PowerScope::gpu;

  friend bool operator==(const EnergyCount&, const EnergyCount&) = default;
};

// Activity between this sample and the one before (GPM): shares 0..1, flows in bytes per second.
struct GpuActivity {
  Reading<double> sm_active;
  Reading<double> tensor_active;
  Reading<double> dram_active;
  Reading<double> nvlink_tx;
  Reading<double> nvlink_rx;
  Reading<double> pcie_tx;
  Reading<double> pcie_rx;
};

struct GpuSample {
  Time time;
  Reading<Power> draw_instant;
  Reading<Power> draw_average;
  Reading<Power> module_draw_instant;
  Reading<Power> module_draw_average;
  Reading<EnergyCount> energy;
  Reading<Power> requested;
  Reading<Power> enforced;
  Reading<Frequency> sm_clock;
  Reading<Frequency> memory_clock;
  Reading<double> gpu_util;       // 0..1
  Reading<double> mem_copy_util;  // 0..1
  Reading<double> memory_used;    // bytes
  Reading<double> temperature;    // C
  Reading<double> memory_temperature;
  Reading<ThrottleReasons> throttle;
  GpuActivity activity;
};

struct GpuProcess {
  int pid = 0;
  std::string name;             // empty: can't be told
  Reading<double> memory_used;  // bytes
};

}  // namespace wattflex
