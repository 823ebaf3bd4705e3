#include "device/nvml/gpu_reader.h"

#include <fmt/core.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "base/parse.h"
#include "device/gates.h"
#include "device/nvml/calls.h"

namespace wattflex::nvml {
namespace {

using device::DeviceError;
using device::DeviceResult;
using device::failed;
using device::gated_clock;
using device::gated_draw;
using device::gated_limit;
using device::gated_memory;
using device::gated_percent;
using device::gated_temperature;

Reading<Power> gated(const Reading<std::uint64_t>& milliwatts, std::optional<Power> most) {
  return milliwatts ? gated_draw(*milliwatts, most) : Reading<Power>(milliwatts.problem());
}

Reading<bool> switched_on(const Reading<EnableState>& state) {
  if (!state) return state.problem();
  return *state == EnableState::enabled;
}

// What of a sample the rest of it cannot be without: no answer here means no GPU.
bool is_fatal(Problem problem) {
  return problem == Problem::gpu_lost || problem == Problem::driver_mismatch || problem == Problem::no_driver;
}

}  // namespace

DrawKind plain_draw_of(int major, int minor) {
  const bool up_to_ga100 = major < 8 || (major == 8 && minor == 0);
  return up_to_ga100 ? DrawKind::instant : DrawKind::average;
}

bool lists_long_processes(const std::string& driver) {
  const auto parts = split(driver, '.');
  if (parts.size() < 2 || parts[0] != "535") return false;
  const auto minor = parse_integer(parts[1]);
  return minor && *minor < 98;
}

void GpuReader::learn() {
  if (learned_) return;
  learned_ = true;
  std::int32_t major = 0;
  std::int32_t minor = 0;
  if (functions_.nvmlDeviceGetCudaComputeCapability != nullptr &&
      functions_.nvmlDeviceGetCudaComputeCapability(device_, &major, &minor) == Status::success) {
    plain_draw_ = plain_draw_of(major, minor);
  }
  most_ = limits().most;
}

std::optional<Power> GpuReader::most_of(PowerScope scope) const {
  return scope == PowerScope::gpu ? most_.optional() : std::nullopt;
}

PowerLimits GpuReader::limits() {
  PowerLimits limits;
  limits.requested =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetPowerManagementLimit, device_), gated_limit);
  limits.enforced =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetEnforcedPowerLimit, device_), gated_limit);
  limits.factory =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetPowerManagementDefaultLimit, device_), gated_limit);
  std::uint32_t least = 0;
  const Reading<std::uint32_t> most =
      ask<std::uint32_t>(functions_.nvmlDeviceGetPowerManagementLimitConstraints, device_, &least);
  limits.most = gate(most, gated_limit);
  limits.least = most ? gated_limit(least) : Reading<Power>(most.problem());
  limits.persistence = switched_on(ask<EnableState>(functions_.nvmlDeviceGetPersistenceMode, device_));
  return limits;
}

void GpuReader::read_draws(GpuSample& sample) {
  const PowerFields fields = fields_.read(functions_, device_);
  sample.draw_instant = gated(fields.draw_instant, most_of(PowerScope::gpu));
  sample.draw_average = gated(fields.draw_average, most_of(PowerScope::gpu));
  sample.module_draw_instant = gated(fields.module_draw_instant, most_of(PowerScope::module));
  sample.module_draw_average = gated(fields.module_draw_average, most_of(PowerScope::module));
  module_scope_ = module_scope_ || sample.module_draw_instant || sample.module_draw_average;
  // The plain call, where the field of its kind is not there. On a module it may mean the whole module.
  Reading<Power>& plain = plain_draw_ == DrawKind::instant ? sample.draw_instant : sample.draw_average;
  if (!plain && plain.problem() == Problem::not_supported && !module_scope_) {
    const auto power = ask<std::uint32_t>(functions_.nvmlDeviceGetPowerUsage, device_);
    plain = power ? gated_draw(*power, most_of(PowerScope::gpu)) : Reading<Power>(power.problem());
  }
  Reading<std::uint64_t> energy = fields.energy;
  if (!energy && energy.problem() == Problem::not_supported)
    energy = ask<std::uint64_t>(functions_.nvmlDeviceGetTotalEnergyConsumption, device_);
  // On a superchip the counter is the module's (TEL-02).
  const PowerScope scope = module_scope_ ? PowerScope::module : PowerScope::gpu;
  sample.energy = energy ? Reading<EnergyCount>(EnergyCount{*energy, scope}) : energy.problem();
  if (energy && *energy == ~std::uint64_t{0}) sample.energy = Problem::impossible_value;
  sample.memory_temperature = fields.memory_temperature
                                  ? gated_temperature(*fields.memory_temperature)
                                  : Reading<double>(fields.memory_temperature.problem());
}

