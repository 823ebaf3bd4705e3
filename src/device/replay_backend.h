// A recording as GPUs: each call gives what the recording has at the time of its clock, which waits by
// jumping. Limits can't be set.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "device/gpu_backend.h"
#include "device/sample_csv.h"

namespace wattflex::device {

// Stands at the recording's first moment; waiting turns it on at once.
class ReplayClock : public Clock {
 public:
  explicit ReplayClock(Time start) : now_(start) {}
  Time now() const override;
  Woken wait_until(Time time) override;

 private:
  mutable std::mutex mutex_;
  Time now_;
};

class ReplayBackend : public GpuBackend {
 public:
  // `rows` as parse_sample_csv gives them, at least one; `name` is the file's.
  ReplayBackend(std::vector<SampleRow> rows, std::string name);

  DeviceResult<Inventory> inventory() override;
  DeviceResult<GpuDescription> describe(const GpuUuid& uuid) override;
  DeviceResult<GpuSample> sample(const GpuUuid& uuid, Depth depth) override;
  DeviceResult<PowerLimits> limits(const GpuUuid& uuid) override;
  DeviceResult<PowerLimits> set_limit(const GpuUuid& uuid, Power limit) override;
  DeviceResult<std::vector<GpuProcess>> processes(const GpuUuid& uuid) override;
  Clock& clock() override { return clock_; }

 private:
  // The last row of this GPU up to now.
  DeviceResult<const SampleRow*> row_now(const GpuUuid& uuid) const;

  std::string name_;
  std::map<GpuUuid, std::vector<SampleRow>> rows_;  // by time
  std::vector<GpuUuid> order_;                      // of first appearance
  ReplayClock clock_;
};

}  // namespace wattflex::device
