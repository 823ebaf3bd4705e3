#include "device/nvml/nvml_backend.h"

#include <fmt/core.h>

#include <cstring>
#include <utility>

#include "device/nvml/calls.h"
#include "device/nvml/twin_clock.h"
#include "device/pci_gpus.h"

namespace wattflex::nvml {
namespace {

using device::DeviceResult;
using device::failed;
using device::Inventory;

constexpr std::uint32_t kMostGpus = 4096;  // a count above this is a driver's mistake

template <std::size_t Size, class Function, class... Arguments>
std::optional<std::string> text_of(Function* function, Arguments... arguments) {
  if (function == nullptr) return std::nullopt;
  char text[Size] = {};
  if (function(arguments..., text, Size) != Status::success) return std::nullopt;
  text[Size - 1] = '\0';
  return text;
}

std::optional<int> number_of(const Reading<std::uint32_t>& reading) {
  return reading && *reading <= kMostGpus ? std::optional(static_cast<int>(*reading)) : std::nullopt;
}

}  // namespace

NvmlBackend::NvmlBackend(Library library, CountPciGpus count_pci_gpus)
    : library_(std::move(library)), count_pci_gpus_(std::move(count_pci_gpus)) {
  clock_ = library_.twin_time != nullptr
               ? std::unique_ptr<Clock>(std::make_unique<TwinClock>(library_.twin_time, library_.twin_speed))
               : std::make_unique<SystemClock>();
}

NvmlBackend::~NvmlBackend() {
  readers_.clear();  // they free what the library lent them
  if (library_.functions.nvmlShutdown != nullptr) library_.functions.nvmlShutdown();
}

DeviceResult<std::shared_ptr<NvmlBackend>> NvmlBackend::open(const std::string& named) {
  auto library = load_library(named);
  if (!library) return std::unexpected(library.error());
  const bool twin = library->twin;
  // The twin's GPUs are on no bus.
  return open(*std::move(library), twin ? CountPciGpus([] { return std::nullopt; })
                                        : CountPciGpus([] { return device::pci_gpus(); }));
}

DeviceResult<std::shared_ptr<NvmlBackend>> NvmlBackend::open(Library library, CountPciGpus count_pci_gpus) {
  const Status status = library.functions.nvmlInit_v2();
  if (status == Status::driver_not_loaded && library.twin) {
    return failed(Problem::no_driver, library.path + ": no twin runs behind this library",
                  "start one with 'wattflex twin start', or unset WATTFLEX_NVML and LD_LIBRARY_PATH");
  }
  if (status != Status::success)
    return std::unexpected(error_of(status, library.path + ": nvmlInit", library.functions));
  std::shared_ptr<NvmlBackend> backend(new NvmlBackend(std::move(library), std::move(count_pci_gpus)));
  backend->driver_ =
      text_of<kDriverVersionSize>(backend->library_.functions.nvmlSystemGetDriverVersion).value_or("");
  return backend;
}

DeviceResult<GpuIdentity> NvmlBackend::identify(Device device) const {
  const Functions& functions = library_.functions;
  char uuid[kUuidSize] = {};
  const Status status = functions.nvmlDeviceGetUUID == nullptr
                            ? Status::function_not_found
                            : functions.nvmlDeviceGetUUID(device, uuid, kUuidSize);
  if (status != Status::success) return std::unexpected(error_of(status, "reading a UUID", functions));
  uuid[kUuidSize - 1] = '\0';
  GpuIdentity identity{.uuid = {uuid}};
  identity.name = text_of<kNameSize>(functions.nvmlDeviceGetName, device).value_or("");
  identity.index = number_of(ask<std::uint32_t>(functions.nvmlDeviceGetIndex, device));
  identity.minor = number_of(ask<std::uint32_t>(functions.nvmlDeviceGetMinorNumber, device));
  if (auto pci = ask<PciInfo>(functions.nvmlDeviceGetPciInfo_v3, device)) {
    identity.pci_bus_id.assign(pci->bus_id, strnlen(pci->bus_id, kPciBusIdSize));
  } else if (auto legacy = ask<PciInfo>(functions.nvmlDeviceGetPciInfo_v2, device)) {
    identity.pci_bus_id.assign(legacy->bus_id_legacy, strnlen(legacy->bus_id_legacy, kPciBusIdLegacySize));
  }
  return identity;
}

void NvmlBackend::add_version_notes(Inventory& inventory) const {
  const Functions& functions = library_.functions;
  if (functions.nvmlDeviceGetFieldValues == nullptr)
    inventory.notes.emplace_back("this driver has no field queries: draws are those of the plain power call");
  if (functions.nvmlDeviceGetCurrentClocksEventReasons == nullptr)
    inventory.notes.emplace_back("throttle reasons by their older name (before driver 535)");
  if (functions.nvmlGpmMetricsGet == nullptr)
    inventory.notes.emplace_back("this driver has no activity counters (GPM, from 525 on)");
}

DeviceResult<Inventory> NvmlBackend::inventory() {
  const Functions& functions = library_.functions;
  Inventory inventory{.pedigree = library_.twin ? Pedigree::simulated : Pedigree::measured,
                      .driver_version = driver_,
                      .source = library_.path,
                      .pci_gpus = count_pci_gpus_()};
  std::uint32_t count = 0;
  const Status status = functions.nvmlDeviceGetCount_v2 == nullptr ? Status::function_not_found
                                                                   : functions.nvmlDeviceGetCount_v2(&count);
  if (status != Status::success)
    return std::unexpected(error_of(status, library_.path + ": counting GPUs", functions));
  if (count > kMostGpus) {
    return failed(Problem::impossible_value, fmt::format("{}: {} GPUs", library_.path, count),
                  "the driver is not in its right mind; see the kernel log");
  }
  for (std::uint32_t index = 0; index < count; ++index) {
    const auto device = ask<Device>(functions.nvmlDeviceGetHandleByIndex_v2, index);
    auto identity =
        device ? identify(*device) : DeviceResult<GpuIdentity>(failed(device.problem(), "no handle", ""));
    if (!identity) {
      inventory.holes.push_back({static_cast<int>(index), identity.error().problem});
      continue;
    }
    if (!identity->index) identity->index = static_cast<int>(index);
    const std::lock_guard lock(mutex_);
    auto& reader = readers_[identity->uuid];
    if (!reader) reader = std::make_shared<GpuReader>(functions, *device, *identity, driver_);
    inventory.gpus.push_back(*std::move(identity));
  }
  add_version_notes(inventory);
  return inventory;
}

DeviceResult<std::shared_ptr<GpuReader>> NvmlBackend::reader(const GpuUuid& uuid) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = readers_.find(uuid); found != readers_.end()) return found->second;
  }
  const auto device = ask<Device>(library_.functions.nvmlDeviceGetHandleByUUID, uuid.text.c_str());
  if (!device) {
    return failed(device.problem(), uuid.text + ": no such GPU here",
                  "'wattflex gpus' lists those that the driver shows");
  }
  auto identity = identify(*device);
  if (!identity) return std::unexpected(identity.error());
  if (identity->uuid != uuid) {
    return failed(Problem::wrong_gpu, fmt::format("{}: the driver gave {}", uuid.text, identity->uuid.text),
                  "'wattflex gpus' lists those that the driver shows");
  }
  const std::lock_guard lock(mutex_);
  auto& reader = readers_[uuid];
  if (!reader) reader = std::make_shared<GpuReader>(library_.functions, *device, *identity, driver_);
  return reader;
}

