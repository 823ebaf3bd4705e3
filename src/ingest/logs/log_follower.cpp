#include "ingest/logs/log_follower.h"

#include <utility>

namespace wattflex::logs {

LogFollower::LogFollower(FollowedFile file, LogReader reader)
    : file_(std::move(file)),
      reader_(std::make_unique<LogReader>(std::move(reader))),
      steps_(std::make_unique<std::vector<StepRecord>>()),
      buffer_(std::size_t{64} << 10) {
  reader_->on_step([steps = steps_.get()](const StepRecord& record) { steps->push_back(record); });
}

Result<LogFollower> LogFollower::open(const std::string& path, LogOptions options) {
  auto reader = LogReader::create(std::move(options));
  if (!reader) return std::unexpected(reader.error());
  auto file = FollowedFile::open(path);
  if (!file) return std::unexpected(file.error());
  return LogFollower(*std::move(file), *std::move(reader));
}

Result<std::vector<StepRecord>> LogFollower::poll(Seconds now) {
  more_ = false;
  const auto arrived = caught_up_ ? std::optional(now.count()) : std::nullopt;
  for (std::size_t read = 0;;) {
    const auto count = file_.read(buffer_);
    if (!count) return std::unexpected(count.error());
    // The old file's last line will not go on in the new one.
    if (file_.rotated()) reader_->feed("\n", arrived);
    if (*count == 0) break;
    last_bytes_ = now;
    reader_->feed({buffer_.data(), *count}, arrived);
    read += *count;
    if (read < kMostBytesPerPoll) continue;
    more_ = true;
    break;
  }
  caught_up_ = caught_up_ || !more_;
  if (last_bytes_ && now - *last_bytes_ >= kRankPatience) {
    reader_->flush();
    last_bytes_.reset();
  }
  return std::exchange(*steps_, {});
}

LogSummary LogFollower::finish() {
  return reader_->finish();
}

}  // namespace wattflex::logs
