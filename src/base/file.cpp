#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/held_signals.h"

namespace wattflex {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> failed(const std::string& path, const char* step) {
  const std::string reason = std::generic_category().message(errno);
  return fail(ErrorKind::io, path + ": " + step + ": " + reason,
              "check that the folder exists, is writable and has space left");
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool is_open_as(int stream, const struct stat& file) {
  struct stat open{};
  return fstat(stream, &open) == 0 && open.st_dev == file.st_dev && open.st_ino == file.st_ino;
}

Result<void> write_stream(int stream, const std::string& path, std::string_view text) {
  return write_all(stream, text) ? Result<void>() : failed(path, "cannot write");
}

Result<void> write_directly(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return failed(path, "cannot open");
  auto result = write_stream(file, path, text);
  if (close(file) != 0 && result) result = failed(path, "cannot close");
  return result;
}

// A file beside `target` that has no name yet; -1 where there is no such thing, or nothing to name it by.
int open_unnamed(const fs::path& target) {
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  return open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

bool give_name(int file, const std::string& name) {
  const std::string itself = "/proc/self/fd/" + std::to_string(file);
  return linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// `old` is null for a new file. Errors name `path`, as the user does.
Result<void> replace(const std::string& path, const struct stat* old, std::string_view text) {
  const std::string target = behind_links(path);
  const std::string neighbour = target + ".part-" + std::to_string(getpid());
  unlink(neighbour.c_str());  // of a killed process that had our number
  int file = open_unnamed(target);
  const bool unnamed = file >= 0;
  if (!unnamed) file = open(neighbour.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return failed(path, "cannot create");
  Result<void> result;
  if (old != nullptr && fchmod(file, old->st_mode & 07777) != 0)
    result = failed(path, "cannot keep its mode");
  if (result) result = write_stream(file, path, text);
  // A taken name is not to be had by linking; rename() replaces, and wants a first name.
  if (result && unnamed && !give_name(file, neighbour)) result = failed(path, "cannot name");
  if (close(file) != 0 && result) result = failed(path, "cannot close");
  if (result && rename(neighbour.c_str(), target.c_str()) != 0) result = failed(path, "cannot replace");
  if (!result) unlink(neighbour.c_str());
  return result;
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view text) {
  struct stat old{};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) return failed(path, "cannot open");
  if (exists) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      if (is_open_as(stream, old)) return write_stream(stream, path, text);
    }
    if (!S_ISREG(old.st_mode)) return write_directly(path, text);
  }
  const SignalsHeldBack held;
  return replace(path, exists ? &old : nullptr, text);
}

bool is_standard_output(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && is_open_as(STDOUT_FILENO, status);
}

std::string behind_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // the kernel's bound: more are a circle
  fs::path end = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code no_link;
    const fs::path next = fs::read_symlink(end, no_link);
    if (no_link) break;
    end = end.parent_path() / next;
  }
  return end;
}

}  // namespace wattflex
