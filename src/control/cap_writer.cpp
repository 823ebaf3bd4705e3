#include "control/cap_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <utility>

#include "base/clock.h"

namespace wattflex::control {
namespace {

using device::DeviceError;
using device::DeviceResult;
using device::GpuBackend;
using device::GpuWorkers;

// The same question with a different argument for each GPU; those without one are not asked.
template <class Argument, class Ask>
std::vector<DeviceResult<PowerLimits>> ask_each(GpuWorkers& workers, std::map<GpuUuid, Argument> arguments,
                                                std::chrono::milliseconds patience, Ask ask) {
  // A worker that comes late still needs it.
  const auto shared = std::make_shared<const std::map<GpuUuid, Argument>>(std::move(arguments));
  return workers.on_all<PowerLimits>(
      [shared, ask](GpuBackend& backend, const GpuUuid& gpu) -> DeviceResult<PowerLimits> {
        const auto found = shared->find(gpu);
        if (found == shared->end()) return std::unexpected(DeviceError{Problem::not_asked, gpu.text, ""});
        return ask(backend, gpu, found->second);
      },
      patience);
}

// Answers in the order of the workers' GPUs -> in the order of those named.
std::vector<DeviceResult<PowerLimits>> in_order(const GpuWorkers& workers, std::span<const GpuUuid> gpus,
                                                const std::vector<DeviceResult<PowerLimits>>& answers) {
  std::vector<DeviceResult<PowerLimits>> ordered;
  for (const GpuUuid& gpu : gpus) {
    const auto place = std::ranges::find(workers.gpus(), gpu);
    ordered.push_back(
        place == workers.gpus().end()
            ? std::unexpected(DeviceError{Problem::gpu_lost, gpu.text + ": not among the GPUs here",
                                          "'wattflex gpus' lists those that the driver shows"})
            : answers[static_cast<std::size_t>(place - workers.gpus().begin())]);
  }
  return ordered;
}

bool same_limit(const Reading<Power>& limit, Power wanted) {
  return limit && whole_milliwatts(*limit) == whole_milliwatts(wanted);
}

// The driver was not reached, or refused before anything changed.
bool surely_unwritten(Problem problem) {
  return problem == Problem::no_permission || problem == Problem::wrong_gpu ||
         problem == Problem::out_of_range || problem == Problem::not_supported;
}

// What reading back tells of a write that the driver called a success.
CapState judged(const CapRequest& request, const PowerLimits& before, const PowerLimits& after) {
  if (same_limit(after.requested, request.cap)) return CapState::applied;
  if (!after.requested) return CapState::failed;
  return before.requested && same_limit(after.requested, *before.requested) ? CapState::ignored
                                                                            : CapState::rounded;
}

std::vector<GpuUuid> gpus_of(std::span<const CapOutcome> outcomes, bool (*wanted)(const CapOutcome&)) {
  std::vector<GpuUuid> gpus;
  for (const CapOutcome& outcome : outcomes) {
    if (wanted(outcome)) gpus.push_back(outcome.gpu);
  }
  return gpus;
}

}  // namespace

std::string_view to_string(CapState state) {
  switch (state) {
    case CapState::applied:
      return "applied";
    case CapState::unchanged:
      return "unchanged";
    case CapState::rounded:
      return "rounded";
    case CapState::ignored:
      return "ignored";
    case CapState::failed:
      return "failed";
    case CapState::not_tried:
      return "not_tried";
    case CapState::put_back:
      return "put_back";
  }
  return "failed";
}

std::string_view to_string(BackState state) {
  switch (state) {
    case BackState::restored:
      return "restored";
    case BackState::unchanged:
      return "unchanged";
    case BackState::foreign:
      return "foreign";
    case BackState::failed:
      return "failed";
  }
  return "failed";
}

bool CapOutcome::holds() const {
  return state == CapState::applied || state == CapState::unchanged || state == CapState::rounded;
}

bool CapOutcome::wrote() const {
  return state == CapState::applied || state == CapState::rounded || state == CapState::ignored;
}

std::vector<CapWriter::Limits> CapWriter::read_limits(std::span<const GpuUuid> gpus) {
  std::map<GpuUuid, char> asked;
  for (const GpuUuid& gpu : gpus) asked.emplace(gpu, 0);
  const auto read = [](GpuBackend& backend, const GpuUuid& gpu, char) { return backend.limits(gpu); };
  return in_order(workers_, gpus, ask_each(workers_, std::move(asked), settings_.patience, read));
}

std::vector<CapWriter::Limits> CapWriter::write_limits(std::span<const CapRequest> requests) {
  std::map<GpuUuid, Power> caps;
  std::vector<GpuUuid> gpus;
  for (const CapRequest& request : requests) {
    caps.emplace(request.gpu, request.cap);
    gpus.push_back(request.gpu);
  }
  const auto set = [](GpuBackend& backend, const GpuUuid& gpu, Power cap) {
    return backend.set_limit(gpu, cap);
  };
  return in_order(workers_, gpus, ask_each(workers_, std::move(caps), settings_.patience, set));
}

// What is about to be written, and what it was before.
Result<void> CapWriter::record(std::span<const CapOutcome> outcomes) {
  std::vector<JournalEntry> fresh;
  for (const CapOutcome& outcome : outcomes) {
    if (outcome.state != CapState::not_tried || outcome.error) continue;
    if (journal_.find(outcome.gpu, settings_.hold) != nullptr) {
      if (auto added = journal_.add_caps({outcome.gpu}, settings_.hold, {outcome.asked}); !added)
        return added;
      continue;
    }
    fresh.push_back({.gpu = outcome.gpu,
                     .hold = settings_.hold,
                     .found = *outcome.before->requested,
                     .caps = {outcome.asked},
                     .since = workers_.backend().clock().now()});
  }
  return fresh.empty() ? Result<void>() : journal_.add(std::move(fresh));
}

void CapWriter::write(std::vector<CapOutcome>& outcomes) {
  const auto write_some = [&](std::span<CapOutcome* const> some) {
    std::vector<CapRequest> requests;
    for (const CapOutcome* const outcome : some) requests.push_back({outcome->gpu, outcome->asked});
    const auto answers = write_limits(requests);
    for (std::size_t i = 0; i < some.size(); ++i) {
      CapOutcome& outcome = *some[i];
      if (!answers[i]) {
        outcome.state = CapState::failed;
        outcome.error = answers[i].error();
        continue;
      }
      outcome.after = *answers[i];
      outcome.state = judged(requests[i], *outcome.before, *answers[i]);
      if (outcome.state == CapState::failed) {
        outcome.error =
            DeviceError{answers[i]->requested.problem(), outcome.gpu.text + ": its limit can't be read back",
                        "it stays in the journal; 'wattflex restore --all' puts it back"};
      }
    }
  };
  std::vector<CapOutcome*> pending;
  for (CapOutcome& outcome : outcomes) {
    if (outcome.state == CapState::not_tried && !outcome.error) pending.push_back(&outcome);
  }
  if (pending.empty()) return;
  const std::span<CapOutcome* const> all(pending);
  write_some(all.first(1));
  const auto& first = *pending.front();
  if (first.error && first.error->problem == Problem::no_permission) return;
  if (all.size() > 1) write_some(all.subspan(1));
}

Result<void> CapWriter::take_back(std::vector<CapOutcome>& outcomes) {
  const auto written = gpus_of(outcomes, [](const CapOutcome& outcome) { return outcome.wrote(); });
  const auto backs = put_back(written, ForeignLimit::leave);
  if (!backs) return std::unexpected(backs.error());
  for (const BackOutcome& back : *backs) {
    CapOutcome& outcome = *std::ranges::find(outcomes, back.entry.gpu, &CapOutcome::gpu);
    const bool done = back.state == BackState::restored || back.state == BackState::unchanged;
    // One that ignored its limit is why the others are taken back: that is what its outcome tells.
    if (done && outcome.state == CapState::ignored) continue;
    outcome.after = back.after;
    outcome.error = back.error;
    outcome.state = done ? CapState::put_back : CapState::failed;
  }
  return {};
}

Result<std::vector<CapOutcome>> CapWriter::apply(std::span<const CapRequest> requests,
                                                 WhenPartial when_partial) {
  std::vector<GpuUuid> gpus;
  for (const CapRequest& request : requests) gpus.push_back(request.gpu);
  const auto now = read_limits(gpus);
  std::vector<CapOutcome> outcomes;
  std::vector<GpuUuid> new_here;  // without an entry so far
  for (std::size_t i = 0; i < requests.size(); ++i) {
    CapOutcome outcome{.gpu = requests[i].gpu, .asked = requests[i].cap};
    if (!now[i]) {
      outcome.error = now[i].error();
    } else if (!now[i]->requested) {
      // What can't be read can't be put back.
      outcome.error = DeviceError{now[i]->requested.problem(), outcome.gpu.text + ": its limit can't be read",
                                  "nothing was written; 'wattflex doctor' says what this GPU lets us read"};
    } else {
      outcome.before = outcome.after = *now[i];
      if (same_limit(now[i]->requested, outcome.asked)) outcome.state = CapState::unchanged;
    }
    if (outcome.error) outcome.state = CapState::failed;
    if (journal_.find(outcome.gpu, settings_.hold) == nullptr) new_here.push_back(outcome.gpu);
    outcomes.push_back(std::move(outcome));
  }
  if (const auto recorded = record(outcomes); !recorded) return std::unexpected(recorded.error());
  write(outcomes);
  for (const CapOutcome& outcome : outcomes) {
    if (outcome.state != CapState::rounded) continue;
    const auto added = journal_.add_caps({outcome.gpu}, settings_.hold, {*outcome.after->requested});
    if (!added) return std::unexpected(added.error());
  }
  const bool whole = std::ranges::all_of(outcomes, &CapOutcome::holds);
  if (!whole && when_partial == WhenPartial::put_back) {
    if (const auto taken = take_back(outcomes); !taken) return std::unexpected(taken.error());
  }
  // GPUs that nothing was written to have nothing to be put back.
  std::vector<GpuUuid> untouched;
  for (const CapOutcome& outcome : outcomes) {
    const bool was_new = std::ranges::find(new_here, outcome.gpu) != new_here.end();
    const bool unwritten =
        outcome.state == CapState::not_tried || (outcome.error && surely_unwritten(outcome.error->problem));
    if (was_new && unwritten) untouched.push_back(outcome.gpu);
  }
  if (const auto removed = journal_.remove(untouched, settings_.hold); !removed)
    return std::unexpected(removed.error());
  return outcomes;
}

Result<void> CapWriter::announce(std::span<const GpuUuid> gpus, const std::vector<Power>& caps) {
  const auto now = read_limits(gpus);
  std::vector<JournalEntry> fresh;
  std::vector<GpuUuid> known;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (journal_.find(gpus[i], settings_.hold) != nullptr) {
      known.push_back(gpus[i]);
      continue;
    }
    if (!now[i]) return std::unexpected(device::to_error(now[i].error()));
    if (!now[i]->requested) {
      return fail(ErrorKind::unsupported, gpus[i].text + ": its limit can't be read",
                  "what can't be read can't be put back; leave this GPU out");
    }
    fresh.push_back({.gpu = gpus[i],
                     .hold = settings_.hold,
                     .found = *now[i]->requested,
                     .caps = caps,
                     .since = workers_.backend().clock().now()});
  }
  if (const auto added = journal_.add_caps(known, settings_.hold, caps); !added) return added;
  return fresh.empty() ? Result<void>() : journal_.add(std::move(fresh));
}