void GpuReader::read_clocks_and_use(GpuSample& sample) {
  sample.sm_clock =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetClockInfo, device_, ClockType::sm), gated_clock);
  sample.memory_clock =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetClockInfo, device_, ClockType::memory), gated_clock);
  const auto use = ask<Utilization>(functions_.nvmlDeviceGetUtilizationRates, device_);
  sample.gpu_util = use ? gated_percent(use->gpu) : Reading<double>(use.problem());
  sample.mem_copy_util = use ? gated_percent(use->memory) : Reading<double>(use.problem());
  const auto memory = ask<Memory>(functions_.nvmlDeviceGetMemoryInfo, device_);
  sample.memory_used = memory ? gated_memory(memory->used, memory->total) : Reading<double>(memory.problem());
  Temperature newer{.version = struct_version<Temperature>(Temperature::kVersion),
                    .sensor = TemperatureSensor::gpu};
  if (functions_.nvmlDeviceGetTemperatureV != nullptr &&
      functions_.nvmlDeviceGetTemperatureV(device_, &newer) == Status::success) {
    sample.temperature = gated_temperature(newer.celsius);
  } else {
    const auto celsius =
        ask<std::uint32_t>(functions_.nvmlDeviceGetTemperature, device_, TemperatureSensor::gpu);
    sample.temperature = celsius ? gated_temperature(*celsius) : Reading<double>(celsius.problem());
  }
  auto* const reasons = functions_.nvmlDeviceGetCurrentClocksEventReasons != nullptr
                            ? functions_.nvmlDeviceGetCurrentClocksEventReasons
                            : functions_.nvmlDeviceGetCurrentClocksThrottleReasons;
  const auto bits = ask<std::uint64_t>(reasons, device_);
  sample.throttle = bits ? Reading<ThrottleReasons>(ThrottleReasons(*bits)) : bits.problem();
}

DeviceResult<GpuSample> GpuReader::sample(device::Depth depth, Time now) {
  learn();
  GpuSample sample{.time = now};
  sample.enforced =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetEnforcedPowerLimit, device_), gated_limit);
  if (!sample.enforced && is_fatal(sample.enforced.problem())) {
    return failed(sample.enforced.problem(),
                  fmt::format("{}: {}", identity_.uuid.text, to_string(sample.enforced.problem())),
                  "look for Xid errors of this GPU in the kernel log; 'wattflex doctor' says more");
  }
  sample.requested =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetPowerManagementLimit, device_), gated_limit);
  read_draws(sample);
  read_clocks_and_use(sample);
  if (depth == device::Depth::activity) sample.activity = activity_.read(functions_, device_);
  return sample;
}

device::GpuDescription GpuReader::describe() {
  learn();
  device::GpuDescription description{.identity = identity_, .limits = limits(), .plain_draw = plain_draw_};
  std::uint32_t pending = 0;
  if (functions_.nvmlDeviceGetMigMode != nullptr) {
    std::uint32_t current = 0;
    const Status status = functions_.nvmlDeviceGetMigMode(device_, &current, &pending);
    description.mig =
        status == Status::success ? Reading<bool>(current == kMigEnabled) : reading_problem(status);
  } else {
    description.mig = Problem::not_supported;
  }
  description.profiling = activity_.supported(functions_, device_);
  const auto memory = ask<Memory>(functions_.nvmlDeviceGetMemoryInfo, device_);
  description.memory_total = memory ? Reading<double>(static_cast<double>(memory->total)) : memory.problem();
  description.sm_clock_max =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetMaxClockInfo, device_, ClockType::sm), gated_clock);
  description.memory_clock_max =
      gate(ask<std::uint32_t>(functions_.nvmlDeviceGetMaxClockInfo, device_, ClockType::memory), gated_clock);
  GpuSample probe;
  read_draws(probe);
  description.module_scope = module_scope_;
  const PowerFields fields = fields_.read(functions_, device_);
  if (!fields.draw_instant && !fields.draw_average) {
    description.notes.push_back(
        fmt::format("this driver has no power fields: the draw is the plain call's, {} on this board",
                    plain_draw_ == DrawKind::instant ? "an instant" : "a mean over 1 s"));
  }
  if (!probe.energy)
    description.notes.push_back(fmt::format("no energy counter ({}): energy is the draw integrated",
                                            to_string(probe.energy.problem())));
  if (module_scope_)
    description.notes.push_back("the energy counter is the whole module's (GPU, CPU and memory)");
  return description;
}

DeviceResult<void> GpuReader::verify() const {
  char text[kUuidSize] = {};
  const Status status = functions_.nvmlDeviceGetUUID == nullptr
                            ? Status::function_not_found
                            : functions_.nvmlDeviceGetUUID(device_, text, kUuidSize);
  if (status != Status::success) {
    DeviceError error = error_of(status, identity_.uuid.text + ": its UUID can't be read", functions_);
    error.problem = Problem::wrong_gpu;
    return std::unexpected(std::move(error));
  }
  text[kUuidSize - 1] = '\0';
  if (identity_.uuid.text == text) return {};
  return failed(Problem::wrong_gpu, fmt::format("{}: the handle now leads to {}", identity_.uuid.text, text),
                "the driver renumbered its GPUs; nothing was written");
}

DeviceResult<void> GpuReader::write_limit(Power limit) {
  const auto milliwatts = static_cast<std::uint32_t>(std::llround(limit.watts() * 1000));
  Status status = Status::function_not_found;
  // On a module the limit must be told to be the GPU's own (TEL-02).
  if (module_scope_ && functions_.nvmlDeviceSetPowerManagementLimit_v2 != nullptr) {
    PowerValue value{.version = struct_version<PowerValue>(PowerValue::kVersion),
                     .scope = static_cast<std::uint8_t>(scope::kGpu),
                     .milliwatts = milliwatts};
    status = functions_.nvmlDeviceSetPowerManagementLimit_v2(device_, &value);
  } else if (functions_.nvmlDeviceSetPowerManagementLimit != nullptr) {
    status = functions_.nvmlDeviceSetPowerManagementLimit(device_, milliwatts);
  }
  if (status == Status::success) return {};
  return std::unexpected(
      error_of(status, fmt::format("{}: setting {:g} W", identity_.uuid.text, limit.watts()), functions_));
}

}  // namespace wattflex::nvml
