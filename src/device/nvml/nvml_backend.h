// GPUs behind NVIDIA's management library, from driver 450 on, or behind the twin's. Writes nothing but a
// requested power limit.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "device/gpu_backend.h"
#include "device/nvml/gpu_reader.h"
#include "device/nvml/library.h"

namespace wattflex::nvml {

class NvmlBackend : public device::GpuBackend {
 public:
  // GPUs on the PCI bus, or nothing where that can't be told.
  using CountPciGpus = std::function<std::optional<std::size_t>()>;

  // `named`: the library or a driver's root; empty: where drivers usually lie.
  static device::DeviceResult<std::shared_ptr<NvmlBackend>> open(const std::string& named);
  // On functions already at hand.
  static device::DeviceResult<std::shared_ptr<NvmlBackend>> open(Library library,
                                                                 CountPciGpus count_pci_gpus);
  ~NvmlBackend() override;
  NvmlBackend(const NvmlBackend&) = delete;
  NvmlBackend& operator=(const NvmlBackend&) = delete;

  device::DeviceResult<device::Inventory> inventory() override;
  device::DeviceResult<device::GpuDescription> describe(const GpuUuid& uuid) override;
  device::DeviceResult<GpuSample> sample(const GpuUuid& uuid, device::Depth depth) override;
  device::DeviceResult<PowerLimits> limits(const GpuUuid& uuid) override;
  device::DeviceResult<PowerLimits> set_limit(const GpuUuid& uuid, Power limit) override;
  device::DeviceResult<std::vector<GpuProcess>> processes(const GpuUuid& uuid) override;
  Clock& clock() override { return *clock_; }

 private:
  NvmlBackend(Library library, CountPciGpus count_pci_gpus);
  device::DeviceResult<GpuIdentity> identify(Device device) const;
  // The reader of this GPU, its handle found by UUID.
  device::DeviceResult<std::shared_ptr<GpuReader>> reader(const GpuUuid& uuid);
  void add_version_notes(device::Inventory& inventory) const;

  Library library_;
  CountPciGpus count_pci_gpus_;
  std::unique_ptr<Clock> clock_;
  std::string driver_;
  std::mutex mutex_;  // of the map; a reader is used by one thread at a time
  std::map<GpuUuid, std::shared_ptr<GpuReader>> readers_;
};

}  // namespace wattflex::nvml
