// Breaks calls of another backend, GPU by GPU, for tests of what depends on one: a call fails with a problem,
// hangs until it is let go, or a set limit is silently ignored. Never part of a running program.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "device/decorated_backend.h"

namespace wattflex::device {

class FaultyBackend : public DecoratedBackend {
 public:
  enum class Call { describe, sample, limits, set_limit, processes };

  using DecoratedBackend::DecoratedBackend;

  void fail(const GpuUuid& uuid, Call call, Problem problem);
  void hang(const GpuUuid& uuid, Call call);
  void ignore_limits(const GpuUuid& uuid);
  // Takes all faults back; calls that hang come home.
  void heal();

  DeviceResult<GpuDescription> describe(const GpuUuid& uuid) override;
  DeviceResult<GpuSample> sample(const GpuUuid& uuid, Depth depth) override;
  DeviceResult<PowerLimits> limits(const GpuUuid& uuid) override;
  DeviceResult<PowerLimits> set_limit(const GpuUuid& uuid, Power limit) override;
  DeviceResult<std::vector<GpuProcess>> processes(const GpuUuid& uuid) override;

 private:
  using Key = std::pair<GpuUuid, Call>;

  // Waits while the call hangs, then says what it fails with.
  std::optional<DeviceError> fault(const GpuUuid& uuid, Call call);

  std::mutex mutex_;
  std::condition_variable healed_;
  std::map<Key, Problem> failing_;
  std::set<Key> hanging_;
  std::set<GpuUuid> ignoring_;
};

}  // namespace wattflex::device
