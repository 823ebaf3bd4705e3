// Clocks, utilisation, memory, temperature, modes: what a GPU is doing and in what state it is.
#include <algorithm>
#include <cmath>

#include "twin/nvml/exports.h"
#include "twin/state/job_levels.h"
#include "twin/state/segments.h"

namespace wattflex::nvml {
namespace {

using twin::Counter;
using twin::FaultKind;
using twin::library::GpuView;

constexpr double kBytesPerMib = 1024 * 1024;
constexpr std::uint32_t kShutdownCelsius = 95;
constexpr std::uint32_t kSlowdownCelsius = 89;
constexpr std::uint32_t kHotCelsius = 88;

std::uint32_t percent(double share) {
  return static_cast<std::uint32_t>(std::lround(share * 100));
}

std::uint32_t clock_of(const GpuView& gpu, ClockType type) {
  const twin::BoardProfile& board = gpu.board();
  if (type == ClockType::memory) return static_cast<std::uint32_t>(board.memory_clock_mhz);
  const double clock = last_segment(gpu.record()).activity.clock_mhz;
  return static_cast<std::uint32_t>(std::lround(std::max(clock, board.idle_clock_mhz)));
}

bool is_clock(ClockType type) {
  return static_cast<std::uint32_t>(type) <= static_cast<std::uint32_t>(ClockType::video);
}

double used_mib(const GpuView& gpu) {
  if (gpu.record().job < 0) return 0;
  const twin::JobRecord& job = gpu.change.job(static_cast<std::size_t>(gpu.record().job));
  return job.memory_mib * level_of(job.progress.phase).memory;
}

std::uint64_t bytes(double mib) {
  return static_cast<std::uint64_t>(std::floor(mib)) * static_cast<std::uint64_t>(kBytesPerMib);
}

std::uint32_t celsius(const GpuView& gpu) {
  const double modelled = temperature_at(last_segment(gpu.record()), gpu.change.now());
  const auto whole = static_cast<std::uint32_t>(std::lround(modelled));
  return gpu.has(FaultKind::thermal_slowdown) ? std::max(whole, kHotCelsius) : whole;
}

std::uint64_t reasons(const GpuView& gpu) {
  const twin::Activity& activity = last_segment(gpu.record()).activity;
  std::uint64_t bits = reason::kNone;
  if (gpu.record().job < 0) bits |= reason::kGpuIdle;
  if (gpu.has(FaultKind::thermal_slowdown)) bits |= reason::kSoftwareThermal | reason::kHardwareThermal;
  if (activity.bound > 0) bits |= reason::kSoftwarePowerCap;
  return bits;
}

// What all boards of the twin have in common.
template <class Number>
Status constant(Device device, Number* number, Number value) {
  return answer(device, number, [value](const GpuView&, Number& answered) {
    answered = value;
    return Status::success;
  });
}

}  // namespace

extern "C" {

Status nvmlDeviceGetClockInfo(Device device, ClockType type, std::uint32_t* megahertz) {
  if (!is_clock(type)) return Status::invalid_argument;
  return answer_reading(device, megahertz, [type](const GpuView& gpu) { return clock_of(gpu, type); });
}

WATTFLEX_EXPORT Status nvmlDeviceGetClock(Device device, ClockType type, ClockId id,
                                          std::uint32_t* megahertz) {
  return id == ClockId::current ? nvmlDeviceGetClockInfo(device, type, megahertz) : Status::not_supported;
}

Status nvmlDeviceGetMaxClockInfo(Device device, ClockType type, std::uint32_t* megahertz) {
  if (!is_clock(type)) return Status::invalid_argument;
  return answer(device, megahertz, [type](const GpuView& gpu, std::uint32_t& value) {
    const twin::BoardProfile& board = gpu.board();
    value = static_cast<std::uint32_t>(type == ClockType::memory ? board.memory_clock_mhz
                                                                 : board.largest_clock_mhz);
    return Status::success;
  });
}

Status nvmlDeviceGetUtilizationRates(Device device, Utilization* rates) {
  return answer_reading(device, rates, [](const GpuView& gpu) {
    const auto share = [&](Counter counter) {
      return percent(gpu.sensors().utilization(gpu.record(), counter, gpu.change.now()));
    };
    return Utilization{share(Counter::gpu_busy), share(Counter::mem_copy)};
  });
}

Status nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  return answer(device, memory, [](const GpuView& gpu, Memory& value) {
    value.total = bytes(gpu.board().memory_mib);
    value.used = bytes(used_mib(gpu) + gpu.board().reserved_mib);
    value.free = value.total - value.used;
    return Status::success;
  });
}

Status nvmlDeviceGetMemoryInfo_v2(Device device, MemoryV2* memory) {
  if (memory != nullptr && memory->version != struct_version<MemoryV2>(MemoryV2::kVersion))
    return Status::argument_version_mismatch;
  return answer(device, memory, [](const GpuView& gpu, MemoryV2& value) {
    value.total = bytes(gpu.board().memory_mib);
    value.reserved = bytes(gpu.board().reserved_mib);
    value.used = bytes(used_mib(gpu));
    value.free = value.total - value.used - value.reserved;
    return Status::success;
  });
}

WATTFLEX_EXPORT Status nvmlDeviceGetBAR1MemoryInfo(Device device, Bar1Memory* memory) {
  return answer(device, memory, [](const GpuView&, Bar1Memory& value) {
    constexpr double kMib = 131072;
    value = {bytes(kMib), bytes(kMib - 1), bytes(1)};
    return Status::success;
  });
}

Status nvmlDeviceGetTemperature(Device device, TemperatureSensor sensor, std::uint32_t* value) {
  if (sensor != TemperatureSensor::gpu) return Status::invalid_argument;
  return answer_reading(device, value, celsius);
}

Status nvmlDeviceGetTemperatureV(Device device, Temperature* temperature) {
  if (temperature == nullptr) return Status::invalid_argument;
  if (temperature->version != struct_version<Temperature>(Temperature::kVersion))
    return Status::argument_version_mismatch;
  std::uint32_t value = 0;
  const Status status = nvmlDeviceGetTemperature(device, temperature->sensor, &value);
  temperature->celsius = static_cast<std::int32_t>(value);
  return status;
}

WATTFLEX_EXPORT Status nvmlDeviceGetTemperatureThreshold(Device device, TemperatureThreshold threshold,
                                                         std::uint32_t* value) {
  if (threshold == TemperatureThreshold::shutdown) return constant(device, value, kShutdownCelsius);
  if (threshold == TemperatureThreshold::slowdown) return constant(device, value, kSlowdownCelsius);
  return Status::not_supported;
}

Status nvmlDeviceGetCurrentClocksEventReasons(Device device, std::uint64_t* bits) {
  return answer_reading(device, bits, reasons);
}

Status nvmlDeviceGetCurrentClocksThrottleReasons(Device device, std::uint64_t* bits) {
  return answer_reading(device, bits, reasons);
}

Status nvmlDeviceGetPersistenceMode(Device device, EnableState* mode) {
  return answer(device, mode, [](const GpuView& gpu, EnableState& value) {
    value = gpu.record().persistence ? EnableState::enabled : EnableState::disabled;
    return Status::success;
  });
}

WATTFLEX_EXPORT Status nvmlDeviceSetPersistenceMode(Device device, EnableState mode) {
  if (mode != EnableState::enabled && mode != EnableState::disabled) return Status::invalid_argument;
  return session().with_gpu(device, [mode](const GpuView& gpu) {
    if (gpu.has(FaultKind::no_permission)) return Status::no_permission;
    gpu.machine.set_persistence(gpu.change, gpu.index, mode == EnableState::enabled);
    return Status::success;
  });
}

// MIG is there from Ampere's and Hopper's data centre boards on, and off.
Status nvmlDeviceGetMigMode(Device device, std::uint32_t* current, std::uint32_t* pending) {
  if (pending == nullptr) return Status::invalid_argument;
  return answer(device, current, [&](const GpuView& gpu, std::uint32_t& value) {
    if (gpu.board().key == "v100" || gpu.board().key == "l40s") return Status::not_supported;
    *pending = value = kMigDisabled;
    return Status::success;
  });
}

WATTFLEX_EXPORT Status nvmlDeviceGetMaxMigDeviceCount(Device device, std::uint32_t* count) {
  return constant(device, count, std::uint32_t{0});
}

WATTFLEX_EXPORT Status nvmlDeviceIsMigDeviceHandle(Device device, std::uint32_t* is_mig) {
  return constant(device, is_mig, std::uint32_t{0});
}

WATTFLEX_EXPORT Status nvmlDeviceGetPerformanceState(Device device, std::uint32_t* state) {
  return constant(device, state, std::uint32_t{0});
}

WATTFLEX_EXPORT Status nvmlDeviceGetComputeMode(Device device, ComputeMode* mode) {
  return constant(device, mode, ComputeMode::shared);
}

// What no data-centre board on Linux has, and clients ask for all the same.
WATTFLEX_EXPORT Status nvmlDeviceGetDriverModel(Device, std::uint32_t*, std::uint32_t*) {
  return Status::not_supported;
}

WATTFLEX_EXPORT Status nvmlDeviceGetDriverModel_v2(Device, std::uint32_t*, std::uint32_t*) {
  return Status::not_supported;
}

WATTFLEX_EXPORT Status nvmlDeviceGetConfComputeMemSizeInfo(Device, void*) {
  return Status::not_supported;
}

WATTFLEX_EXPORT Status nvmlDeviceGetRunningProcessDetailList(Device, void*) {
  return Status::not_supported;
}

WATTFLEX_EXPORT Status nvmlDeviceGetDisplayMode(Device device, EnableState* mode) {
  return constant(device, mode, EnableState::disabled);
}

WATTFLEX_EXPORT Status nvmlDeviceGetDisplayActive(Device device, EnableState* mode) {
  return constant(device, mode, EnableState::disabled);
}

// Modules have no fans of their own.
WATTFLEX_EXPORT Status nvmlDeviceGetFanSpeed(Device device, std::uint32_t* /*percent*/) {
  return session().with_gpu(device, [](const GpuView&) { return Status::not_supported; });
}

WATTFLEX_EXPORT Status nvmlDeviceGetEncoderUtilization(Device device, std::uint32_t* share,
                                                       std::uint32_t* us) {
  if (const Status status = constant(device, us, std::uint32_t{166'000}); status != Status::success)
    return status;
  return constant(device, share, std::uint32_t{0});
}

WATTFLEX_EXPORT Status nvmlDeviceGetDecoderUtilization(Device device, std::uint32_t* share,
                                                       std::uint32_t* us) {
  return nvmlDeviceGetEncoderUtilization(device, share, us);
}

WATTFLEX_EXPORT Status nvmlDeviceGetTotalEccErrors(Device device, std::uint32_t /*type*/,
                                                   std::uint32_t /*counter*/, std::uint64_t* errors) {
  return constant(device, errors, std::uint64_t{0});
}

}  // extern "C"

}  // namespace wattflex::nvml
