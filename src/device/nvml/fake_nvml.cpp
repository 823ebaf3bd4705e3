// The functions of the fake library: each looks whether a test wants another answer, then gives the values.
#include "device/nvml/fake_nvml.h"

#include <algorithm>
#include <cstring>

using namespace wattflex::nvml;  // NOLINT: the whole file speaks NVML

namespace {

FakeNvml state;

// Handles are places in the list, one up.
FakeGpu* gpu_of(Device device) {
  const auto place = reinterpret_cast<std::uintptr_t>(device);
  return place == 0 || place > state.gpus.size() ? nullptr : &state.gpus[place - 1];
}

Device handle_of(std::size_t place) {
  return reinterpret_cast<Device>(place + 1);  // NOLINT(performance-no-int-to-ptr): opaque to everybody
}

Status answer_of(const char* function, const FakeGpu* gpu) {
  ++state.calls[function];
  if (const auto found = state.answers.find(function); found != state.answers.end()) return found->second;
  if (gpu != nullptr) {
    if (const auto found = gpu->answers.find(function); found != gpu->answers.end()) return found->second;
  }
  return Status::success;
}

Status say(const char* function) {
  const std::lock_guard lock(state.mutex);
  return answer_of(function, nullptr);
}

// Runs `give` on the GPU unless another answer is wanted.
template <class Give>
Status on(const char* function, Device device, Give give) {
  const std::lock_guard lock(state.mutex);
  FakeGpu* const gpu = gpu_of(device);
  if (gpu == nullptr) return Status::invalid_argument;
  const Status status = answer_of(function, gpu);
  if (status == Status::success) give(*gpu);
  return status;
}

Status put(const std::string& text, char* out, std::uint32_t size) {
  if (text.size() + 1 > size) return Status::insufficient_size;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return Status::success;
}

void fill(FieldValue& value, const FakeGpu& gpu) {
  value.type = ValueType::unsigned_int;
  value.status = Status::success;
  const bool module = value.scope == scope::kModule;
  if (const auto found = state.fields.find(value.field); found != state.fields.end()) {
    value.status = found->second;
  } else if (value.field == field::kPowerInstant || value.field == field::kPowerAverage) {
    if (module && gpu.module_power == 0) value.status = Status::not_supported;
    const std::uint32_t own = value.field == field::kPowerInstant ? gpu.power : gpu.average;
    value.value.unsigned_int = module ? gpu.module_power : own;
  } else if (value.field == field::kTotalEnergy) {
    value.type = ValueType::unsigned_long_long;
    value.value.unsigned_long_long = gpu.energy;
  } else {
    value.status = Status::not_supported;
  }
}

template <class Info>
Status list(const char* function, Device device, std::uint32_t* count, Info* infos) {
  const std::lock_guard lock(state.mutex);
  const FakeGpu* const gpu = gpu_of(device);
  if (gpu == nullptr) return Status::invalid_argument;
  const Status status = answer_of(function, gpu);
  if (status != Status::success) return status;
  const auto room = *count;
  *count = static_cast<std::uint32_t>(gpu->processes.size());
  if (room < *count) return Status::insufficient_size;
  for (std::uint32_t i = 0; i < *count; ++i) {
    infos[i].pid = gpu->processes[i].pid;
    infos[i].used_memory = gpu->processes[i].used_memory;
  }
  return Status::success;
}

}  // namespace

