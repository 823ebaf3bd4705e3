// A regular expression of the user's with named groups, for logs of no known framework: "(?P<step>\d+) ...".
// RE2, so that no pattern and no line takes more than linear time.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "ingest/logs/line_format.h"

namespace wattflex::logs {

// Groups: step, time (Unix seconds or a date), step_time, step_time_ms, tokens, tokens_seen, tokens_per_s,
// tokens_per_s_per_gpu, samples, samples_seen, samples_per_s, rank, loss, epoch. Others, and a pattern
// without step, tokens_per_s or samples_per_s, are refused.
Result<std::unique_ptr<LineFormat>> user_pattern_format(const std::string& pattern);

// Lines that may matter: one pass over the line, whatever the number of words.
class LineFilter {
 public:
  // `expression` is one of ours: a bad one is a bug.
  explicit LineFilter(const std::string& expression);
  LineFilter(const LineFilter&) = delete;
  LineFilter& operator=(const LineFilter&) = delete;
  LineFilter(LineFilter&&) noexcept;
  LineFilter& operator=(LineFilter&&) noexcept;
  ~LineFilter();
  bool passes(std::string_view line) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace wattflex::logs