DeviceResult<device::GpuDescription> NvmlBackend::describe(const GpuUuid& uuid) {
  const auto found = reader(uuid);
  if (!found) return std::unexpected(found.error());
  return (*found)->describe();
}

DeviceResult<GpuSample> NvmlBackend::sample(const GpuUuid& uuid, device::Depth depth) {
  const auto found = reader(uuid);
  if (!found) return std::unexpected(found.error());
  return (*found)->sample(depth, clock_->now());
}

DeviceResult<PowerLimits> NvmlBackend::limits(const GpuUuid& uuid) {
  const auto found = reader(uuid);
  if (!found) return std::unexpected(found.error());
  return (*found)->limits();
}

DeviceResult<PowerLimits> NvmlBackend::set_limit(const GpuUuid& uuid, Power limit) {
  const auto found = reader(uuid);
  if (!found) return std::unexpected(found.error());
  GpuReader& gpu = **found;
  if (!gpu.verify()) {
    // Renumbered, perhaps: look it up anew, and believe only what then has the right name (SAFE-03).
    if (const auto device = ask<Device>(library_.functions.nvmlDeviceGetHandleByUUID, uuid.text.c_str()))
      gpu.take_handle(*device);
    if (const auto verified = gpu.verify(); !verified) return std::unexpected(verified.error());
  }
  const PowerLimits before = gpu.limits();
  if (!before.least || !before.most) {
    return failed(before.least ? before.most.problem() : before.least.problem(),
                  fmt::format("{}: its range of limits can't be read ({})", uuid.text,
                              to_string(before.least ? before.most.problem() : before.least.problem())),
                  "nothing was written; 'wattflex doctor' says what this GPU lets us read");
  }
  if (limit < *before.least || limit > *before.most) {
    return failed(Problem::out_of_range,
                  fmt::format("{}: {:g} W is outside its range, {:g} to {:g} W", uuid.text, limit.watts(),
                              before.least->watts(), before.most->watts()),
                  "nothing was written; ask for a limit within the range");
  }
  if (const auto written = gpu.write_limit(limit); !written) return std::unexpected(written.error());
  return gpu.limits();
}

DeviceResult<std::vector<GpuProcess>> NvmlBackend::processes(const GpuUuid& uuid) {
  const auto found = reader(uuid);
  if (!found) return std::unexpected(found.error());
  return (*found)->processes();
}

}  // namespace wattflex::nvml
