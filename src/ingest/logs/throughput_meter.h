// Turns intervals of steps into throughput of the whole job, and sums them up for the log and its segments,
// in fixed memory.
#pragma once

#include <memory>
#include <vector>

#include "ingest/logs/log_summary.h"

namespace wattflex::logs {

// Whether a step that the optimizer skipped counts as throughput.
enum class Skipped { as_progress, as_time_only };

struct MeterOptions {
  JobShape given;
  TokenKind counted = TokenKind::unknown;  // by the log; known: its counts are used
  Skipped skipped = Skipped::as_progress;
};

class ThroughputMeter {
 public:
  explicit ThroughputMeter(MeterOptions options);

  // `declared` is what the log has said so far.
  StepRecord add(const Interval& interval, const JobShape& declared);
  // Everything but what the reader counts: framework, lines, warnings about options.
  void summarise(LogSummary& summary, TokenKind framework_kind) const;
  const StepTimes& times() const { return all_->times; }

 private:
  struct Run {
    StepTimes times;
    RunFigures figures;
    double wall = 0, wall_tokens = 0, wall_samples = 0;
    bool any_gap = false, all_gaps = true, all_tokens = true, all_samples = true;
  };

  // What follows from the declarations; worked out again when they change.
  struct Shape {
    JobShape declared, used;
    std::optional<double> samples, seq_len, step_tokens, gpus;
  };

  void take_shape(const JobShape& declared);
  std::optional<double> samples_of(const Interval& interval) const;
  void take_tokens(StepRecord& record) const;
  std::optional<double> job_rate(const StepLine& line) const;
  void take_interval(double steps);
  void take_figures(const StepRecord& record, Run& run) const;
  void take_pause(const StepRecord& record, Run& run);
  void take_checks(const StepRecord& record);
  static RunFigures finished(const Run& run);
  void close_segment();

  MeterOptions options_;
  Shape shape_;
  std::unique_ptr<Run> all_;
  std::unique_ptr<Run> segment_;
  std::vector<RunFigures> segments_;
  std::uint64_t n_segments_ = 0;
  std::vector<PauseEntry> pauses_;
  std::uint64_t n_pauses_ = 0;
  // Ratios and printed rates are positive numbers like step times, and as robustly averaged.
  std::unique_ptr<StepTimes> printed_, token_ratios_, sample_ratios_, counter_ratios_, time_ratios_;
  double interval_ = 1;  // most lines cover so many steps: the candidate of a majority vote
  std::int64_t votes_ = 0;
  CumulativeRate cumulative_;
  Scope scope_ = Scope::unknown;
  TokenSource source_ = TokenSource::none;
};

}  // namespace wattflex::logs
