// Who computes on a GPU: the stand-in trainers that occupy it.
#include <cmath>

#include "twin/nvml/exports.h"
#include "twin/state/job_levels.h"
#include "twin/state/process_identity.h"
#include "twin/state/segments.h"

namespace wattflex::nvml {
namespace {

using twin::Counter;
using twin::library::GpuView;

constexpr std::uint64_t kMebibyte = 1'048'576;

struct Occupant {
  std::uint32_t process = 0;  // 0: nobody with a process
  std::uint64_t memory = 0;   // bytes
};

Occupant occupant(const GpuView& gpu) {
  if (gpu.record().job < 0) return {};
  const twin::JobRecord& job = gpu.change.job(static_cast<std::size_t>(gpu.record().job));
  const double mib = job.memory_mib * level_of(job.progress.phase).memory;
  return {static_cast<std::uint32_t>(twin::process_of(job.process)),
          static_cast<std::uint64_t>(std::floor(mib)) * kMebibyte};
}

// `count` says how many there is room for, and how many there are.
template <class Info, class Fill>
Status list(Device device, std::uint32_t* count, Info* infos, Fill fill) {
  return answer(device, count, [&](const GpuView& gpu, std::uint32_t& room) {
    const Occupant found = occupant(gpu);
    const std::uint32_t have = room;
    room = found.process == 0 ? 0 : 1;
    if (room == 0) return Status::success;
    if (have < room) return Status::insufficient_size;
    if (infos == nullptr) return Status::invalid_argument;
    infos[0] = fill(found);
    return Status::success;
  });
}

Status list_first(Device device, std::uint32_t* count, ProcessInfoV1* infos) {
  return list(device, count, infos,
              [](const Occupant& found) { return ProcessInfoV1{found.process, found.memory}; });
}

Status list_later(Device device, std::uint32_t* count, ProcessInfo* infos) {
  return list(device, count, infos, [](const Occupant& found) {
    return ProcessInfo{found.process, found.memory, kNoInstance, kNoInstance};
  });
}

// Nobody draws on a twin, nor shares it.
Status list_none(Device device, std::uint32_t* count) {
  return answer(device, count, [](const GpuView&, std::uint32_t& value) {
    value = 0;
    return Status::success;
  });
}

}  // namespace

extern "C" {

Status nvmlDeviceGetComputeRunningProcesses(Device device, std::uint32_t* count, ProcessInfoV1* infos) {
  return list_first(device, count, infos);
}

Status nvmlDeviceGetComputeRunningProcesses_v2(Device device, std::uint32_t* count, ProcessInfo* infos) {
  return list_later(device, count, infos);
}

Status nvmlDeviceGetComputeRunningProcesses_v3(Device device, std::uint32_t* count, ProcessInfo* infos) {
  return list_later(device, count, infos);
}

Status nvmlDeviceGetGraphicsRunningProcesses(Device device, std::uint32_t* count, ProcessInfoV1* /*infos*/) {
  return list_none(device, count);
}

Status nvmlDeviceGetGraphicsRunningProcesses_v2(Device device, std::uint32_t* count, ProcessInfo* /*infos*/) {
  return list_none(device, count);
}

Status nvmlDeviceGetGraphicsRunningProcesses_v3(Device device, std::uint32_t* count, ProcessInfo* /*infos*/) {
  return list_none(device, count);
}

WATTFLEX_EXPORT Status nvmlDeviceGetMPSComputeRunningProcesses(Device device, std::uint32_t* count,
                                                               ProcessInfoV1* /*infos*/) {
  return list_none(device, count);
}

WATTFLEX_EXPORT Status nvmlDeviceGetMPSComputeRunningProcesses_v3(Device device, std::uint32_t* count,
                                                                  ProcessInfo* /*infos*/) {
  return list_none(device, count);
}

WATTFLEX_EXPORT Status nvmlDeviceGetProcessUtilization(Device device, ProcessUtilizationSample* samples,
                                                       std::uint32_t* count, std::uint64_t /*last_seen*/) {
  return answer(device, count, [&](const GpuView& gpu, std::uint32_t& room) {
    const Occupant found = occupant(gpu);
    const std::uint32_t have = room;
    room = found.process == 0 ? 0 : 1;
    if (room == 0) return Status::not_found;
    if (samples == nullptr || have < room) return Status::insufficient_size;
    const auto share = [&](Counter counter) {
      return static_cast<std::uint32_t>(
          std::lround(100 * gpu.sensors().utilization(gpu.record(), counter, gpu.change.now())));
    };
    const double now_us = gpu.change.now().count() * 1e6;
    samples[0] = {
        found.process,
        static_cast<std::uint64_t>(gpu.change.header().start_unix_us) + static_cast<std::uint64_t>(now_us),
        share(Counter::gpu_busy),
        share(Counter::mem_copy),
        0,
        0};
    return Status::success;
  });
}

}  // extern "C"

}  // namespace wattflex::nvml
