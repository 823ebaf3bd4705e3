#include "device/replay_backend.h"

#include <algorithm>
#include <utility>

namespace wattflex::device {
namespace {

Time row_time(const SampleRow& row) {
  return row.sample.time;
}

Time first_time(const std::vector<SampleRow>& rows) {
  return std::ranges::min_element(rows, {}, row_time)->sample.time;
}

}  // namespace

Time ReplayClock::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

Woken ReplayClock::wait_until(Time time) {
  const std::lock_guard lock(mutex_);
  now_ = std::max(now_, time);
  return Woken::in_time;
}

ReplayBackend::ReplayBackend(std::vector<SampleRow> rows, std::string name)
    : name_(std::move(name)), clock_(first_time(rows)) {
  for (SampleRow& row : rows) {
    auto& own = rows_[row.uuid];
    if (own.empty()) order_.push_back(row.uuid);
    own.push_back(std::move(row));
  }
  for (auto& [uuid, own] : rows_) std::ranges::stable_sort(own, {}, row_time);
}

DeviceResult<const SampleRow*> ReplayBackend::row_now(const GpuUuid& uuid) const {
  const auto own = rows_.find(uuid);
  if (own == rows_.end())
    return failed(Problem::gpu_lost, uuid.text + ": not in " + name_, "name a GPU of the recording");
  const auto after = std::ranges::upper_bound(own->second, clock_.now(), {}, row_time);
  if (after == own->second.begin())
    return failed(Problem::not_ready, uuid.text + ": its recording begins later", "wait for it");
  return &*std::prev(after);
}

DeviceResult<Inventory> ReplayBackend::inventory() {
  Inventory inventory{.pedigree = rows_.at(order_.front()).front().pedigree, .source = name_};
  for (const GpuUuid& uuid : order_)
    inventory.gpus.push_back({.uuid = uuid, .index = rows_.at(uuid).front().index});
  return inventory;
}

DeviceResult<GpuDescription> ReplayBackend::describe(const GpuUuid& uuid) {
  const auto now = limits(uuid);
  if (!now) return std::unexpected(now.error());
  return GpuDescription{.identity = {.uuid = uuid, .index = rows_.at(uuid).front().index}, .limits = *now};
}

DeviceResult<GpuSample> ReplayBackend::sample(const GpuUuid& uuid, Depth) {
  const auto row = row_now(uuid);
  if (!row) return std::unexpected(row.error());
  if (!(*row)->gap.empty())
    return failed(Problem::failed, uuid.text + ": a gap in " + name_ + ": " + (*row)->gap, "");
  return (*row)->sample;
}

DeviceResult<PowerLimits> ReplayBackend::limits(const GpuUuid& uuid) {
  const auto row = row_now(uuid);
  if (!row) return std::unexpected(row.error());
  return PowerLimits{.requested = (*row)->sample.requested, .enforced = (*row)->sample.enforced};
}

DeviceResult<PowerLimits> ReplayBackend::set_limit(const GpuUuid& uuid, Power) {
  return failed(Problem::not_supported, uuid.text + ": a recording takes no limits", "");
}

DeviceResult<std::vector<GpuProcess>> ReplayBackend::processes(const GpuUuid& uuid) {
  return failed(Problem::not_supported, uuid.text + ": a recording lists no processes", "");
}

}  // namespace wattflex::device
