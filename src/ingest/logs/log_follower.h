// The steps of a job that is running, as its log grows: a FollowedFile read through a LogReader. Whoever
// polls brings the time, so that tests need not wait and a twin's clock serves as well as the machine's.
#pragma once

#include <vector>

#include "base/quantity.h"
#include "ingest/logs/followed_file.h"
#include "ingest/logs/log_reader.h"

namespace wattflex::logs {

class LogFollower {
 public:
  static Result<LogFollower> open(const std::string& path, LogOptions options);

  // Reads what has come, at most kMostBytesPerPoll, and gives its steps. `now` is any clock that does not go
  // back; a line counts as written when it is read, except those that were there before the first poll.
  Result<std::vector<StepRecord>> poll(Seconds now);
  // Whether the last poll left bytes unread: poll again before waiting.
  bool more() const { return more_; }
  bool at_end() const { return file_.at_end(); }
  void wait(std::chrono::milliseconds at_most) const { file_.wait(at_most); }
  LogSummary finish();
  const LogReader& reader() const { return *reader_; }

 private:
  LogFollower(FollowedFile file, LogReader reader);

  FollowedFile file_;
  std::unique_ptr<LogReader> reader_;  // its sink must not move
  std::unique_ptr<std::vector<StepRecord>> steps_;
  std::vector<char> buffer_;
  std::optional<Seconds> last_bytes_;
  bool more_ = false;
  bool caught_up_ = false;  // what comes now is new
};

// Bounds what a poll holds in memory and how long it takes.
inline constexpr std::size_t kMostBytesPerPoll = std::size_t{1} << 20;
// Ranks write the lines of a step within this time; then the step is given, whoever is missing.
inline constexpr Seconds kRankPatience{2};

}  // namespace wattflex::logs
