#include "device/faulty_backend.h"

namespace wattflex::device {

void FaultyBackend::fail(const GpuUuid& uuid, Call call, Problem problem) {
  const std::lock_guard lock(mutex_);
  failing_[{uuid, call}] = problem;
}

void FaultyBackend::hang(const GpuUuid& uuid, Call call) {
  const std::lock_guard lock(mutex_);
  hanging_.insert({uuid, call});
}

void FaultyBackend::ignore_limits(const GpuUuid& uuid) {
  const std::lock_guard lock(mutex_);
  ignoring_.insert(uuid);
}

void FaultyBackend::heal() {
  const std::lock_guard lock(mutex_);
  failing_.clear();
  hanging_.clear();
  ignoring_.clear();
  healed_.notify_all();
}

std::optional<DeviceError> FaultyBackend::fault(const GpuUuid& uuid, Call call) {
  std::unique_lock lock(mutex_);
  healed_.wait(lock, [&] { return !hanging_.contains({uuid, call}); });
  const auto found = failing_.find({uuid, call});
  if (found == failing_.end()) return std::nullopt;
  return DeviceError{found->second, uuid.text + ": broken on purpose", "heal it"};
}

DeviceResult<GpuDescription> FaultyBackend::describe(const GpuUuid& uuid) {
  if (const auto broken = fault(uuid, Call::describe)) return std::unexpected(*broken);
  return DecoratedBackend::describe(uuid);
}

DeviceResult<GpuSample> FaultyBackend::sample(const GpuUuid& uuid, Depth depth) {
  if (const auto broken = fault(uuid, Call::sample)) return std::unexpected(*broken);
  return DecoratedBackend::sample(uuid, depth);
}

DeviceResult<PowerLimits> FaultyBackend::limits(const GpuUuid& uuid) {
  if (const auto broken = fault(uuid, Call::limits)) return std::unexpected(*broken);
  return DecoratedBackend::limits(uuid);
}

DeviceResult<PowerLimits> FaultyBackend::set_limit(const GpuUuid& uuid, Power limit) {
  if (const auto broken = fault(uuid, Call::set_limit)) return std::unexpected(*broken);
  {
    std::unique_lock lock(mutex_);
    if (ignoring_.contains(uuid)) {
      lock.unlock();
      return DecoratedBackend::limits(uuid);
    }
  }
  return DecoratedBackend::set_limit(uuid, limit);
}

DeviceResult<std::vector<GpuProcess>> FaultyBackend::processes(const GpuUuid& uuid) {
  if (const auto broken = fault(uuid, Call::processes)) return std::unexpected(*broken);
  return DecoratedBackend::processes(uuid);
}

}  // namespace wattflex::device
