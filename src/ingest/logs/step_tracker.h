// From step lines to readings: which lines are new steps, which say the same again (other ranks, copies),
// where a resumed run begins, and how long each step took. One pass, fixed memory; knows nothing of tokens.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "ingest/logs/log_mark.h"
#include "ingest/logs/step_line.h"

namespace wattflex::logs {

enum class Pause { none, evaluation, checkpoint, evaluation_and_checkpoint };
std::string_view to_string(Pause pause);

// Steps between two lines of the log.
struct Interval {
  StepLine line;               // the later line
  std::uint64_t number = 0;    // its line in the file
  std::uint32_t segment = 0;   // from 0; a resumed run begins a new one
  bool first = false;          // of its segment: what came before it is unknown
  double steps = 1;            // that it covers
  std::optional<double> time;  // of the line: its date, else time since the start, else when it arrived
  std::optional<double> gap;   // s by the clock since the line before
  std::optional<double> own_step_time;   // as the log measures it: pauses are not in it
  Pause pause = Pause::none;             // what stood between the two lines
  std::optional<double> tokens_counted;  // of one step, by the log's running counts
  std::optional<double> samples_counted;

  // Of one step; missing where only a gap with a pause in it is known.
  std::optional<double> step_time() const;
};

struct TrackCounts {
  std::uint64_t step_lines = 0;
  std::uint64_t duplicates = 0;
};

class StepTracker {
 public:
  // A step line as read; `arrived` is when it came, for logs without any clock. Complete intervals are
  // appended to `out`.
  void add(const StepLine& line, std::uint64_t number, std::optional<double> arrived,
           std::vector<Interval>& out);
  void mark(Mark mark);
  // Nothing more is to be expected of other ranks' copies: gives what was held back for them.
  void flush(std::vector<Interval>& out);

  const TrackCounts& counts() const { return counts_; }

 private:
  struct Held {
    StepLine line;
    std::uint64_t number = 0;
    std::optional<double> arrived;
  };
  // What the next interval is measured from.
  struct Last {
    std::optional<std::int64_t> step;
    std::optional<double> stamp, wall_elapsed, train_elapsed, arrived;
    std::optional<double> epoch, printed_tokens_rate;
  };
  struct Counter {
    double steps_since = 0;  // of the last reading
    std::optional<double> value;
    std::optional<double> per_step(std::optional<double> now, double steps);
  };
  struct Seen {
    std::int64_t step = 0;
    double elapsed = 0;
  };

  // A line that is taken now.
  struct Taken {
    const StepLine& line;
    std::uint64_t number;
    std::optional<double> arrived;
  };

  void accept(const Taken& taken, std::vector<Interval>& out);
  void accept_first(std::vector<Interval>& out);
  bool is_duplicate(const StepLine& line) const;
  bool is_copy(const StepLine& line) const;
  bool starts_segment(const StepLine& line) const;
  void begin_segment(const Taken& taken, std::vector<Interval>& out);
  void measure(const Taken& taken, Interval& interval) const;
  void remember(const Taken& taken);
  void note(const StepLine& line);

  std::deque<Held> held_;  // of ranks above 0, by step, at most kRankWindow
  Last last_;
  std::array<std::optional<std::int64_t>, 3> recent_;  // steps taken, newest first
  std::vector<Seen> seen_;                             // the first bars of the segment
  Counter tokens_;
  Counter samples_;
  Pause pause_ = Pause::none;
  bool restarted_ = false;
  bool any_ = false;
  std::uint32_t segment_ = 0;
  TrackCounts counts_;
};

}  // namespace wattflex::logs
