// The processes on a GPU, by whichever version of the call this driver has.
#include <fmt/core.h>

#include <algorithm>

#include "device/nvml/gpu_reader.h"
#include "device/nvml/status.h"

namespace wattflex::nvml {
namespace {

using device::DeviceResult;

// More processes than this on one GPU are a driver's mistake.
constexpr std::uint32_t kMostProcesses = 65'536;
constexpr int kTries = 4;  // the list may grow between asking its length and reading it

struct Listed {
  Status status = Status::function_not_found;
  std::vector<ProcessInfoV1> processes;
};

template <class Info>
Listed list(Status (*function)(Device, std::uint32_t*, Info*), Device device) {
  Listed listed;
  if (function == nullptr) return listed;
  std::vector<Info> infos;
  for (int i = 0; i < kTries; ++i) {
    auto count = static_cast<std::uint32_t>(infos.size());
    listed.status = function(device, &count, infos.empty() ? nullptr : infos.data());
    if (listed.status == Status::success) {
      infos.resize(std::min<std::size_t>(count, infos.size()));
      for (const Info& info : infos) listed.processes.push_back({info.pid, info.used_memory});
      return listed;
    }
    if (listed.status != Status::insufficient_size || count > kMostProcesses) return listed;
    infos.resize(count + 8);
  }
  return listed;
}

std::string name_of(std::uint32_t pid, const Functions& functions) {
  char name[256] = {};
  if (functions.nvmlSystemGetProcessName == nullptr ||
      functions.nvmlSystemGetProcessName(pid, name, sizeof name) != Status::success) {
    return "";
  }
  name[sizeof name - 1] = '\0';
  return name;
}

}  // namespace

DeviceResult<std::vector<GpuProcess>> GpuReader::processes() {
  const bool longer = lists_long_processes(driver_);
  const auto newest = [&](auto* v3, auto* v2, auto* v1) {
    if (v3 != nullptr && !longer) return list(v3, device_);
    return v2 != nullptr ? list(v2, device_) : list(v1, device_);
  };
  const Listed compute = newest(functions_.nvmlDeviceGetComputeRunningProcesses_v3,
                                functions_.nvmlDeviceGetComputeRunningProcesses_v2,
                                functions_.nvmlDeviceGetComputeRunningProcesses);
  if (compute.status != Status::success)
    return std::unexpected(error_of(compute.status, identity_.uuid.text + ": listing processes", functions_));
  std::vector<GpuProcess> processes;
  for (const ProcessInfoV1& info : compute.processes) {
    GpuProcess process{.pid = static_cast<int>(info.pid), .name = name_of(info.pid, functions_)};
    process.memory_used = info.used_memory == kMemoryUnavailable
                              ? Reading<double>(Problem::not_supported)
                              : Reading<double>(static_cast<double>(info.used_memory));
    processes.push_back(std::move(process));
  }
  return processes;
}

}  // namespace wattflex::nvml
