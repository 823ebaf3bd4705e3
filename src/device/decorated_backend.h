// A backend that hands every call on to another. Decorators override the calls they change.
#pragma once

#include <memory>
#include <utility>

#include "device/gpu_backend.h"

namespace wattflex::device {

class DecoratedBackend : public GpuBackend {
 public:
  explicit DecoratedBackend(std::shared_ptr<GpuBackend> inner) : inner_(std::move(inner)) {}

  DeviceResult<Inventory> inventory() override { return inner_->inventory(); }
  DeviceResult<GpuDescription> describe(const GpuUuid& uuid) override { return inner_->describe(uuid); }
  DeviceResult<GpuSample> sample(const GpuUuid& uuid, Depth depth) override {
    return inner_->sample(uuid, depth);
  }
  DeviceResult<PowerLimits> limits(const GpuUuid& uuid) override { return inner_->limits(uuid); }
  DeviceResult<PowerLimits> set_limit(const GpuUuid& uuid, Power limit) override {
    return inner_->set_limit(uuid, limit);
  }
  DeviceResult<std::vector<GpuProcess>> processes(const GpuUuid& uuid) override {
    return inner_->processes(uuid);
  }
  Clock& clock() override { return inner_->clock(); }

 private:
  std::shared_ptr<GpuBackend> inner_;
};

}  // namespace wattflex::device
