#include "twin/state/transaction.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <span>
#include <utility>

namespace wattflex::twin {
namespace {

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNanoseconds + now.tv_nsec;
}

// The copy that counts, while changes numbered `committed` + 1 are being made or not.
template <class Record>
std::size_t current_copy(const Versioned<Record>& record, std::uint64_t committed) {
  const bool first = record.version[0] <= committed;
  const bool second = record.version[1] <= committed;
  if (first != second) return first ? 0 : 1;
  return record.version[0] >= record.version[1] ? 0 : 1;
}

template <class Record>
const Record& latest(const Versioned<Record>& record, std::uint64_t committed) {
  for (const std::size_t i : {0, 1}) {
    if (record.version[i] == committed + 1) return record.copy[i];
  }
  return record.copy[current_copy(record, committed)];
}

template <class Record>
Record& edit(Versioned<Record>& record, std::uint64_t committed) {
  const std::uint64_t next = committed + 1;
  for (const std::size_t i : {0, 1}) {
    if (record.version[i] == next) return record.copy[i];
  }
  const std::size_t from = current_copy(record, committed);
  const std::size_t to = 1 - from;
  // Whoever finds this half done must not take it for the older of two whole ones.
  std::atomic_ref(record.version[to]).store(next, std::memory_order_release);
  record.copy[to] = record.copy[from];
  return record.copy[to];
}

// A dead process may have left copies with the number that the next change will have.
template <class Record>
void forget_uncommitted(std::span<Versioned<Record>> records, std::uint64_t committed) {
  for (Versioned<Record>& record : records) {
    for (std::uint64_t& version : record.version) {
      if (version > committed) version = 0;
    }
  }
}

void forget_uncommitted(SharedState& state) {
  const std::uint64_t committed = state.header.committed;
  forget_uncommitted(std::span<Versioned<GpuRecord>>(state.gpus).first(state.header.gpus), committed);
  forget_uncommitted(std::span<Versioned<JobRecord>>(state.jobs), committed);
}

Result<void> lock(SharedState& state) {
  const std::int64_t end = monotonic_ns() + static_cast<std::int64_t>(kLockPatience.count() * 1e9);
  const timespec deadline{end / kNanoseconds, end % kNanoseconds};
  const int result = pthread_mutex_clocklock(&state.header.mutex, CLOCK_MONOTONIC, &deadline);
  if (result == 0) return {};
  if (result == EOWNERDEAD) {
    forget_uncommitted(state);
    if (pthread_mutex_consistent(&state.header.mutex) == 0) return {};
    pthread_mutex_unlock(&state.header.mutex);
  }
  return fail(ErrorKind::io,
              result == ETIMEDOUT ? "the twin's state is held by a process that does not go on"
                                  : "the twin's lock is broken",
              result == ETIMEDOUT ? "let that process go on, or end it" : "start the twin anew");
}

}  // namespace

Seconds twin_time(const StateHeader& header) {
  if (header.speed == 0) return Seconds(header.held_s.load());
  return Seconds(static_cast<double>(monotonic_ns() - header.start_monotonic_ns) * 1e-9 * header.speed);
}

Result<Transaction> Transaction::begin(SharedState& state) {
  if (auto locked = lock(state); !locked) return std::unexpected(locked.error());
  StateHeader& header = state.header;
  header.last_s = std::max(header.last_s, twin_time(header).count());
  return Transaction(state, Seconds(header.last_s));
}

Transaction::Transaction(Transaction&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)), now_(other.now_), edited_(other.edited_) {}

Transaction::~Transaction() {
  if (state_ == nullptr) return;
  if (edited_) forget_uncommitted(*state_);
  pthread_mutex_unlock(&state_->header.mutex);
}

const GpuRecord& Transaction::gpu(std::size_t index) const {
  return latest(state_->gpus.at(index), state_->header.committed);
}

const JobRecord& Transaction::job(std::size_t index) const {
  return latest(state_->jobs.at(index), state_->header.committed);
}

GpuRecord& Transaction::edit_gpu(std::size_t index) {
  edited_ = true;
  return edit(state_->gpus.at(index), state_->header.committed);
}

JobRecord& Transaction::edit_job(std::size_t index) {
  edited_ = true;
  return edit(state_->jobs.at(index), state_->header.committed);
}

JobEvent& Transaction::event(std::size_t job, std::uint64_t event) const {
  return state_->events.at(job)[event % kMaxEvents];
}

void Transaction::commit() {
  if (!edited_) return;
  state_->header.committed.fetch_add(1, std::memory_order_release);
  edited_ = false;
}

}  // namespace wattflex::twin
