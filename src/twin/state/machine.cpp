#include "twin/state/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "twin/board.h"
#include "twin/cohort.h"
#include "twin/measured_run.h"
#include "twin/state/job_levels.h"
#include "twin/state/process_identity.h"
#include "twin/state/segments.h"

namespace wattflex::twin {
namespace {

// Bounds the caches; a job at so many different limits begins to compute anew.
constexpr std::size_t kMostLoads = 4096;
constexpr double kLookAfterEvery = 0.05;  // of our own seconds

double own_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double enforced_limit_w(const GpuRecord& gpu) {
  const double requested = gpu.requested_mw / 1000.0;
  const Fault& outside = fault_of(gpu, FaultKind::out_of_band_limit);
  return outside.on ? std::min(requested, outside.value) : requested;
}

double effective_limit_w(const GpuRecord& gpu) {
  const Fault& heat = fault_of(gpu, FaultKind::thermal_slowdown);
  return heat.on ? std::min(enforced_limit_w(gpu), heat.value) : enforced_limit_w(gpu);
}

Machine::Machine(StateFile file)
    : file_(std::move(file)), board_(*find_board(file_.state().header.board.data())) {}

const BoardJob& Machine::board_job(const JobRecord& job) {
  if (board_jobs_.size() > kMostLoads) board_jobs_.clear();
  const auto found = board_jobs_.find(job.serial);
  if (found != board_jobs_.end()) return found->second;
  const SimulatedJob& simulated = simulated_jobs()[job.cohort_index];
  return board_jobs_.emplace(job.serial, BoardJob(board_, simulated, job.factors)).first->second;
}

const GpuLoad& Machine::load(const JobRecord& job, double limit_w) {
  if (loads_.size() > kMostLoads) loads_.clear();
  const auto [found, absent] = loads_.try_emplace({job.serial, limit_w});
  if (absent) found->second = board_job(job).under(Power::from_watts(limit_w));
  return found->second;
}

void Machine::settle(Transaction& change, std::size_t gpu) {
  const std::int32_t job = change.gpu(gpu).job;
  if (job >= 0) settle_job(change, static_cast<std::size_t>(job));
  if (change.gpu(gpu).job < 0) settle_free_gpu(change, gpu);
}

void Machine::settle_free_gpu(Transaction& change, std::size_t gpu) {
  while (change.gpu(gpu).foreign_write_s <= change.now().count()) {
    const Fault writer = fault_of(change.gpu(gpu), FaultKind::foreign_writer);
    const double time = change.gpu(gpu).foreign_write_s;
    write_limit(change, gpu, static_cast<std::uint32_t>(std::lround(writer.value * 1000)), Seconds(time));
    change.edit_gpu(gpu).foreign_write_s = time + writer.period_s;
  }
}

bool Machine::is_dead(std::size_t job, const JobRecord& record) {
  if (record.process == 0) return false;
  double& looked = looked_after_s_[job];
  const double now = own_seconds();
  if (now - looked < kLookAfterEvery) return false;
  looked = now;
  return !is_alive(record.process);
}

void Machine::settle_job(Transaction& change, std::size_t job) {
  if (!change.job(job).used) return;
  while (true) {
    const JobRecord& record = change.job(job);
    const double next = std::min(next_event_s(record.progress), record.next_gpu_event_s);
    if (next > change.now().count()) break;
    advance_to(change, job, Seconds(next));
    if (change.job(job).next_gpu_event_s <= next) gpu_events(change, job, Seconds(next));
  }
  if (is_dead(job, change.job(job))) end_job(change, job);
}

// `time` is no later than the next event.
void Machine::advance_to(Transaction& change, std::size_t job, Seconds time) {
  JobRecord& record = change.edit_job(job);
  const bool new_phase = advance(record.progress, record.plan, time,
                                 [&](const JobEvent& event) { change.event(job, record.events++) = event; });
  if (new_phase) redraw_job(change, job, time);
}

// What was due at `time`: clocks that have followed a limit, and foreign writes.
void Machine::gpu_events(Transaction& change, std::size_t job, Seconds time) {
  const std::bitset<kMaxGpus> members = change.job(job).gpus;
  for (std::size_t i = 0; i < gpus(); ++i) {
    if (!members[i]) continue;
    if (change.gpu(i).pending_at_s <= time.count()) {
      GpuRecord& gpu = change.edit_gpu(i);
      gpu.paced_limit_w = gpu.pending_limit_w;
      gpu.pending_at_s = kNever;
    }
    if (change.gpu(i).foreign_write_s <= time.count()) {
      const Fault writer = fault_of(change.gpu(i), FaultKind::foreign_writer);
      change.edit_gpu(i).foreign_write_s = time.count() + writer.period_s;
      write_limit(change, i, static_cast<std::uint32_t>(std::lround(writer.value * 1000)), time);
    }
  }
  set_job_pace(change, job, time);
}

// The slowest GPU's, from `time` on; also finds when the next of them has an event.
void Machine::set_job_pace(Transaction& change, std::size_t job, Seconds time) {
  JobRecord& record = change.edit_job(job);
  double step = 0;
  record.next_gpu_event_s = kNever;
  for (std::size_t i = 0; i < gpus(); ++i) {
    if (!record.gpus[i]) continue;
    const GpuRecord& gpu = change.gpu(i);
    step = std::max(step, load(record, gpu.paced_limit_w).step_time.count());
    record.next_gpu_event_s = std::min({record.next_gpu_event_s, gpu.pending_at_s, gpu.foreign_write_s});
  }
  if (1 / step == record.progress.pace) return;
  change_pace(record.progress, 1 / step);
  redraw_job(change, job, time);
  change.header().changes.fetch_add(1);
}

void Machine::redraw_job(Transaction& change, std::size_t job, Seconds time) {
  const std::bitset<kMaxGpus> members = change.job(job).gpus;
  for (std::size_t i = 0; i < gpus(); ++i) {
    if (members[i]) redraw(change, i, time);
  }
}

// A new stretch of the GPU's past, from `time` on: as its job and its limit have it draw.
void Machine::redraw(Transaction& change, std::size_t gpu, Seconds time) {
  GpuRecord& record = change.edit_gpu(gpu);
  StepDraw step = idle_draw(board_);
  Activity activity = idle_activity(board_);
  double phase = 0;
  if (record.job >= 0) {
    const JobRecord& job = change.job(static_cast<std::size_t>(record.job));
    const GpuLoad& own = load(job, effective_limit_w(record));
    const Seconds job_step(1 / job.progress.pace);
    const JobLevel level = level_of(job.progress.phase);
    if (job.progress.phase == JobPhase::training) {
      step = paced(own, job_step);
      activity = paced_activity(own, job_step);
      phase = step_phase(job.progress);
    } else {
      step = pause_draw(board_, own, level.work);
      activity = pause_activity(board_, own.activity, level);
    }
  }
  DrawSegment next = continued(last_segment(record), time, step, activity);
  next.phase = phase;
  append_segment(record, next);
}

void Machine::write_limit(Transaction& change, std::size_t gpu, std::uint32_t milliwatts, Seconds time) {
  const double before = effective_limit_w(change.gpu(gpu));
  GpuRecord& record = change.edit_gpu(gpu);
  record.requested_mw = milliwatts;
  record.write_end_s = time.count() + kCapWriteTime.count();
  ++record.writes;
  limit_changed(change, gpu, time, before);
}

void Machine::limit_changed(Transaction& change, std::size_t gpu, Seconds time, double before_w) {
  const double after_w = effective_limit_w(change.gpu(gpu));
  if (after_w == before_w) return;
  const Transition transition = after_w < before_w ? Transition::lower : Transition::raise;
  const Power draw = draw_at(last_segment(change.gpu(gpu)), time);
  redraw(change, gpu, time);
  GpuRecord& record = change.edit_gpu(gpu);
  begin_transition(last_segment(record), transition, draw);
  if (record.job < 0) {
    record.paced_limit_w = after_w;
    return;
  }
  record.pending_limit_w = after_w;
  record.pending_at_s = time.count() + pace_lag(transition).count();
  JobRecord& job = change.edit_job(static_cast<std::size_t>(record.job));
  job.next_gpu_event_s = std::min(job.next_gpu_event_s, record.pending_at_s);
  change.header().changes.fetch_add(1);
}

LimitOutcome Machine::set_limit(Transaction& change, std::size_t gpu, std::uint32_t milliwatts) {
  settle(change, gpu);
  const GpuRecord& record = change.gpu(gpu);
  if (fault_of(record, FaultKind::no_permission).on) return LimitOutcome::no_permission;
  const double watts = milliwatts / 1000.0;
  if (watts < board_.lowest_limit.watts() || watts > board_.largest_limit.watts())
    return LimitOutcome::out_of_range;
  const std::uint64_t seed = change.header().seed;
  const Fault& rounding = fault_of(record, FaultKind::cap_rounded);
  std::uint32_t applied = milliwatts;
  if (strikes(fault_of(record, FaultKind::cap_ignored), seed, gpu, record.writes)) {
    applied = record.requested_mw;
  } else if (strikes(rounding, seed, gpu, record.writes)) {
    const double rounded = std::ceil(watts / rounding.value) * rounding.value;
    applied = static_cast<std::uint32_t>(std::lround(1000 * std::min(rounded, board_.largest_limit.watts())));
  }
  write_limit(change, gpu, applied, change.now());
  return LimitOutcome::done;
}

void Machine::set_fault(Transaction& change, std::size_t gpu, FaultKind kind, const Fault& fault) {
  settle(change, gpu);
  const double before = effective_limit_w(change.gpu(gpu));
  GpuRecord& record = change.edit_gpu(gpu);
  record.faults[static_cast<std::size_t>(kind)] = fault;
  if (kind == FaultKind::foreign_writer) {
    record.foreign_write_s = fault.on ? change.now().count() + fault.period_s : kNever;
    if (record.job >= 0) set_job_pace(change, static_cast<std::size_t>(record.job), change.now());
  }
  limit_changed(change, gpu, change.now(), before);
}

void Machine::reload_driver(Transaction& change) {
  for (std::size_t i = 0; i < gpus(); ++i) {
    settle(change, i);
    change.edit_gpu(i).counter_base_j = energy_at(change.gpu(i), change.now()).joules();
    write_limit(change, i, static_cast<std::uint32_t>(board_.largest_limit.watts() * 1000), change.now());
  }
}

void Machine::reset_counter(Transaction& change, std::size_t gpu) {
  settle(change, gpu);
  change.edit_gpu(gpu).counter_base_j = energy_at(change.gpu(gpu), change.now()).joules();
}

void Machine::set_persistence(Transaction& change, std::size_t gpu, bool on) {
  settle(change, gpu);
  change.edit_gpu(gpu).persistence = on;
}

void Machine::open_client(Transaction& change, std::uint64_t process) {
  auto& clients = change.header().clients;
  for (std::uint64_t& client : clients) {
    if (client != 0 && !is_alive(client)) client = 0;
  }
  const bool first = std::ranges::all_of(clients, [](std::uint64_t client) { return client == 0; });
  // Beyond kMaxClients they are not counted, and the others keep the driver loaded.
  const auto place = std::ranges::find(clients, 0U);
  if (place != clients.end() && std::ranges::find(clients, process) == clients.end()) *place = process;
  if (!first) return;
  const auto standard = static_cast<std::uint32_t>(board_.largest_limit.watts() * 1000);
  for (std::size_t i = 0; i < gpus(); ++i) {
    settle(change, i);
    const GpuRecord& gpu = change.gpu(i);
    if (!gpu.persistence && gpu.job < 0 && gpu.requested_mw != standard)
      write_limit(change, i, standard, change.now());
  }
}

void Machine::close_client(Transaction& change, std::uint64_t process) {
  std::ranges::replace(change.header().clients, process, std::uint64_t{0});
}

Result<std::size_t> Machine::start_job(Transaction& change, JobRequest request) {
  std::size_t index = 0;
  while (index < kMaxJobs && change.job(index).used) ++index;
  if (index == kMaxJobs)
    return fail(ErrorKind::refused, "the twin runs as many jobs as it can", "end one of them");
  JobRecord job;
  for (const std::size_t gpu : request.gpus) {
    if (gpu >= gpus()) {
      return fail(ErrorKind::usage, fmt::format("no GPU {}; the twin has {}", gpu, gpus()),
                  "GPUs are counted from 0");
    }
    settle(change, gpu);
    if (change.gpu(gpu).job >= 0 || job.gpus[gpu])
      return fail(ErrorKind::refused, fmt::format("GPU {} is taken", gpu),
                  "'wattflex twin status' shows by whom");
    job.gpus.set(gpu);
  }
  job.used = true;
  job.cohort_index = request.cohort_index;
  job.process = request.process;
  job.serial = ++change.header().jobs_ever;
  RandomStream random(change.header().seed, job.serial);
  job.factors = {1 + kRepeatPowerCv * random.normal(), 1 + kRepeatThroughputCv * random.normal()};
  job.memory_mib = working_set_mib(board_);
  job.plan = request.plan;
  job.plan.seed = random();
  job.plan.step_s = BoardJob(board_, simulated_jobs()[job.cohort_index], {}).uncapped_step_time().count();
  job.plan.evaluation_steps = request.evaluation.count() / job.plan.step_s;
  job.plan.checkpoint_s = request.checkpoint.count();
  job.progress = begin_job(job.plan, change.now());
  change.edit_job(index) = job;
  for (const std::size_t gpu : request.gpus) {
    GpuRecord& record = change.edit_gpu(gpu);
    record.job = static_cast<std::int32_t>(index);
    record.paced_limit_w = effective_limit_w(record);
    record.pending_at_s = kNever;
  }
  looked_after_s_.erase(index);
  set_job_pace(change, index, change.now());
  redraw_job(change, index, change.now());
  return index;
}

void Machine::end_job(Transaction& change, std::size_t job) {
  const std::bitset<kMaxGpus> members = change.job(job).gpus;
  change.edit_job(job).used = false;
  for (std::size_t i = 0; i < gpus(); ++i) {
    if (!members[i]) continue;
    GpuRecord& gpu = change.edit_gpu(i);
    gpu.job = -1;
    gpu.pending_at_s = kNever;
    gpu.paced_limit_w = effective_limit_w(gpu);
    redraw(change, i, change.now());
  }
}

}  // namespace wattflex::twin
