// Draw, energy, limits, and the field queries that show the same with their kind and scope.
#include <span>

#include "twin/nvml/exports.h"
#include "twin/state/segments.h"

namespace wattflex::nvml {
namespace {

using twin::FaultKind;
using twin::LimitOutcome;
using twin::PowerReading;
using twin::library::GpuView;
using twin::library::to_milliwatts;

// A write waits for one that is under way: so many times at most.
constexpr int kMostWaits = 100;

std::uint32_t draw_mw(const GpuView& gpu, PowerReading kind) {
  const twin::Fault& impossible = fault_of(gpu.record(), FaultKind::impossible_value);
  std::atomic<std::uint64_t>& calls = gpu.machine.state().calls[gpu.index];
  if (strikes(impossible, gpu.change.header().seed, gpu.index, impossible.on ? calls.fetch_add(1) : 0))
    return to_milliwatts(impossible.value);
  return to_milliwatts(gpu.sensors().reading(gpu.record(), kind, gpu.change.now()).watts());
}

Status write(Device device, std::uint32_t milliwatts) {
  for (int wait = 0; wait < kMostWaits; ++wait) {
    Seconds busy_until{0};
    bool written = false;
    const Status status = session().with_gpu(device, [&](const GpuView& gpu) {
      busy_until = Seconds(gpu.record().write_end_s);
      if (busy_until > gpu.change.now() && gpu.change.header().speed > 0) return Status::success;
      written = true;
      const LimitOutcome outcome = gpu.machine.set_limit(gpu.change, gpu.index, milliwatts);
      busy_until = Seconds(gpu.record().write_end_s);
      if (outcome == LimitOutcome::no_permission) return Status::no_permission;
      return outcome == LimitOutcome::out_of_range ? Status::invalid_argument : Status::success;
    });
    if (status != Status::success) return status;
    session().wait_until(busy_until);
    if (written) return Status::success;
  }
  return Status::in_use;
}

void set(FieldValue& field, std::uint32_t number) {
  field.type = ValueType::unsigned_int;
  field.value.unsigned_int = number;
}

Status read_power_field(const GpuView& gpu, FieldValue& field) {
  const twin::BoardProfile& board = gpu.board();
  switch (field.field) {
    case field::kPowerAverage:
      if (!board.has_average) return Status::not_supported;
      return set(field, draw_mw(gpu, PowerReading::average)), Status::success;
    case field::kPowerInstant:
      return set(field, draw_mw(gpu, PowerReading::instant)), Status::success;
    case field::kPowerMinLimit:
      return set(field, to_milliwatts(board.lowest_limit.watts())), Status::success;
    case field::kPowerMaxLimit:
    case field::kPowerDefaultLimit:
      return set(field, to_milliwatts(board.largest_limit.watts())), Status::success;
    case field::kPowerCurrentLimit:
      return set(field, to_milliwatts(enforced_limit_w(gpu.record()))), Status::success;
    case field::kPowerRequestedLimit:
      return set(field, gpu.record().requested_mw), Status::success;
    default:
      return Status::not_supported;
  }
}

Status read_field(const GpuView& gpu, FieldValue& field) {
  if (gpu.has(FaultKind::no_readings)) return Status::not_supported;
  if (field.field == field::kTotalEnergy) {
    field.type = ValueType::unsigned_long_long;
    field.value.unsigned_long_long = gpu.sensors().counter_mj(gpu.record(), gpu.change.now());
    return Status::success;
  }
  // The module and the memory have no sensor of their own.
  return field.scope == scope::kGpu ? read_power_field(gpu, field) : Status::not_supported;
}

}  // namespace

extern "C" {

Status nvmlDeviceGetPowerUsage(Device device, std::uint32_t* milliwatts) {
  return answer_reading(device, milliwatts,
                        [](const GpuView& gpu) { return draw_mw(gpu, gpu.board().plain_reading); });
}

Status nvmlDeviceGetTotalEnergyConsumption(Device device, std::uint64_t* millijoules) {
  return answer_reading(device, millijoules, [](const GpuView& gpu) {
    return gpu.sensors().counter_mj(gpu.record(), gpu.change.now());
  });
}

Status nvmlDeviceGetFieldValues(Device device, std::int32_t count, FieldValue* values) {
  if (count <= 0 || values == nullptr) return Status::invalid_argument;
  return session().with_gpu(device, [&](const GpuView& gpu) {
    const double now_us = gpu.change.now().count() * 1e6;
    for (FieldValue& field : std::span(values, static_cast<std::size_t>(count))) {
      field.timestamp = gpu.change.header().start_unix_us + static_cast<std::int64_t>(now_us);
      field.latency = 0;
      field.status = read_field(gpu, field);
    }
    return Status::success;
  });
}

Status nvmlDeviceGetPowerManagementLimit(Device device, std::uint32_t* milliwatts) {
  return answer(device, milliwatts, [](const GpuView& gpu, std::uint32_t& value) {
    value = gpu.record().requested_mw;
    return Status::success;
  });
}

Status nvmlDeviceGetEnforcedPowerLimit(Device device, std::uint32_t* milliwatts) {
  return answer(device, milliwatts, [](const GpuView& gpu, std::uint32_t& value) {
    value = to_milliwatts(enforced_limit_w(gpu.record()));
    return Status::success;
  });
}

Status nvmlDeviceGetPowerManagementLimitConstraints(Device device, std::uint32_t* lowest,
                                                    std::uint32_t* largest) {
  if (lowest == nullptr) return Status::invalid_argument;
  return answer(device, largest, [&](const GpuView& gpu, std::uint32_t& value) {
    *lowest = to_milliwatts(gpu.board().lowest_limit.watts());
    value = to_milliwatts(gpu.board().largest_limit.watts());
    return Status::success;
  });
}

Status nvmlDeviceGetPowerManagementDefaultLimit(Device device, std::uint32_t* milliwatts) {
  return answer(device, milliwatts, [](const GpuView& gpu, std::uint32_t& value) {
    value = to_milliwatts(gpu.board().largest_limit.watts());
    return Status::success;
  });
}

Status nvmlDeviceSetPowerManagementLimit(Device device, std::uint32_t milliwatts) {
  return write(device, milliwatts);
}

Status nvmlDeviceSetPowerManagementLimit_v2(Device device, PowerValue* value) {
  if (value == nullptr) return Status::invalid_argument;
  if (value->version != struct_version<PowerValue>(PowerValue::kVersion))
    return Status::argument_version_mismatch;
  return value->scope == scope::kGpu ? write(device, value->milliwatts) : Status::not_supported;
}

WATTFLEX_EXPORT Status nvmlDeviceGetPowerManagementMode(Device device, EnableState* mode) {
  return answer(device, mode, [](const GpuView&, EnableState& value) {
    value = EnableState::enabled;
    return Status::success;
  });
}

}  // extern "C"

}  // namespace wattflex::nvml
