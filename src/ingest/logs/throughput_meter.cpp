#include "ingest/logs/throughput_meter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wattflex::logs {
namespace {

std::optional<double> as_number(Count count) {
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::optional<double> by(std::optional<double> a, std::optional<double> b) {
  return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

std::optional<double> product(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a * *b) : std::nullopt;
}

std::optional<double> counted_tokens(const Interval& interval) {
  return interval.line.step_tokens ? interval.line.step_tokens : interval.tokens_counted;
}

// The time these steps usually take, by now.
double usual_time(const PauseTotal& pause, const StepTimes& times) {
  return pause.steps * times.running_median().value_or(0);
}

PauseTotal& total_of(RunFigures& figures, Pause kind) {
  switch (kind) {
    case Pause::evaluation:
      return figures.evaluation;
    case Pause::checkpoint:
      return figures.checkpoint;
    case Pause::evaluation_and_checkpoint:
      return figures.both;
    case Pause::none:
      break;
  }
  return figures.other;
}

void add_ratio(StepTimes& ratios, std::optional<double> ratio) {
  if (ratio && *ratio > 0) ratios.add({.step_time = *ratio});
}

std::optional<double> robust_mean(const StepTimes& values) {
  const auto typical = values.typical();
  return typical ? std::optional(typical->step_time) : std::nullopt;
}

}  // namespace

std::string_view to_string(TokenSource source) {
  switch (source) {
    case TokenSource::declared:
      return "declared";
    case TokenSource::counted:
      return "counted";
    case TokenSource::printed:
      return "printed";
    case TokenSource::none:
      break;
  }
  return "none";
}

ThroughputMeter::ThroughputMeter(MeterOptions options)
    : options_(options),
      all_(std::make_unique<Run>()),
      segment_(std::make_unique<Run>()),
      printed_(std::make_unique<StepTimes>()),
      token_ratios_(std::make_unique<StepTimes>()),
      sample_ratios_(std::make_unique<StepTimes>()),
      counter_ratios_(std::make_unique<StepTimes>()),
      time_ratios_(std::make_unique<StepTimes>()) {
  shape_.declared.step_tokens = -1;  // none that a log declares
  take_shape({});
}

void ThroughputMeter::take_interval(double steps) {
  if (votes_ == 0) interval_ = steps;
  votes_ += steps == interval_ ? 1 : -1;
}

void ThroughputMeter::take_shape(const JobShape& declared) {
  if (declared == shape_.declared) return;
  shape_ = {.declared = declared, .used = declared.overridden_by(options_.given)};
  shape_.samples = as_number(shape_.used.samples_per_step());
  shape_.seq_len = as_number(shape_.used.seq_len);
  shape_.step_tokens = as_number(shape_.used.step_tokens);
  shape_.gpus = as_number(shape_.used.job_gpus());
}

// Samples of one step: an option, then what the line says (batches ramp up), then the header.
std::optional<double> ThroughputMeter::samples_of(const Interval& interval) const {
  if (options_.given.global_batch) return shape_.samples;
  if (interval.line.step_samples) return interval.line.step_samples;
  return shape_.samples ? shape_.samples : interval.samples_counted;
}

void ThroughputMeter::take_tokens(StepRecord& record) const {
  const auto counted = counted_tokens(record.interval);
  const auto take = [&](std::optional<double> tokens, TokenSource source) {
    if (!tokens) return false;
    record.tokens = tokens;
    record.source = source;
    return true;
  };
  if (options_.counted != TokenKind::unknown && take(counted, TokenSource::counted)) return;
  if (take(product(record.samples, shape_.seq_len), TokenSource::declared)) return;
  if (take(shape_.step_tokens, TokenSource::declared)) return;
  (void)take(counted, TokenSource::counted);
}

std::optional<double> ThroughputMeter::job_rate(const StepLine& line) const {
  if (!line.printed_tokens_rate || *line.printed_tokens_rate <= 0) return std::nullopt;
  return line.scope == Scope::device ? product(line.printed_tokens_rate, shape_.gpus)
                                     : line.printed_tokens_rate;
}

StepRecord ThroughputMeter::add(const Interval& interval, const JobShape& declared) {
  take_shape(declared);
  StepRecord record{.interval = interval};
  record.step_time = interval.step_time();
  record.samples = samples_of(interval);
  take_tokens(record);
  record.printed_tokens_per_s = job_rate(interval.line);
  // Without a clock the printed rate is the only reading of time there is.
  if (!record.step_time && !interval.gap) record.step_time = by(record.tokens, record.printed_tokens_per_s);
  if (options_.skipped == Skipped::as_time_only && interval.line.skipped_steps > 0) {
    const double share = std::max(0.0, 1 - interval.line.skipped_steps / interval.steps);
    record.tokens = product(record.tokens, share);
    record.samples = product(record.samples, share);
  }
  record.tokens_per_s = by(record.tokens, record.step_time);
  record.samples_per_s = by(record.samples, record.step_time);
  if (!record.tokens && record.printed_tokens_per_s) {
    record.tokens_per_s = record.printed_tokens_per_s;
    record.source = TokenSource::printed;
  }
  if (interval.first) {
    close_segment();
    segment_->figures = {
        .segment = interval.segment, .first_line = interval.number, .first_step = interval.line.step};
    if (n_segments_++ == 0) all_->figures = segment_->figures;
  }
  if (record.source != TokenSource::none) source_ = record.source;
  if (interval.line.printed_tokens_rate) scope_ = interval.line.scope;
  take_figures(record, *all_);
  take_figures(record, *segment_);
  take_pause(record, *segment_);
  take_checks(record);
  return record;
}

void ThroughputMeter::take_figures(const StepRecord& record, Run& run) const {
  const Interval& interval = record.interval;
  run.figures.last_line = interval.number;
  run.figures.last_step = interval.line.step;
  if (interval.line.loss_is_nan) ++run.figures.nan_losses;
  run.figures.skipped += static_cast<std::uint64_t>(std::max(0, interval.line.skipped_steps));
  if (interval.first) return;  // start-up and compilation are in it
  run.figures.steps += interval.steps;
  if (record.step_time) {
    run.times.add({.step_time = *record.step_time,
                   .steps = interval.steps,
                   .tokens = record.source == TokenSource::printed
                                 ? product(record.printed_tokens_per_s, record.step_time)
                                 : record.tokens,
                   .samples = record.samples});
  } else if (record.source == TokenSource::printed && !interval.gap) {
    // Rates alone: seconds a token, harmonic like everything that is done by work over time.
    run.figures.rate_only = true;
    run.times.add({.step_time = 1 / *record.printed_tokens_per_s, .steps = 1, .tokens = 1});
  }
  if (interval.gap) {
    run.any_gap = true;
    run.wall += *interval.gap;
  } else {
    run.all_gaps = false;
  }
  run.wall_tokens += record.tokens.value_or(0) * interval.steps;
  run.wall_samples += record.samples.value_or(0) * interval.steps;
  run.all_tokens = run.all_tokens && record.tokens;
  run.all_samples = run.all_samples && record.samples;
}

void ThroughputMeter::take_pause(const StepRecord& record, Run& run) {
  const Interval& interval = record.interval;
  if (interval.first || !interval.gap) return;
  PauseTotal one{.count = 1, .gap = *interval.gap, .steps = interval.steps};
  if (interval.own_step_time) {
    // The log measures its steps itself: what the clock has beyond them is a pause, labelled or not. A tenth
    // is the time between two steps.
    const double excess = *interval.gap - interval.steps * *interval.own_step_time;
    if (interval.pause == Pause::none && excess < std::max(0.1 * *interval.gap, 1.0)) return;
    one.gap = std::max(0.0, excess);
    one.steps = 0;
  } else if (interval.pause == Pause::none) {
    return;
  }
  for (Run* const total : {all_.get(), &run}) {
    PauseTotal& sum = total_of(total->figures, interval.pause);
    sum.count += 1;
    sum.gap += one.gap;
    sum.steps += one.steps;
  }
  ++n_pauses_;
  if (pauses_.size() < kMostPauses) {
    pauses_.push_back({.line = interval.number,
                       .segment = interval.segment,
                       .kind = interval.pause,
                       .gap = one.gap,
                       .steps = one.steps,
                       .time = std::max(0.0, one.gap - usual_time(one, run.times))});
  }
}

void ThroughputMeter::take_checks(const StepRecord& record) {
  const Interval& interval = record.interval;
  if (interval.line.printed_tokens_rate) add_ratio(*printed_, interval.line.printed_tokens_rate);
  const auto ratio =
      record.source == TokenSource::printed
          ? std::nullopt
          : by(record.printed_tokens_per_s ? record.printed_tokens_per_s : interval.line.printed_tokens_rate,
               record.tokens_per_s);
  const bool from_time = interval.own_step_time || interval.gap;
  if (from_time) {
    cumulative_.add(interval.line.tokens_seen, interval.line.printed_tokens_rate, interval.time,
                    ratio && std::abs(*ratio - 1) > 0.03);
  } else if (interval.line.tokens_seen) {
    cumulative_.add(interval.line.tokens_seen, interval.line.printed_tokens_rate, interval.time, true);
  }
  if (interval.first) return;
  take_interval(interval.steps);
  if (from_time) add_ratio(*token_ratios_, ratio);
  add_ratio(*sample_ratios_, by(interval.line.printed_samples_rate, record.samples_per_s));
  const auto declared = product(record.samples, shape_.seq_len);
  add_ratio(*counter_ratios_, by(counted_tokens(interval), declared));
  if (interval.pause == Pause::none && interval.gap && interval.own_step_time &&
      interval.line.elapsed_resolution == 0)
    add_ratio(*time_ratios_, by(interval.own_step_time, *interval.gap / interval.steps));
}

RunFigures ThroughputMeter::finished(const Run& run) {
  RunFigures figures = run.figures;
  figures.typical = run.times.typical();
  const double step_time = figures.typical ? figures.typical->step_time : 0;
  for (PauseTotal* const pause : {&figures.evaluation, &figures.checkpoint, &figures.both, &figures.other})
    pause->time = std::max(0.0, pause->gap - pause->steps * step_time);
  if (run.any_gap && run.all_gaps && run.wall > 0) {
    figures.wall = run.wall;
    if (run.all_tokens) figures.wall_tokens_per_s = run.wall_tokens / run.wall;
    if (run.all_samples) figures.wall_samples_per_s = run.wall_samples / run.wall;
    // Gaps without a mark, where the log does not time its steps: stalls.
    if (figures.typical && figures.other.count == 0 && figures.typical->dropped_excess_time > 0) {
      figures.other = {.count = figures.typical->dropped, .time = figures.typical->dropped_excess_time};
    }
  }
  return figures;
}

void ThroughputMeter::close_segment() {
  if (n_segments_ > 0 && segments_.size() < kMostSegments) segments_.push_back(finished(*segment_));
  segment_->times.clear();
  StepTimes kept = std::move(segment_->times);
  *segment_ = Run{.times = std::move(kept)};
}

void ThroughputMeter::summarise(LogSummary& summary, TokenKind framework_kind) const {
  summary.given = options_.given;
  summary.used = summary.declared.overridden_by(options_.given);
  summary.source = source_;
  summary.all = finished(*all_);
  summary.segments = segments_;
  if (n_segments_ > 0 && summary.segments.size() < kMostSegments)
    summary.segments.push_back(finished(*segment_));
  summary.n_segments = n_segments_;
  summary.pauses = pauses_;
  summary.n_pauses = n_pauses_;
  summary.printed_tokens_per_s = robust_mean(*printed_);
  summary.printed_scope = scope_;
  summary.printed_is_cumulative = cumulative_.found();
  // Batch times sequence counts every position; what the log counts itself is what its framework counts.
  if (source_ == TokenSource::declared) summary.token_kind = TokenKind::padded;
  if (source_ == TokenSource::counted || source_ == TokenSource::printed)
    summary.token_kind = options_.counted != TokenKind::unknown ? options_.counted : framework_kind;
  const auto explained = [&](Printed what, const StepTimes& ratios) -> std::optional<CrossCheck> {
    const auto ratio = robust_mean(ratios);
    if (!ratio) return std::nullopt;
    const bool one_device =
        what == Printed::tokens_rate && scope_ == Scope::device && !summary.used.job_gpus();
    return explain_ratio(what, *ratio,
                         {.shape = summary.used, .interval = interval_, .one_device = one_device});
  };
  summary.tokens_check = explained(Printed::tokens_rate, *token_ratios_);
  summary.samples_check = explained(Printed::samples_rate, *sample_ratios_);
  summary.counter_check = explained(Printed::token_counter, *counter_ratios_);
  summary.time_check = explained(Printed::step_time, *time_ratios_);
  if (summary.printed_is_cumulative && summary.tokens_check) {
    summary.tokens_check->agrees = false;
    summary.tokens_check->explanation =
        "the printed tokens/s is all tokens since the first start by the time since the last: cumulative, "
        "not used";
  }
}

}  // namespace wattflex::logs
