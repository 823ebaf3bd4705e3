#include "twin/nvml/session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "twin/state/process_identity.h"

namespace wattflex::twin::library {
namespace {

constexpr std::chrono::milliseconds kHangStep{5};
// Below this, sleeping takes longer than waiting.
constexpr Seconds kShortest{0.0002};

}  // namespace

Session& Session::instance() {
  // Never destroyed: clients may call from their own exit handlers.
  static auto* const session = new Session();
  return *session;
}

Status Session::open() {
  const std::scoped_lock lock(mutex_);
  if (opened_ > 0) return ++opened_, Status::success;
  auto file = StateFile::open(default_state_path());
  if (!file) return Status::driver_not_loaded;
  auto machine = std::make_shared<Machine>(std::move(*file));
  auto change = machine->begin();
  if (!change) return Status::timeout;
  for (std::size_t i = 0; i < machine->gpus(); ++i) {
    if (fault_of(change->gpu(i), FaultKind::version_mismatch).on) return Status::lib_rm_version_mismatch;
  }
  machine->open_client(*change, identity_of(::getpid()));
  change->commit();
  machine_ = std::move(machine);
  opened_ = 1;
  return Status::success;
}

Status Session::close() {
  const std::scoped_lock lock(mutex_);
  if (opened_ == 0) return Status::uninitialized;
  if (--opened_ > 0) return Status::success;
  if (auto change = machine_->begin()) machine_->close_client(*change, identity_of(::getpid()));
  machine_.reset();
  return Status::success;
}

Status Session::check() {
  const std::scoped_lock lock(mutex_);
  if (machine_ == nullptr) return Status::uninitialized;
  return machine_->state().header.stopped ? Status::driver_not_loaded : Status::success;
}

std::size_t Session::gpus() {
  const std::scoped_lock lock(mutex_);
  return machine_ == nullptr ? 0 : machine_->gpus();
}

std::shared_ptr<const Machine> Session::machine() {
  const std::scoped_lock lock(mutex_);
  return machine_;
}

std::optional<std::size_t> Session::index_of(Device device) {
  if (check() != Status::success) return std::nullopt;
  const auto* const address = reinterpret_cast<const char*>(device);
  const std::less<const char*> before;
  if (before(address, devices_.data()) || !before(address, devices_.data() + gpus())) return std::nullopt;
  return static_cast<std::size_t>(address - devices_.data());
}

Session::Hold Session::held(const GpuView& view, Hold before) {
  if (view.has(FaultKind::hanging_call)) return Hold::hanging;
  if (before == Hold::slow) return Hold::none;  // once a call
  std::atomic<std::uint64_t>& calls = view.machine.state().calls[view.index];
  const Fault& slow = fault_of(view.record(), FaultKind::slow_call);
  if (!slow.on) return Hold::none;
  return strikes(slow, view.change.header().seed, view.index, calls.fetch_add(1)) ? Hold::slow : Hold::none;
}

void Session::wait(Hold hold, Device device) {
  if (hold == Hold::hanging) return std::this_thread::sleep_for(kHangStep);
  Seconds until{0};
  {
    const std::scoped_lock lock(mutex_);
    const auto index = index_of(device);
    if (!index) return;
    const auto change = machine_->begin();
    if (!change) return;
    until = change->now() + Seconds(fault_of(change->gpu(*index), FaultKind::slow_call).value);
  }
  wait_until(until);
}

void Session::wait_until(Seconds time) {
  const auto kept = machine();
  if (kept == nullptr) return;
  const StateHeader& header = kept->state().header;
  while (header.speed > 0 && !header.stopped) {
    const Seconds left = (time - twin_time(header)) / header.speed;
    if (left.count() <= 0) return;
    if (left > kShortest) std::this_thread::sleep_for(left - kShortest);
  }
}

std::uint32_t to_milliwatts(double watts) {
  constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp(std::round(watts * 1000), 0.0, kMost));
}

}  // namespace wattflex::twin::library
