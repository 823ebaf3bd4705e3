// A log file that is still being written, read piece by piece as it grows; a rotated one (renamed and begun
// anew, or cut to nothing in place) goes on from the start of the new file once the old one is read to its
// end. Never waits: whoever polls has the clock.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/error.h"

namespace wattflex::logs {

class FollowedFile {
 public:
  // "-" is standard input, which cannot be rotated.
  static Result<FollowedFile> open(const std::string& path);
  FollowedFile(FollowedFile&& other) noexcept;
  FollowedFile& operator=(FollowedFile&& other) noexcept;
  FollowedFile(const FollowedFile&) = delete;
  FollowedFile& operator=(const FollowedFile&) = delete;
  ~FollowedFile();

  // Bytes that are there now; 0 when there are none yet, also while a rotated file has no successor.
  Result<std::size_t> read(std::span<char> into);
  // For those who have nothing else to do: until a pipe has bytes, or the time is over.
  void wait(std::chrono::milliseconds at_most) const;
  // Whether the last byte read was the last of a file that another has replaced: an unfinished line ends
  // there.
  bool rotated() { return std::exchange(rotated_, false); }
  // A pipe whose writer is gone; files never end.
  bool at_end() const { return at_end_; }
  bool is_regular() const { return is_regular_; }
  const std::string& name() const { return name_; }

 private:
  FollowedFile(std::string path, int descriptor);
  Result<bool> reopen();

  std::string path_;
  std::string name_;
  int descriptor_ = -1;
  bool is_regular_ = false;
  std::uint64_t offset_ = 0;
  bool rotated_ = false;
  bool at_end_ = false;
};

}  // namespace wattflex::logs
