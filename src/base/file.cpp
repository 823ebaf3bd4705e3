#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace wattflex {
namespace {

// Holds back Ctrl-C and kill for the few milliseconds a write takes; they arrive when it is over.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_{};
};

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

bool is_regular_or_new(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

Result<void> write_directly(const std::string& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return failed(path, "cannot open");
  const bool written = write_all(file, text);
  const auto result = written ? Result<void>() : failed(path, "cannot write");
  close(file);
  return result;
}

Result<void> write_neighbour(const std::string& neighbour, std::string_view text) {
  const int file = open(neighbour.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return failed(neighbour, "cannot create");
  const bool written = write_all(file, text);
  auto result = written ? Result<void>() : failed(neighbour, "cannot write");
  if (close(file) != 0 && result) result = failed(neighbour, "cannot close");
  return result;
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view text) {
  const SignalsHeldBack held;
  if (!is_regular_or_new(path)) return write_directly(path, text);
  const std::string neighbour = path + ".part-" + std::to_string(getpid());
  Result<void> result = write_neighbour(neighbour, text);
  if (result && rename(neighbour.c_str(), path.c_str()) != 0) result = failed(path, "cannot replace");
  if (!result) unlink(neighbour.c_str());
  return result;
}

}  // namespace wattflex
