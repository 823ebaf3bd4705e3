#include "ingest/logs/followed_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace wattflex::logs {
namespace {

std::unexpected<Error> cannot(const char* what, const std::string& path) {
  return fail(ErrorKind::io, "cannot " + std::string(what) + " " + path + ": " + std::strerror(errno),
              "does the file exist, and may you read it?");
}

Result<int> open_descriptor(const std::string& path) {
  if (path == "-") return STDIN_FILENO;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return cannot("open", path);
  struct stat status{};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    errno = EISDIR;
    return cannot("read", path);
  }
  return descriptor;
}

// Also true at the end of a pipe: reading then says so.
bool has_bytes(int descriptor, int milliseconds) {
  pollfd wanted{.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&wanted, 1, milliseconds) > 0;
}

}  // namespace

FollowedFile::FollowedFile(std::string path, int descriptor)
    : path_(std::move(path)), name_(path_ == "-" ? "standard input" : path_), descriptor_(descriptor) {
  struct stat status{};
  is_regular_ = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

FollowedFile::FollowedFile(FollowedFile&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_regular_(other.is_regular_),
      offset_(other.offset_),
      rotated_(other.rotated_),
      at_end_(other.at_end_) {}

FollowedFile& FollowedFile::operator=(FollowedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(is_regular_, other.is_regular_);
  std::swap(offset_, other.offset_);
  std::swap(rotated_, other.rotated_);
  std::swap(at_end_, other.at_end_);
  return *this;
}

FollowedFile::~FollowedFile() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

Result<FollowedFile> FollowedFile::open(const std::string& path) {
  const auto descriptor = open_descriptor(path);
  if (!descriptor) return std::unexpected(descriptor.error());
  return FollowedFile(path, *descriptor);
}

void FollowedFile::wait(std::chrono::milliseconds at_most) const {
  if (is_regular_) {
    std::this_thread::sleep_for(at_most);
  } else {
    (void)has_bytes(descriptor_, static_cast<int>(at_most.count()));
  }
}

Result<std::size_t> FollowedFile::read(std::span<char> into) {
  for (;;) {
    if (!is_regular_ && !has_bytes(descriptor_, 0)) return std::size_t{0};
    const ssize_t count = ::read(descriptor_, into.data(), into.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::size_t{0};
    if (count < 0) return cannot("read", name_);
    if (count > 0) {
      offset_ += static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
    if (!is_regular_) {
      at_end_ = true;
      return std::size_t{0};
    }
    const auto again = reopen();
    if (!again) return std::unexpected(again.error());
    if (!*again) return std::size_t{0};
  }
}

// At the end of the file: whether another one, or a new beginning of the same, is to be read.
Result<bool> FollowedFile::reopen() {
  struct stat ours{};
  if (::fstat(descriptor_, &ours) != 0) return cannot("look at", name_);
  if (static_cast<std::uint64_t>(ours.st_size) < offset_) {
    if (::lseek(descriptor_, 0, SEEK_SET) != 0) return cannot("read", name_);
    offset_ = 0;
    rotated_ = true;
    return true;
  }
  if (path_ == "-") return false;
  struct stat named{};
  // Between the two steps of a rotation there is no file.
  if (::stat(path_.c_str(), &named) != 0)
    return errno == ENOENT ? Result<bool>(false) : cannot("look at", name_);
  if (named.st_dev == ours.st_dev && named.st_ino == ours.st_ino) return false;
  const auto descriptor = open_descriptor(path_);
  if (!descriptor) return std::unexpected(descriptor.error());
  ::close(descriptor_);
  descriptor_ = *descriptor;
  offset_ = 0;
  rotated_ = true;
  return true;
}

}  // namespace wattflex::logs
