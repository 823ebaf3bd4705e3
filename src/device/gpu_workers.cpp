#include "device/gpu_workers.h"

#include <fmt/core.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <thread>

namespace wattflex::device {
namespace {

using SteadyClock = std::chrono::steady_clock;

// What the caller waits on; outlives the call for workers that come late.
struct Round {
  std::mutex mutex;
  std::condition_variable done;
  std::size_t open = 0;
};

}  // namespace

// Shared by its thread and GpuWorkers, whichever lives longer.
struct GpuWorkers::Worker {
  std::shared_ptr<GpuBackend> backend;
  GpuUuid uuid;
  std::mutex mutex;
  std::condition_variable wake;
  Task task;                       // the one slot
  std::function<void()> finished;  // told once the worker is idle again
  bool busy = false;               // a task is in the slot or running
  bool ended = false;
  SteadyClock::time_point busy_since;

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return ended || task != nullptr; });
      if (task == nullptr) return;
      const Task running = std::exchange(task, nullptr);
      lock.unlock();
      running(*backend, uuid);
      lock.lock();
      busy = false;
      const std::function<void()> tell = std::exchange(finished, nullptr);
      lock.unlock();
      tell();
      lock.lock();
    }
  }
};

GpuWorkers::GpuWorkers(std::shared_ptr<GpuBackend> backend, std::vector<GpuUuid> gpus)
    : backend_(std::move(backend)), gpus_(std::move(gpus)) {
  // Signals are the main thread's business.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (const GpuUuid& uuid : gpus_) {
    auto worker = std::make_shared<Worker>();
    worker->backend = backend_;
    worker->uuid = uuid;
    workers_.push_back(worker);
    threads_.emplace_back([worker] { worker->work(); });
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

GpuWorkers::~GpuWorkers() {
  for (std::size_t gpu = 0; gpu < workers_.size(); ++gpu) {
    Worker& worker = *workers_[gpu];
    bool stuck = false;
    {
      const std::lock_guard lock(worker.mutex);
      worker.ended = true;
      stuck = worker.busy;
      worker.wake.notify_one();
    }
    // An idle one is gone at once, and the driver is then closed by us, not by a thread that outlives the
    // program.
    if (stuck) {
      threads_[gpu].detach();
    } else {
      threads_[gpu].join();
    }
  }
}

void GpuWorkers::run(const std::function<Task(std::size_t)>& task_of, std::chrono::milliseconds patience) {
  const auto deadline = SteadyClock::now() + patience;
  const auto round = std::make_shared<Round>();
  round->open = workers_.size();
  const auto finish_one = [](Round& finished) {
    const std::lock_guard lock(finished.mutex);
    if (--finished.open == 0) finished.done.notify_one();
  };
  for (std::size_t gpu = 0; gpu < workers_.size(); ++gpu) {
    Worker& worker = *workers_[gpu];
    std::unique_lock lock(worker.mutex);
    if (worker.busy) {
      lock.unlock();
      finish_one(*round);
      continue;
    }
    worker.busy = true;
    worker.busy_since = SteadyClock::now();
    worker.task = task_of(gpu);
    worker.finished = [round, finish_one] { finish_one(*round); };
    worker.wake.notify_one();
  }
  std::unique_lock lock(round->mutex);
  round->done.wait_until(lock, deadline, [&] { return round->open == 0; });
}

std::chrono::milliseconds GpuWorkers::stuck_for(std::size_t gpu) const {
  Worker& worker = *workers_[gpu];
  const std::lock_guard lock(worker.mutex);
  if (!worker.busy) return std::chrono::milliseconds(0);
  return std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - worker.busy_since);
}

DeviceError GpuWorkers::late(std::size_t gpu) const {
  const double seconds = static_cast<double>(stuck_for(gpu).count()) / 1000;
  return {Problem::timed_out,
          fmt::format("{}: no answer from the driver for {:.1f} s", gpus_[gpu].text, seconds),
          "look for Xid errors of this GPU in the kernel log; it may need a reset"};
}

}  // namespace wattflex::device
