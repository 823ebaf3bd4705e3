// What one process has of the twin's library: how often it was opened, its handles, its window on the shared
// state. The exported functions are thin wrappers around `with_gpu`, which checks the handle, lets the faults
// have their way and never lets an exception out.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>

#include "device/nvml/abi.h"
#include "twin/state/machine.h"
#include "twin/state/readings.h"

namespace wattflex::twin::library {

using nvml::Device;
using nvml::Status;

// A GPU while nobody else changes it.
struct GpuView {
  Machine& machine;
  Transaction& change;
  std::size_t index;

  const GpuRecord& record() const { return change.gpu(index); }
  const BoardProfile& board() const { return machine.board(); }
  Sensors sensors() const { return {machine.board(), change.header().seed, index}; }
  bool has(FaultKind kind) const { return fault_of(record(), kind).on; }
};

class Session {
 public:
  static Session& instance();

  Status open();
  Status close();
  // Ready or not: what to answer when not.
  Status check();
  std::size_t gpus();
  std::optional<std::size_t> index_of(Device device);
  Device handle(std::size_t index) { return reinterpret_cast<Device>(&devices_[index]); }
  // Keeps the state mapped while somebody looks at it without a lock; null before `open`.
  std::shared_ptr<const Machine> machine();

  // Calls `use` with the GPU brought up to now, and commits what it changed.
  template <class Use>
  Status with_gpu(Device device, Use use) {
    try {
      for (Hold hold = Hold::none; true;) {
        if (hold != Hold::none) wait(hold, device);
        const std::scoped_lock lock(mutex_);
        const auto index = index_of(device);
        if (!index) return check() == Status::success ? Status::invalid_argument : check();
        auto change = machine_->begin();
        if (!change) return Status::timeout;
        machine_->settle(*change, *index);
        const GpuView view{*machine_, *change, *index};
        hold = held(view, hold);
        if (hold != Hold::none) continue;
        const Status status = view.has(FaultKind::gpu_lost) ? Status::gpu_is_lost : use(view);
        change->commit();
        return status;
      }
    } catch (...) {
      return Status::unknown;
    }
  }

  // Lets twin time pass until `time`, without any lock; at once where time stands.
  void wait_until(Seconds time);

 private:
  // Why a call does not go on yet.
  enum class Hold : std::uint8_t { none, hanging, slow };
  Hold held(const GpuView& view, Hold before);
  void wait(Hold hold, Device device);

  std::recursive_mutex mutex_;
  std::size_t opened_ = 0;
  std::shared_ptr<Machine> machine_;
  std::array<char, kMaxGpus> devices_{};  // their addresses are the handles
};

// Milliwatts as NVML's unsigned int holds them.
std::uint32_t to_milliwatts(double watts);

}  // namespace wattflex::twin::library
