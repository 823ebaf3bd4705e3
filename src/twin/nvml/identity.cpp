// Which GPUs there are and what they are called.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "base/random.h"
#include "twin/nvml/exports.h"

namespace wattflex::nvml {
namespace {

using twin::library::GpuView;

constexpr std::uint64_t kIdentityStream = 0x756e697175650000;  // "unique"
constexpr std::size_t kGpusPerDomain = 8;
// Of an eight-GPU board.
constexpr std::array<std::uint32_t, kGpusPerDomain> kBuses{0x18, 0x2a, 0x3a, 0x5d, 0x9a, 0xab, 0xba, 0xdb};

std::string uuid_of(std::uint64_t seed, std::size_t index) {
  RandomStream random(seed, kIdentityStream + index);
  const std::uint64_t high = random();
  const std::uint64_t low = random();
  return fmt::format("GPU-{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32U, (high >> 16U) & 0xffffU,
                     high & 0xffffU, low >> 48U, low & 0xffffffffffffU);
}

std::string bus_id_of(std::size_t index, int domain_digits) {
  return fmt::format("{:0{}x}:{:02x}:00.0", index / kGpusPerDomain, domain_digits,
                     kBuses[index % kGpusPerDomain]);
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'f' ? c - 'a' + 'A' : c);
  return text;
}

PciInfo pci_of(const GpuView& gpu) {
  PciInfo info{};
  const std::string legacy = upper_case(bus_id_of(gpu.index, 4));
  const std::string bus_id = upper_case(bus_id_of(gpu.index, 8));
  legacy.copy(info.bus_id_legacy, sizeof info.bus_id_legacy - 1);
  bus_id.copy(info.bus_id, sizeof info.bus_id - 1);
  info.domain = static_cast<std::uint32_t>(gpu.index / kGpusPerDomain);
  info.bus = kBuses[gpu.index % kGpusPerDomain];
  info.pci_device_id = gpu.board().pci_device_id;
  info.pci_subsystem_id = 0x000010DE;
  return info;
}

// The first GPU of which `is_it` holds.
template <class IsIt>
Status find(Device* device, IsIt is_it) {
  if (device == nullptr) return Status::invalid_argument;
  const auto machine = session().machine();
  if (machine == nullptr) return Status::uninitialized;
  for (std::size_t i = 0; i < machine->gpus(); ++i) {
    if (!is_it(machine->state().header.seed, i)) continue;
    *device = session().handle(i);
    return Status::success;
  }
  return Status::not_found;
}

template <class Text>
Status text_of(Device device, char* buffer, std::uint32_t size, Text text) {
  if (buffer == nullptr) return Status::invalid_argument;
  return session().with_gpu(device, [&](const GpuView& gpu) { return put_text(text(gpu), buffer, size); });
}

}  // namespace

extern "C" {

Status nvmlDeviceGetCount_v2(std::uint32_t* count) {
  if (count == nullptr) return Status::invalid_argument;
  *count = static_cast<std::uint32_t>(session().gpus());
  return session().check();
}

WATTFLEX_EXPORT Status nvmlDeviceGetCount(std::uint32_t* count) {
  return nvmlDeviceGetCount_v2(count);
}

Status nvmlDeviceGetHandleByIndex_v2(std::uint32_t index, Device* device) {
  if (device == nullptr) return Status::invalid_argument;
  if (const Status ready = session().check(); ready != Status::success) return ready;
  if (index >= session().gpus()) return Status::invalid_argument;
  const Device found = session().handle(index);
  // A lost GPU has no handle.
  const Status usable = session().with_gpu(found, [](const GpuView&) { return Status::success; });
  if (usable == Status::success) *device = found;
  return usable;
}

WATTFLEX_EXPORT Status nvmlDeviceGetHandleByIndex(std::uint32_t index, Device* device) {
  return nvmlDeviceGetHandleByIndex_v2(index, device);
}

Status nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
  if (uuid == nullptr) return Status::invalid_argument;
  return find(device, [&](std::uint64_t seed, std::size_t i) { return uuid_of(seed, i) == uuid; });
}

Status nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, Device* device) {
  if (bus_id == nullptr) return Status::invalid_argument;
  const std::string wanted = upper_case(bus_id);
  return find(device, [&](std::uint64_t, std::size_t i) {
    return wanted == upper_case(bus_id_of(i, 8)) || wanted == upper_case(bus_id_of(i, 4));
  });
}

WATTFLEX_EXPORT Status nvmlDeviceGetHandleByPciBusId(const char* bus_id, Device* device) {
  return nvmlDeviceGetHandleByPciBusId_v2(bus_id, device);
}

Status nvmlDeviceGetName(Device device, char* name, std::uint32_t size) {
  return text_of(device, name, size, [](const GpuView& gpu) { return std::string(gpu.board().name); });
}

Status nvmlDeviceGetUUID(Device device, char* uuid, std::uint32_t size) {
  return text_of(device, uuid, size,
                 [](const GpuView& gpu) { return uuid_of(gpu.change.header().seed, gpu.index); });
}

WATTFLEX_EXPORT Status nvmlDeviceGetSerial(Device device, char* serial, std::uint32_t size) {
  return text_of(device, serial, size, [](const GpuView& gpu) {
    RandomStream random(gpu.change.header().seed ^ kIdentityStream, gpu.index);
    return fmt::format("{:013}", random.below(1'000'000'000'000));
  });
}

Status nvmlDeviceGetIndex(Device device, std::uint32_t* index) {
  return answer(device, index, [](const GpuView& gpu, std::uint32_t& value) {
    value = static_cast<std::uint32_t>(gpu.index);
    return Status::success;
  });
}

Status nvmlDeviceGetMinorNumber(Device device, std::uint32_t* minor) {
  return nvmlDeviceGetIndex(device, minor);
}

Status nvmlDeviceGetArchitecture(Device device, Architecture* architecture) {
  return answer(device, architecture, [](const GpuView& gpu, Architecture& value) {
    value = gpu.board().architecture;
    return Status::success;
  });
}

WATTFLEX_EXPORT Status nvmlDeviceGetCudaComputeCapability(Device device, std::int32_t* major,
                                                          std::int32_t* minor) {
  if (minor == nullptr) return Status::invalid_argument;
  return answer(device, major, [&](const GpuView& gpu, std::int32_t& value) {
    value = static_cast<std::int32_t>(gpu.board().compute_major);
    *minor = static_cast<std::int32_t>(gpu.board().compute_minor);
    return Status::success;
  });
}

Status nvmlDeviceGetPciInfo_v3(Device device, PciInfo* info) {
  return answer(device, info, [](const GpuView& gpu, PciInfo& value) {
    value = pci_of(gpu);
    return Status::success;
  });
}

// Earlier versions leave the long bus id alone; what lies there may not be the caller's.
Status nvmlDeviceGetPciInfo_v2(Device device, PciInfo* info) {
  return answer(device, info, [](const GpuView& gpu, PciInfo& value) {
    const PciInfo all = pci_of(gpu);
    std::memcpy(&value, &all, offsetof(PciInfo, bus_id));
    return Status::success;
  });
}

WATTFLEX_EXPORT Status nvmlDeviceGetPciInfo(Device device, PciInfo* info) {
  return nvmlDeviceGetPciInfo_v2(device, info);
}

}  // extern "C"

}  // namespace wattflex::nvml