extern "C" {

FakeNvml* wattflexFakeNvml() {
  return &state;
}

Status nvmlInit_v2() {
  return say(__func__);
}
Status nvmlShutdown() {
  return say(__func__);
}
const char* nvmlErrorString(Status status) {
  return status == Status::no_permission ? "Insufficient Permissions" : "some error";
}
Status nvmlSystemGetDriverVersion(char* version, std::uint32_t size) {
  const Status status = say(__func__);
  return status == Status::success ? put(state.driver, version, size) : status;
}
Status nvmlSystemGetProcessName(std::uint32_t pid, char* name, std::uint32_t size) {
  return put("python" + std::to_string(pid), name, size);
}
Status nvmlDeviceGetCount_v2(std::uint32_t* count) {
  const Status status = say(__func__);
  *count = static_cast<std::uint32_t>(state.gpus.size());
  return status;
}
Status nvmlDeviceGetHandleByIndex_v2(std::uint32_t index, Device* device) {
  const std::lock_guard lock(state.mutex);
  const Status status = answer_of(__func__, nullptr);
  if (status != Status::success) return status;
  if (const auto found = state.holes.find(index); found != state.holes.end()) return found->second;
  if (index >= state.gpus.size()) return Status::invalid_argument;
  *device = handle_of(index);
  return Status::success;
}
Status nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
  const std::lock_guard lock(state.mutex);
  const auto found = std::ranges::find(state.gpus, uuid, &FakeGpu::uuid);
  if (found == state.gpus.end()) return Status::not_found;
  *device = handle_of(static_cast<std::size_t>(found - state.gpus.begin()));
  return Status::success;
}
Status nvmlDeviceGetName(Device device, char* name, std::uint32_t size) {
  return on(__func__, device, [&](const FakeGpu& gpu) { put(gpu.name, name, size); });
}
Status nvmlDeviceGetUUID(Device device, char* uuid, std::uint32_t size) {
  return on(__func__, device, [&](const FakeGpu& gpu) { put(gpu.uuid, uuid, size); });
}
Status nvmlDeviceGetIndex(Device device, std::uint32_t* index) {
  return on(__func__, device,
            [&](const FakeGpu& gpu) { *index = static_cast<std::uint32_t>(&gpu - state.gpus.data()); });
}
Status nvmlDeviceGetCudaComputeCapability(Device device, std::int32_t* major, std::int32_t* minor) {
  return on(__func__, device, [&](const FakeGpu& gpu) {
    *major = gpu.compute_major;
    *minor = gpu.compute_minor;
  });
}
Status nvmlDeviceGetPciInfo_v3(Device device, PciInfo* info) {
  return on(__func__, device, [&](const FakeGpu& gpu) { put(gpu.bus_id, info->bus_id, kPciBusIdSize); });
}
Status nvmlDeviceGetPowerUsage(Device device, std::uint32_t* power) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *power = gpu.power; });
}
Status nvmlDeviceGetFieldValues(Device device, std::int32_t count, FieldValue* values) {
  return on(__func__, device, [&](const FakeGpu& gpu) {
    for (int i = 0; i < count; ++i) fill(values[i], gpu);
  });
}
Status nvmlDeviceGetTotalEnergyConsumption(Device device, std::uint64_t* energy) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *energy = gpu.energy; });
}
Status nvmlDeviceGetPowerManagementLimit(Device device, std::uint32_t* limit) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *limit = gpu.requested; });
}
Status nvmlDeviceGetEnforcedPowerLimit(Device device, std::uint32_t* limit) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *limit = std::min(gpu.requested, gpu.other_limit); });
}
Status nvmlDeviceGetPowerManagementLimitConstraints(Device device, std::uint32_t* least,
                                                    std::uint32_t* most) {
  return on(__func__, device, [&](const FakeGpu& gpu) {
    *least = gpu.least;
    *most = gpu.most;
  });
}
Status nvmlDeviceGetPowerManagementDefaultLimit(Device device, std::uint32_t* limit) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *limit = gpu.factory; });
}
Status nvmlDeviceSetPowerManagementLimit(Device device, std::uint32_t limit) {
  return on(__func__, device, [&](FakeGpu& gpu) {
    gpu.requested = limit;
    ++gpu.writes;
  });
}
Status nvmlDeviceSetPowerManagementLimit_v2(Device device, PowerValue* value) {
  if (value->version != struct_version<PowerValue>(2) || value->scope != scope::kGpu)
    return Status::invalid_argument;
  return on(__func__, device, [&](FakeGpu& gpu) {
    gpu.requested = value->milliwatts;
    ++gpu.writes;
  });
}
Status nvmlDeviceGetClockInfo(Device device, ClockType type, std::uint32_t* clock) {
  return on(__func__, device, [&](const FakeGpu& gpu) {
    *clock = type == ClockType::memory ? gpu.memory_clock : gpu.sm_clock;
  });
}
Status nvmlDeviceGetMaxClockInfo(Device device, ClockType type, std::uint32_t* clock) {
  return on(__func__, device, [&](const FakeGpu&) { *clock = type == ClockType::memory ? 3'201 : 1'980; });
}
Status nvmlDeviceGetUtilizationRates(Device device, Utilization* use) {
  return on(__func__, device, [&](const FakeGpu& gpu) {
    use->gpu = gpu.utilization;
    use->memory = gpu.memory_utilization;
  });
}
Status nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  return on(__func__, device, [&](const FakeGpu& gpu) {
    *memory = {
        .total = gpu.memory_total, .free = gpu.memory_total - gpu.memory_used, .used = gpu.memory_used};
  });
}
Status nvmlDeviceGetTemperature(Device device, TemperatureSensor, std::uint32_t* celsius) {
  return on(__func__, device,
            [&](const FakeGpu& gpu) { *celsius = static_cast<std::uint32_t>(gpu.temperature); });
}
Status nvmlDeviceGetTemperatureV(Device device, Temperature* temperature) {
  if (temperature->version != struct_version<Temperature>(1)) return Status::argument_version_mismatch;
  return on(__func__, device, [&](const FakeGpu& gpu) { temperature->celsius = gpu.temperature; });
}
Status nvmlDeviceGetCurrentClocksEventReasons(Device device, std::uint64_t* reasons) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *reasons = gpu.reasons; });
}
Status nvmlDeviceGetCurrentClocksThrottleReasons(Device device, std::uint64_t* reasons) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *reasons = gpu.reasons; });
}
Status nvmlDeviceGetPersistenceMode(Device device, EnableState* mode) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *mode = gpu.persistence; });
}
Status nvmlDeviceGetMigMode(Device device, std::uint32_t* current, std::uint32_t* pending) {
  return on(__func__, device, [&](const FakeGpu& gpu) { *current = *pending = gpu.mig; });
}
Status nvmlDeviceGetComputeRunningProcesses(Device device, std::uint32_t* count, ProcessInfoV1* infos) {
  return list(__func__, device, count, infos);
}
Status nvmlDeviceGetComputeRunningProcesses_v2(Device device, std::uint32_t* count, ProcessInfo* infos) {
  return list(__func__, device, count, infos);
}
Status nvmlDeviceGetComputeRunningProcesses_v3(Device device, std::uint32_t* count, ProcessInfo* infos) {
  return list(__func__, device, count, infos);
}
Status nvmlGpmQueryDeviceSupport(Device device, GpmSupport* support) {
  return on(__func__, device, [&](const FakeGpu& gpu) { support->supported = gpu.gpm ? 1 : 0; });
}
// A snapshot is the GPU's place, plus its own number further up.
Status nvmlGpmSampleAlloc(GpmSample* sample) {
  *sample = reinterpret_cast<GpmSample>(new std::uintptr_t(0));
  return say(__func__);
}
Status nvmlGpmSampleFree(GpmSample sample) {
  delete reinterpret_cast<std::uintptr_t*>(sample);
  return say(__func__);
}
Status nvmlGpmSampleGet(Device device, GpmSample sample) {
  return on(__func__, device, [&](const FakeGpu&) {
    *reinterpret_cast<std::uintptr_t*>(sample) = reinterpret_cast<std::uintptr_t>(device);
  });
}
Status nvmlGpmMetricsGet(GpmMetricsGet* get) {
  const auto* const earlier = reinterpret_cast<std::uintptr_t*>(get->earlier);
  const auto* const later = reinterpret_cast<std::uintptr_t*>(get->later);
  if (get->version != kGpmMetricsGetVersion || *earlier == 0 || *earlier != *later)
    return Status::invalid_argument;
  return on(__func__, handle_of(*later - 1), [&](const FakeGpu& gpu) {
    for (std::uint32_t i = 0; i < get->count; ++i) {
      GpmMetric& metric = get->metrics[i];
      metric.status = Status::success;
      switch (static_cast<GpmMetricId>(metric.id)) {
        case GpmMetricId::sm_active:
          metric.value = gpu.sm_active;
          break;
        case GpmMetricId::dram_active:
          metric.value = gpu.dram_active;
          break;
        case GpmMetricId::nvlink_total_tx:
          metric.value = gpu.nvlink_tx;
          break;
        default:
          metric.status = Status::not_supported;
      }
    }
  });
}

}  // extern "C"