// What is to be done for one GPU; `restored` stands for "to be written".
BackOutcome CapWriter::back_of(const JournalEntry& entry, const Limits& now, ForeignLimit foreign) const {
  BackOutcome back{.entry = entry};
  if (!now) {
    back.error = now.error();
    return back;
  }
  back.after = *now;
  if (!now->requested) {
    back.error = DeviceError{now->requested.problem(), entry.gpu.text + ": its limit can't be read",
                             "it stays in the journal: try again with 'wattflex restore --all'"};
    return back;
  }
  if (same_limit(now->requested, entry.found)) {
    back.state = BackState::unchanged;
    return back;
  }
  // A driver that was reloaded is back at its default: nobody's wish.
  const bool at_default = now->factory && same_limit(now->requested, *now->factory);
  if (entry.is_ours(*now->requested) || at_default || foreign == ForeignLimit::overwrite) {
    back.state = BackState::restored;
    return back;
  }
  back.state = BackState::foreign;
  back.error =
      DeviceError{Problem::failed,
                  fmt::format("{}: its limit is {:g} W, which Wattflex did not set; {:g} W were found",
                              entry.gpu.text, now->requested->watts(), entry.found.watts()),
                  "another program set it: leave it so, or write what was found with --foreign overwrite"};
  return back;
}

