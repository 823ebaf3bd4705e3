// Reads one GPU through NVML's functions, each reading behind its gate. Where a driver is too old for a
// function an earlier version of it is used, and `notes` says so. Not thread-safe: one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/gpu_backend.h"
#include "device/nvml/activity.h"
#include "device/nvml/functions.h"
#include "device/nvml/power_fields.h"

namespace wattflex::nvml {

class GpuReader {
 public:
  // `functions` outlives the reader. `driver`: its version, "550.54.15".
  GpuReader(const Functions& functions, Device device, GpuIdentity identity, std::string driver)
      : functions_(functions), device_(device), identity_(std::move(identity)), driver_(std::move(driver)) {}

  const GpuIdentity& identity() const { return identity_; }
  Device handle() const { return device_; }
  void take_handle(Device device) { device_ = device; }

  device::GpuDescription describe();
  // Fails when the GPU answers nothing at all.
  device::DeviceResult<GpuSample> sample(device::Depth depth, Time now);
  PowerLimits limits();
  device::DeviceResult<std::vector<GpuProcess>> processes();
  // Whether the device behind the handle is still this one.
  device::DeviceResult<void> verify() const;
  device::DeviceResult<void> write_limit(Power limit);

 private:
  void learn();
  void read_draws(GpuSample& sample);
  void read_clocks_and_use(GpuSample& sample);
  std::optional<Power> most_of(PowerScope scope) const;

  const Functions& functions_;
  Device device_;
  GpuIdentity identity_;
  std::string driver_;
  bool learned_ = false;
  DrawKind plain_draw_ = DrawKind::instant;
  Reading<Power> most_;
  FieldReader fields_;
  ActivityReader activity_;
  bool module_scope_ = false;
};

// The plain power call averages over a second on what came after GA100, compute capability 8.0 (TEL-01).
DrawKind plain_draw_of(int major, int minor);
// Drivers 535 up to 535.98 have a longer structure behind the _v3 calls that list processes.
bool lists_long_processes(const std::string& driver);

}  // namespace wattflex::nvml
