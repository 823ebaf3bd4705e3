// A twin as its users see it: GPUs whose limits are set, jobs that occupy them, faults that befall them.
// Every function works inside a transaction and brings what it concerns up to the transaction's time first;
// nothing happens between calls. Not thread-safe: one object a thread (the state itself may have any number
// of users).
#pragma once

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "twin/state/fault.h"
#include "twin/state/state_file.h"
#include "twin/state/transaction.h"

namespace wattflex::twin {

struct JobRequest {
  std::uint32_t cohort_index = 0;
  std::vector<std::size_t> gpus;
  std::uint64_t process = 0;  // identity; the job ends with it. 0: lives until it is ended
  JobPlan plan;               // seed, step_s and pauses in steps are filled in by start_job
  Seconds evaluation{60};     // uncapped
  Seconds checkpoint{30};
};

enum class LimitOutcome : std::uint8_t { done, out_of_range, no_permission };

class Machine {
 public:
  explicit Machine(StateFile file);

  SharedState& state() const { return file_.state(); }
  StateFile& file() { return file_; }
  const BoardProfile& board() const { return board_; }
  std::size_t gpus() const { return file_.state().header.gpus; }
  Result<Transaction> begin() const { return Transaction::begin(file_.state()); }

  // Brings a GPU and its job up to now; afterwards they may be read.
  void settle(Transaction& change, std::size_t gpu);
  // As a client of the driver would; faults that concern it apply.
  LimitOutcome set_limit(Transaction& change, std::size_t gpu, std::uint32_t milliwatts);
  void set_fault(Transaction& change, std::size_t gpu, FaultKind kind, const Fault& fault);
  // Every limit back to its default, every counter to 0; jobs go on.
  void reload_driver(Transaction& change);
  void reset_counter(Transaction& change, std::size_t gpu);
  void set_persistence(Transaction& change, std::size_t gpu, bool on);
  // A process opens the library. The first after none puts limits back that nobody kept: those of free GPUs
  // with persistence mode off.
  void open_client(Transaction& change, std::uint64_t process);
  void close_client(Transaction& change, std::uint64_t process);

  // Index of the job. Refuses GPUs that are not there or not free.
  Result<std::size_t> start_job(Transaction& change, JobRequest request);
  void settle_job(Transaction& change, std::size_t job);
  void end_job(Transaction& change, std::size_t job);

 private:
  const BoardJob& board_job(const JobRecord& job);
  const GpuLoad& load(const JobRecord& job, double limit_w);
  void advance_to(Transaction& change, std::size_t job, Seconds time);
  void gpu_events(Transaction& change, std::size_t job, Seconds time);
  void redraw_job(Transaction& change, std::size_t job, Seconds time);
  void redraw(Transaction& change, std::size_t gpu, Seconds time);
  void set_job_pace(Transaction& change, std::size_t job, Seconds time);
  void write_limit(Transaction& change, std::size_t gpu, std::uint32_t milliwatts, Seconds time);
  void limit_changed(Transaction& change, std::size_t gpu, Seconds time, double before_w);
  void settle_free_gpu(Transaction& change, std::size_t gpu);
  bool is_dead(std::size_t job, const JobRecord& record);

  StateFile file_;
  const BoardProfile& board_;
  std::map<std::uint64_t, BoardJob> board_jobs_;               // by serial
  std::map<std::pair<std::uint64_t, double>, GpuLoad> loads_;  // by serial and limit
  std::map<std::size_t, double> looked_after_s_;  // when a job's process was last seen alive, our own seconds
};

// What limits the draw now: the requested limit, or a lower one from elsewhere.
double enforced_limit_w(const GpuRecord& gpu);
// Also when too hot.
double effective_limit_w(const GpuRecord& gpu);

}  // namespace wattflex::twin