// One try for each; `restored` means written and read back.
std::vector<BackOutcome> CapWriter::try_back(std::span<const GpuUuid> gpus, ForeignLimit foreign) {
  const auto now = read_limits(gpus);
  std::vector<BackOutcome> tried;
  std::vector<CapRequest> requests;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    tried.push_back(back_of(*journal_.find(gpus[i], settings_.hold), now[i], foreign));
    if (tried.back().state == BackState::restored) requests.push_back({gpus[i], tried.back().entry.found});
  }
  if (requests.empty()) return tried;
  const auto answers = write_limits(requests);
  auto answer = answers.begin();
  for (BackOutcome& back : tried) {
    if (back.state != BackState::restored) continue;
    const Limits& written = *answer++;
    if (written) back.after = *written;
    if (written && same_limit(written->requested, back.entry.found)) continue;
    back.state = BackState::failed;
    back.error = written ? DeviceError{Problem::failed,
                                       fmt::format("{}: {:g} W were written and did not take hold",
                                                   back.entry.gpu.text, back.entry.found.watts()),
                                       "it stays in the journal: try again with 'wattflex restore --all'"}
                         : written.error();
  }
  return tried;
}

Result<std::vector<BackOutcome>> CapWriter::put_back(std::span<const GpuUuid> gpus, ForeignLimit foreign) {
  std::vector<GpuUuid> open;
  for (const GpuUuid& gpu : gpus) {
    if (journal_.find(gpu, settings_.hold) != nullptr) open.push_back(gpu);
  }
  std::vector<BackOutcome> done;
  std::chrono::milliseconds pause = settings_.first_pause;
  for (int tries = 1; !open.empty(); ++tries) {
    std::vector<GpuUuid> again;
    std::vector<GpuUuid> proven;
    for (BackOutcome& back : try_back(open, foreign)) {
      if (back.state == BackState::failed && tries < settings_.tries) {
        again.push_back(back.entry.gpu);
        continue;
      }
      if (back.state == BackState::restored || back.state == BackState::unchanged)
        proven.push_back(back.entry.gpu);
      done.push_back(std::move(back));
    }
    if (const auto removed = journal_.remove(proven, settings_.hold); !removed)
      return std::unexpected(removed.error());
    open = std::move(again);
    if (!open.empty()) wait_for(std::exchange(pause, pause * 4));
  }
  return done;
}

}  // namespace wattflex::control
