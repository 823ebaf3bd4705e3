#include "ingest/logs/step_tracker.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wattflex::logs {
namespace {

// Synchronous ranks are at most this many steps apart when their lines are written.
constexpr std::size_t kRankWindow = 2;
// Bars of a segment that are remembered, to know a second rank's copy of the whole bar from a second run.
constexpr std::size_t kMostSeenBars = 256;
constexpr double kMostCopyLag = 2;  // s between the bars of two ranks
// A clock of whole seconds is read over at least this many of its ticks, so that a reading is off by at most
// a tenth.
constexpr double kLeastTicks = 10;

// Taken only where both are there.
std::optional<double> difference(std::optional<double> later, std::optional<double> earlier) {
  return later && earlier ? std::optional(*later - *earlier) : std::nullopt;
}

Pause with(Pause pause, Mark mark) {
  const Pause added = mark == Mark::evaluation ? Pause::evaluation : Pause::checkpoint;
  return pause == Pause::none || pause == added ? added : Pause::evaluation_and_checkpoint;
}

}  // namespace

std::string_view to_string(Pause pause) {
  switch (pause) {
    case Pause::none:
      return "none";
    case Pause::evaluation:
      return "evaluation";
    case Pause::checkpoint:
      return "checkpoint";
    case Pause::evaluation_and_checkpoint:
      return "evaluation+checkpoint";
  }
  return "none";
}

std::optional<double> Interval::step_time() const {
  if (own_step_time) return own_step_time;
  if (first || pause != Pause::none || !gap || !(*gap > 0)) return std::nullopt;
  return *gap / steps;
}

std::optional<double> StepTracker::Counter::per_step(std::optional<double> now, double steps) {
  steps_since += steps;
  if (!now) return std::nullopt;
  const auto added = difference(now, value);
  const double over = std::exchange(steps_since, 0.0);
  value = now;
  if (!added || *added <= 0 || over <= 0) return std::nullopt;
  return *added / over;
}

void StepTracker::mark(Mark mark) {
  if (!any_) return;
  if (mark == Mark::restart) {
    restarted_ = true;
  } else {
    pause_ = with(pause_, mark);
  }
}

bool StepTracker::is_copy(const StepLine& line) const {
  if (!line.wall_elapsed || !line.step) return false;
  const auto found = std::ranges::find(seen_, *line.step, &Seen::step);
  if (found != seen_.end()) return std::abs(found->elapsed - *line.wall_elapsed) <= kMostCopyLag;
  // Beyond what is remembered a copy goes on as it began.
  return seen_.size() == kMostSeenBars && *line.step > seen_.back().step && last_.wall_elapsed &&
         *line.wall_elapsed > seen_.back().elapsed && *line.wall_elapsed <= *last_.wall_elapsed;
}

bool StepTracker::is_duplicate(const StepLine& line) const {
  if (!line.step) {
    return line.epoch && line.epoch == last_.epoch && line.printed_tokens_rate == last_.printed_tokens_rate;
  }
  if (restarted_) return false;
  return std::ranges::find(recent_, line.step) != recent_.end() || (*line.step < last_.step && is_copy(line));
}

bool StepTracker::starts_segment(const StepLine& line) const {
  return !any_ || restarted_ || (line.step && last_.step && *line.step < *last_.step);
}

void StepTracker::add(const StepLine& line, std::uint64_t number, std::optional<double> arrived,
                      std::vector<Interval>& out) {
  ++counts_.step_lines;
  const auto same_step = [&](const Held& held) { return held.line.step == line.step; };
  if (line.rank <= 0 || !line.step) {
    // Rank 0 speaks for the job; its line replaces one held back for the same step.
    if (line.step) counts_.duplicates += std::erase_if(held_, same_step);
    while (!held_.empty() && line.step && *held_.front().line.step < *line.step) accept_first(out);
    return accept({line, number, arrived}, out);
  }
  if (any_ && is_duplicate(line)) {
    ++counts_.duplicates;
    return;
  }
  const auto same = std::ranges::find_if(held_, same_step);
  if (same != held_.end()) {
    ++counts_.duplicates;
    if (line.rank < same->line.rank) *same = {line, number, arrived};
    return;
  }
  if (!held_.empty() && *line.step < *held_.back().line.step && starts_segment(line)) flush(out);
  held_.insert(
      std::ranges::upper_bound(held_, line.step, {}, [](const Held& held) { return held.line.step; }),
      {line, number, arrived});
  while (held_.size() > kRankWindow) accept_first(out);
}

