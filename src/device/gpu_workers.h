// One thread a GPU, so that a driver that hangs on one never delays the others. Each takes one task at a time
// and has no queue: while a worker is still busy with an earlier task, its GPU simply has no answer. A worker
// that never comes back is left behind with what it holds, never waited for.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "device/gpu_backend.h"

namespace wattflex::device {

class GpuWorkers {
 public:
  GpuWorkers(std::shared_ptr<GpuBackend> backend, std::vector<GpuUuid> gpus);
  ~GpuWorkers();
  GpuWorkers(const GpuWorkers&) = delete;
  GpuWorkers& operator=(const GpuWorkers&) = delete;

  const std::vector<GpuUuid>& gpus() const { return gpus_; }
  GpuBackend& backend() { return *backend_; }

  // `ask` for all GPUs at once; one answer a GPU, in their order, `timed_out` for those that did not come
  // before `patience` (of this machine's monotonic clock) was over. `ask` may outlive the call: what it
  // needs, it holds.
  template <class T>
  std::vector<DeviceResult<T>> on_all(std::function<DeviceResult<T>(GpuBackend&, const GpuUuid&)> ask,
                                      std::chrono::milliseconds patience);
  // How long the GPU at this place has been without an answer to a task; zero for an idle one.
  std::chrono::milliseconds stuck_for(std::size_t gpu) const;

 private:
  struct Worker;
  using Task = std::function<void(GpuBackend&, const GpuUuid&)>;

  // Starts the task on each idle worker and waits until all of those are done or time is up.
  void run(const std::function<Task(std::size_t)>& task_of, std::chrono::milliseconds patience);
  DeviceError late(std::size_t gpu) const;

  std::shared_ptr<GpuBackend> backend_;
  std::vector<GpuUuid> gpus_;
  std::vector<std::shared_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;  // of the workers, in the same order
};

// A place for one answer, shared with a worker that may come too late.
template <class T>
struct AnswerSlot {
  std::mutex mutex;
  std::optional<DeviceResult<T>> answer;
};

template <class T>
std::vector<DeviceResult<T>> GpuWorkers::on_all(
    std::function<DeviceResult<T>(GpuBackend&, const GpuUuid&)> ask, std::chrono::milliseconds patience) {
  std::vector<std::shared_ptr<AnswerSlot<T>>> slots(gpus_.size());
  for (auto& slot : slots) slot = std::make_shared<AnswerSlot<T>>();
  run(
      [&](std::size_t gpu) -> Task {
        return [ask, slot = slots[gpu]](GpuBackend& backend, const GpuUuid& uuid) {
          auto answer = ask(backend, uuid);
          const std::lock_guard lock(slot->mutex);
          slot->answer = std::move(answer);
        };
      },
      patience);
  std::vector<DeviceResult<T>> answers;
  answers.reserve(gpus_.size());
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
    const std::lock_guard lock(slots[gpu]->mutex);
    answers.push_back(slots[gpu]->answer ? *std::move(slots[gpu]->answer) : std::unexpected(late(gpu)));
  }
  return answers;
}

}  // namespace wattflex::device
