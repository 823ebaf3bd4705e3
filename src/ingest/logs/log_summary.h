// What a training log says about throughput, for the whole log and for each uninterrupted run in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/logs/cross_check.h"
#include "ingest/logs/line_assembler.h"
#include "ingest/logs/step_times.h"
#include "ingest/logs/step_tracker.h"

namespace wattflex::logs {

// Where the tokens of a step come from, the better first.
enum class TokenSource { declared, counted, printed, none };
std::string_view to_string(TokenSource source);

// Steps between two lines, with their tokens.
struct StepRecord {
  Interval interval;
  std::optional<double> step_time;
  std::optional<double> samples;  // of one step, whole job
  std::optional<double> tokens;
  std::optional<double> samples_per_s;
  std::optional<double> tokens_per_s;
  std::optional<double> printed_tokens_per_s;  // of the whole job, where its scope is known
  TokenSource source = TokenSource::none;
};

struct PauseTotal {
  std::uint64_t count = 0;
  double gap = 0;    // s between the lines around it
  double steps = 0;  // that lie in those gaps
  double time = 0;   // s beyond what those steps usually take; set when the reading is over
};

struct PauseEntry {
  std::uint64_t line = 0;
  std::uint32_t segment = 0;
  Pause kind = Pause::none;
  double gap = 0;
  double steps = 0;
  double time = 0;
};

struct RunFigures {
  std::uint32_t segment = 0;
  std::uint64_t first_line = 0, last_line = 0;
  std::optional<std::int64_t> first_step, last_step;
  double steps = 0;           // done between the first line and the last
  std::uint64_t skipped = 0;  // of them, without progress
  std::uint64_t nan_losses = 0;
  std::optional<TypicalSteps> typical;  // training only
  bool rate_only = false;               // rates were printed and no times: `typical` has no step time
  std::optional<double> wall;           // s from the first line to the last
  std::optional<double> wall_tokens_per_s;
  std::optional<double> wall_samples_per_s;
  PauseTotal evaluation, checkpoint, both, other;
  double pause_time() const { return evaluation.time + checkpoint.time + both.time + other.time; }
};

struct EndOfRun {  // what the framework printed at the end
  Framework framework = Framework::generic;
  std::uint64_t line = 0;
  std::optional<double> runtime, samples_per_s, tokens_per_s;
  std::uint64_t copies = 0;
};

struct LogSummary {
  std::optional<Framework> framework;
  LineCounts lines;
  TrackCounts tracked;
  std::uint64_t glued = 0;    // lines with more than one record
  std::uint64_t damaged = 0;  // step lines without their figures
  JobShape declared, given, used;
  TokenKind token_kind = TokenKind::unknown;
  TokenSource source = TokenSource::none;
  RunFigures all;
  std::vector<RunFigures> segments;  // the first kMostSegments
  std::uint64_t n_segments = 0;
  std::vector<PauseEntry> pauses;  // the first kMostPauses
  std::uint64_t n_pauses = 0;
  std::optional<double> printed_tokens_per_s;  // typical, as printed
  Scope printed_scope = Scope::unknown;
  std::optional<CrossCheck> tokens_check, samples_check, counter_check, time_check;
  bool printed_is_cumulative = false;
  std::optional<EndOfRun> end_of_run;
  std::vector<std::string> warnings;
};

inline constexpr std::size_t kMostSegments = 1000;
inline constexpr std::size_t kMostPauses = 1000;

}  // namespace wattflex::logs
