// What the processes that use one twin share: the layout of its state file. Plain values only. GPUs and jobs
// stand in two copies each, so that a process killed half-way through a change leaves the last whole state
// behind (transaction.h). The numbers bound the file; it is sparse.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <type_traits>

#include "twin/draw_segment.h"
#include "twin/gpu_load.h"
#include "twin/live_job.h"

namespace wattflex::twin {

inline constexpr std::int64_t kNanoseconds = 1'000'000'000;  // in a second
inline constexpr std::size_t kMaxGpus = 1024;
inline constexpr std::size_t kMaxJobs = 256;
// Stretches of a GPU's past that are kept: an average needs 1.1 s, a write of a limit takes 32 ms, and one
// write brings up to three stretches (draw, and twice the pace of the job).
inline constexpr std::size_t kSegments = 32;
// Of a job's last steps and pauses, for its trainer to print. It looks a hundred times a second.
inline constexpr std::size_t kMaxEvents = 1024;
inline constexpr std::size_t kMaxClients = 512;
inline constexpr std::size_t kBoardKeySize = 16;
inline constexpr std::size_t kBootIdSize = 40;

// What can be wrong with a GPU; `value` and `probability` as fault.h explains them.
enum class FaultKind : std::uint8_t {
  no_permission,
  gpu_lost,
  cap_ignored,
  cap_rounded,
  slow_call,
  hanging_call,
  foreign_writer,
  no_readings,
  impossible_value,
  thermal_slowdown,
  out_of_band_limit,
  version_mismatch,
};
inline constexpr std::size_t kFaultKinds = 12;

struct Fault {
  bool on = false;
  double value = 0;
  double probability = 1;
  double period_s = 0;
};

struct GpuRecord {
  std::uint32_t requested_mw = 0;
  bool persistence = true;
  std::int32_t job = -1;
  double write_end_s = 0;      // the driver is busy with a write until then
  double paced_limit_w = 0;    // what the job's pace allows for
  double pending_limit_w = 0;  // what it will, from pending_at_s on
  double pending_at_s = kNever;
  double foreign_write_s = kNever;  // the next one
  double counter_base_j = 0;        // the energy counter shows what was drawn since
  std::uint64_t writes = 0;         // of the limit, by anybody
  std::array<Fault, kFaultKinds> faults{};
  std::uint32_t segment_count = 0;
  std::array<DrawSegment, kSegments> segments{};  // oldest first
};

// An index into the cohort's table, and a process.
struct JobRecord {
  bool used = false;
  std::uint32_t cohort_index = 0;
  std::uint64_t process = 0;  // its identity (process_identity.h)
  std::uint64_t serial = 0;   // of all jobs of this twin
  RunFactors factors;
  double memory_mib = 0;
  JobPlan plan;
  JobProgress progress;
  double next_gpu_event_s = kNever;  // of any of its GPUs
  std::uint64_t events = 0;          // ever; the last kMaxEvents are kept
  std::bitset<kMaxGpus> gpus;
};

// Two copies; the newer one that has been committed counts.
template <class Record>
struct Versioned {
  std::array<std::uint64_t, 2> version{};
  std::array<Record, 2> copy{};
};

struct StateHeader {
  std::uint64_t magic = 0;
  std::uint32_t layout = 0;
  std::uint32_t gpus = 0;
  std::uint64_t size = 0;
  std::uint64_t seed = 1;
  double speed = 1;  // twin seconds in one of ours; 0: time stands until somebody moves it
  std::int64_t start_unix_us = 0;
  std::int64_t start_monotonic_ns = 0;
  std::atomic<double> held_s = 0;  // the time, when it stands
  std::atomic<bool> stopped = false;
  std::array<char, kBoardKeySize> board{};
  std::array<char, kBootIdSize> boot_id{};
  pthread_mutex_t mutex{};
  std::atomic<std::uint64_t> committed = 0;
  std::atomic<std::uint32_t> changes = 0;  // of any pace; trainers wait on it
  std::uint64_t jobs_ever = 0;
  double last_s = 0;                                 // no moment before it is looked at again
  std::array<std::uint64_t, kMaxClients> clients{};  // identities of processes with the library open
};

struct SharedState {
  StateHeader header;
  std::array<Versioned<GpuRecord>, kMaxGpus> gpus;
  std::array<Versioned<JobRecord>, kMaxJobs> jobs;
  std::array<std::array<JobEvent, kMaxEvents>, kMaxJobs> events;
  std::array<std::atomic<std::uint64_t>, kMaxGpus> calls;  // draws of the faults' dice
};

inline constexpr std::uint64_t kStateMagic = 0x6e69777466747477;  // "wttftwin"
inline constexpr std::uint32_t kStateLayout = 1;

static_assert(std::is_trivially_copyable_v<GpuRecord> && std::is_trivially_copyable_v<JobRecord>);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<double>::is_always_lock_free);

}  // namespace wattflex::twin
