#include "base/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace wattflex {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> not_durable(const std::string& path, const char* step) {
  return fail(ErrorKind::io, path + ": " + step + ": " + std::generic_category().message(errno),
              "check that the folder exists, is writable and has space left");
}

bool write_whole(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A new name in a folder is safe once the folder is synced.
Result<void> sync_folder(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  const int folder = open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return not_durable(path, "its folder can't be opened");
  const bool synced = fsync(folder) == 0;
  const auto result = synced ? Result<void>() : not_durable(path, "its folder can't be synced");
  close(folder);
  return result;
}

}  // namespace

Result<void> write_file_durably(const std::string& path, std::string_view text) {
  const std::string next = path + ".next";
  const int file = open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return not_durable(path, "can't be created");
  Result<void> result;
  if (!write_whole(file, text)) result = not_durable(path, "can't be written");
  if (result && fsync(file) != 0) result = not_durable(path, "can't be synced");
  if (close(file) != 0 && result) result = not_durable(path, "can't be closed");
  if (result && rename(next.c_str(), path.c_str()) != 0) result = not_durable(path, "can't be replaced");
  if (!result) {
    unlink(next.c_str());
    return result;
  }
  return sync_folder(path);
}

}  // namespace wattflex
