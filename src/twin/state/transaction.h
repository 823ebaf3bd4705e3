// One look at the state, or one change of it, while nobody else looks. What was edited counts from commit()
// on, all of it at once; without commit, and after kill -9 at any instant, nothing of it does.
//
// A process that dies holding the lock hands it to the next; one that is stopped holding it makes the others
// wait for kLockPatience, then they are refused.
#pragma once

#include <memory>

#include "base/error.h"
#include "twin/state/records.h"

namespace wattflex::twin {

inline constexpr Seconds kLockPatience{2};

class Transaction {
 public:
  static Result<Transaction> begin(SharedState& state);

  Transaction(Transaction&& other) noexcept;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  // Twin time at the beginning; never less than any moment before.
  Seconds now() const { return now_; }
  StateHeader& header() const { return state_->header; }

  const GpuRecord& gpu(std::size_t index) const;
  const JobRecord& job(std::size_t index) const;
  // A copy to change; the same one when asked again.
  GpuRecord& edit_gpu(std::size_t index);
  JobRecord& edit_job(std::size_t index);
  // The slot of a job's event number `event`. What is written there before commit is not seen.
  JobEvent& event(std::size_t job, std::uint64_t event) const;
  void commit();

 private:
  Transaction(SharedState& state, Seconds now) : state_(&state), now_(now) {}

  SharedState* state_;
  Seconds now_;
  bool edited_ = false;
};

// Twin seconds since the start.
Seconds twin_time(const StateHeader& header);

}  // namespace wattflex::twin
