// Reads a training log as its bytes arrive and gives its steps with their throughput: the core of `wattflex
// logs`, and of whatever watches a running job. One pass, bounded memory, no clock of its own. Not
// thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/logs/line_format.h"
#include "ingest/logs/log_summary.h"
#include "ingest/logs/throughput_meter.h"
#include "ingest/logs/user_pattern.h"

namespace wattflex::logs {

struct LogOptions {
  std::optional<Framework> framework;  // detected unless given
  std::string pattern;                 // a user's regular expression; beats the framework
  MeterOptions meter;
};

class LogReader {
 public:
  using Sink = std::function<void(const StepRecord&)>;

  static Result<LogReader> create(LogOptions options);

  // Whom steps go to, as soon as they are known. A log may turn out to be another framework's than its first
  // lines said; `restarted` says that what was given so far does not count.
  void on_step(Sink sink) { sink_ = std::move(sink); }
  void on_restart(std::function<void(Framework)> restarted) { restarted_ = std::move(restarted); }

  // `arrived`: when the bytes came, in seconds of any clock, for logs that show no time. Whole logs read
  // afterwards have none.
  void feed(std::string_view bytes, std::optional<double> arrived = std::nullopt);
  // Gives steps that were held back for lines of other ranks: nothing came for a while.
  void flush();
  // The log ends; a line without its end is left out.
  LogSummary finish();
  LogSummary summary() const;
  std::optional<Framework> framework() const;
  std::uint64_t bytes() const { return lines_.counts().bytes; }

 private:
  explicit LogReader(LogOptions options);

  void read_line(std::string_view line, std::uint64_t number);
  bool read_steps(LineFormat& format, std::string_view line, std::uint64_t number);
  bool read_record(LineFormat& format, std::string_view record, std::string_view front, std::uint64_t number);
  void take_step(StepLine step, std::uint64_t number);
  void take_summary(const StepLine& step, Framework framework, std::uint64_t number);
  void choose(LineFormat& format);
  void deliver();
  bool has_anchor(const LineFormat& format, std::string_view line);

  LogOptions options_;
  std::vector<std::unique_ptr<LineFormat>> formats_;  // the most telling first
  LineFormat* chosen_ = nullptr;
  std::size_t likely_anchor_ = 0;
  LineFilter filter_;
  LineAssembler lines_;
  JobShape declared_;
  std::optional<double> arrived_;
  std::unique_ptr<StepTracker> tracker_;
  std::unique_ptr<ThroughputMeter> meter_;
  std::vector<Interval> ready_;
  std::optional<EndOfRun> end_of_run_;
  std::uint64_t glued_ = 0;
  std::uint64_t damaged_ = 0;
  Sink sink_;
  std::function<void(Framework)> restarted_;
};

}  // namespace wattflex::logs