void StepTracker::flush(std::vector<Interval>& out) {
  while (!held_.empty()) accept_first(out);
}

void StepTracker::accept_first(std::vector<Interval>& out) {
  const Held held = held_.front();
  held_.pop_front();
  accept({held.line, held.number, held.arrived}, out);
}

void StepTracker::accept(const Taken& taken, std::vector<Interval>& out) {
  const StepLine& line = taken.line;
  if (any_ && is_duplicate(line)) {
    ++counts_.duplicates;
    return;
  }
  if (starts_segment(line)) return begin_segment(taken, out);
  Interval& interval = out.emplace_back();
  measure(taken, interval);
  note(line);
  const bool coarse = line.elapsed_resolution > 0 && !interval.own_step_time && interval.gap &&
                      *interval.gap < kLeastTicks * line.elapsed_resolution;
  // Not yet readable: the interval grows until it is.
  if (coarse && interval.pause == Pause::none && !line.tokens_seen) return out.pop_back();
  interval.tokens_counted = tokens_.per_step(line.tokens_seen, interval.steps);
  interval.samples_counted = samples_.per_step(line.samples_seen, interval.steps);
  remember(taken);
}

void StepTracker::begin_segment(const Taken& taken, std::vector<Interval>& out) {
  if (any_) ++segment_;
  any_ = true;
  restarted_ = false;
  pause_ = Pause::none;
  last_ = {};
  recent_ = {};
  seen_.clear();
  tokens_ = {.value = taken.line.tokens_seen};
  samples_ = {.value = taken.line.samples_seen};
  Interval& interval = out.emplace_back();
  measure(taken, interval);
  interval.first = true;
  interval.gap.reset();
  note(taken.line);
  remember(taken);
}

void StepTracker::measure(const Taken& taken, Interval& interval) const {
  const StepLine& line = taken.line;
  interval.line = line;
  interval.number = taken.number;
  interval.segment = segment_;
  interval.pause = pause_;
  if (line.step && last_.step) interval.steps = static_cast<double>(*line.step - *last_.step);
  interval.time = line.stamp ? line.stamp : line.wall_elapsed ? line.wall_elapsed : line.train_elapsed;
  if (!interval.time) interval.time = taken.arrived;
  interval.own_step_time = line.step_time;
  if (const auto trained = difference(line.train_elapsed, last_.train_elapsed);
      trained && *trained > 0 && !line.step_time)
    interval.own_step_time = *trained / interval.steps;
  auto gap = difference(line.stamp, last_.stamp);
  if (!gap) gap = difference(line.wall_elapsed, last_.wall_elapsed);
  if (!gap) gap = difference(taken.arrived, last_.arrived);
  // A clock that goes back was set, or counts anew (bars of an epoch).
  if (gap && *gap >= 0) interval.gap = gap;
}

void StepTracker::remember(const Taken& taken) {
  const StepLine& line = taken.line;
  if (line.step) last_.step = line.step;
  last_.stamp = line.stamp;
  last_.wall_elapsed = line.wall_elapsed;
  last_.train_elapsed = line.train_elapsed;
  last_.arrived = taken.arrived;
  last_.epoch = line.epoch;
  last_.printed_tokens_rate = line.printed_tokens_rate;
  pause_ = Pause::none;
}

void StepTracker::note(const StepLine& line) {
  recent_ = {line.step, recent_[0], recent_[1]};
  if (line.wall_elapsed && line.step && seen_.size() < kMostSeenBars)
    seen_.push_back({*line.step, *line.wall_elapsed});
}

}  // namespace wattflex::logs
