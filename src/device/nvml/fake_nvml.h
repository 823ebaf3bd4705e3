// For tests only: an NVML library whose GPUs are plain values that a test changes while the library is
// loaded. It answers by the letter of abi.h and knows no physics: that is the twin's.
#pragma once

#include <dlfcn.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/nvml/functions.h"

namespace wattflex::nvml {

struct FakeGpu {
  std::string uuid;
  std::string name = "NVIDIA H200";
  std::string bus_id = "00000000:18:00.0";
  int compute_major = 9;
  int compute_minor = 0;
  std::uint32_t power = 402'000;  // mW: of the plain call and of both fields
  std::uint32_t average = 398'000;
  std::uint32_t module_power = 0;  // 0: no module scope
  std::uint64_t energy = 900'000'000;
  std::uint32_t requested = 700'000;
  std::uint32_t other_limit = 1'000'000;  // of some other limiter; the enforced limit is the smaller one
  std::uint32_t factory = 700'000;
  std::uint32_t least = 200'000;
  std::uint32_t most = 700'000;
  std::uint32_t sm_clock = 1'755;
  std::uint32_t memory_clock = 3'201;
  std::uint32_t utilization = 97;
  std::uint32_t memory_utilization = 41;
  std::uint64_t memory_used = 80'000'000'000;
  std::uint64_t memory_total = 150'000'000'000;
  std::int32_t temperature = 61;
  std::uint64_t reasons = reason::kSoftwarePowerCap;
  EnableState persistence = EnableState::enabled;
  std::uint32_t mig = kMigDisabled;
  std::vector<ProcessInfo> processes;
  bool gpm = true;
  double sm_active = 93;     // percent
  double dram_active = 40;   // percent
  double nvlink_tx = 1'000;  // MiB/s
  int writes = 0;
  std::map<std::string, Status> answers;  // by function, instead of success
};

struct FakeNvml {
  std::mutex mutex;
  std::string driver = "570.86.15";
  std::vector<FakeGpu> gpus;               // by index; a handle stays with its place
  std::map<std::string, Status> answers;   // by function, for all GPUs
  std::map<std::uint32_t, Status> holes;   // answers of handle-by-index
  std::map<std::uint32_t, Status> fields;  // of single fields
  std::map<std::string, int> calls;

  void reset() {
    const std::lock_guard lock(mutex);
    driver = "570.86.15";
    gpus.clear();
    answers.clear();
    holes.clear();
    fields.clear();
    calls.clear();
  }
  // GPU-a, GPU-b, ...
  void add_gpus(int count) {
    for (int i = 0; i < count; ++i) {
      FakeGpu gpu;
      gpu.uuid = std::string("GPU-") + static_cast<char>('a' + i);
      gpus.push_back(gpu);
    }
  }
};

inline constexpr const char* kFakeState = "wattflexFakeNvml";

// The state of the fake library at this path, loaded if it is not yet.
inline FakeNvml& fake_nvml(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  using State = FakeNvml*();
  return *reinterpret_cast<State*>(dlsym(library, kFakeState))();
}

}  // namespace wattflex::nvml
