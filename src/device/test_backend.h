// For tests only: GPUs that are plain values, with a clock that the test turns.
#pragma once

#include <atomic>
#include <map>
#include <string>

#include "device/gpu_backend.h"

namespace wattflex::device {

class TestClock : public Clock {
 public:
  Time now() const override { return Time(std::chrono::microseconds(micros_.load())); }
  Woken wait_until(Time time) override {
    if (time > now()) set(time);
    return Woken::in_time;
  }
  void set(Time time) { micros_ = time.time_since_epoch().count(); }

 private:
  std::atomic<std::int64_t> micros_ = 1'770'000'000'000'000;
};

class TestBackend : public GpuBackend {
 public:
  struct Gpu {
    GpuIdentity identity;
    PowerLimits limits;
    GpuSample sample;
    int writes = 0;
  };

  // GPU-0, GPU-1, ... at 700 W of 200 to 700 W, drawing 100 W, 101 W, ...
  explicit TestBackend(int count) {
    for (int i = 0; i < count; ++i) {
      Gpu gpu;
      gpu.identity = {.uuid = {"GPU-" + std::to_string(i)}, .name = "Test board", .index = i};
      gpu.limits = {.requested = Power::from_watts(700),
                    .enforced = Power::from_watts(700),
                    .factory = Power::from_watts(700),
                    .least = Power::from_watts(200),
                    .most = Power::from_watts(700),
                    .persistence = true};
      gpu.sample.draw_average = Power::from_watts(100.0 + i);
      gpus_[gpu.identity.uuid] = gpu;
      order_.push_back(gpu.identity.uuid);
    }
  }

  const std::vector<GpuUuid>& uuids() const { return order_; }
  Gpu& gpu(const GpuUuid& uuid) { return gpus_.at(uuid); }
  TestClock& test_clock() { return clock_; }

  DeviceResult<Inventory> inventory() override {
    Inventory inventory{.driver_version = "0.0", .source = "test"};
    for (const GpuUuid& uuid : order_) inventory.gpus.push_back(gpus_.at(uuid).identity);
    return inventory;
  }
  DeviceResult<GpuDescription> describe(const GpuUuid& uuid) override {
    return GpuDescription{.identity = gpus_.at(uuid).identity, .limits = gpus_.at(uuid).limits};
  }
  DeviceResult<GpuSample> sample(const GpuUuid& uuid, Depth) override {
    GpuSample sample = gpus_.at(uuid).sample;
    sample.time = clock_.now();
    return sample;
  }
  DeviceResult<PowerLimits> limits(const GpuUuid& uuid) override { return gpus_.at(uuid).limits; }
  DeviceResult<PowerLimits> set_limit(const GpuUuid& uuid, Power limit) override {
    Gpu& gpu = gpus_.at(uuid);
    ++gpu.writes;
    gpu.limits.requested = limit;
    gpu.limits.enforced = limit;
    return gpu.limits;
  }
  DeviceResult<std::vector<GpuProcess>> processes(const GpuUuid&) override {
    return std::vector<GpuProcess>();
  }
  Clock& clock() override { return clock_; }

 private:
  std::map<GpuUuid, Gpu> gpus_;
  std::vector<GpuUuid> order_;
  TestClock clock_;
};

}  // namespace wattflex::device
