#include "control/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

namespace wattflex::control {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::unexpected<Error> no_guard(const std::string& why) {
  return fail(ErrorKind::io,
              "no guard could be started that puts limits back if this process is killed: " + why,
              "nothing was capped; see that this machine can start another process");
}

// Both ends of a pipe, closed when it goes.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
  }
  ~Pipe() {
    close_write();
    if (ends_[0] >= 0) close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool open() const { return ends_[0] >= 0; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

// 0 or an errno.
int spawn(const std::vector<std::string>& command, int output, pid_t& process) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (const int error = posix_spawn_file_actions_init(&actions); error != 0) return error;
  if (const int error = posix_spawnattr_init(&attributes); error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  int error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (error == 0) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  if (error == 0) error = posix_spawn(&process, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

enum class Heard { line, end, nothing };

Heard listen(int input, std::chrono::milliseconds patience) {
  const auto deadline = SteadyClock::now() + patience;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) return Heard::nothing;
    pollfd waiting{.fd = input, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, static_cast<int>(left.count())) <= 0) continue;
    char text[64];
    const ssize_t length = read(input, text, sizeof text);
    if (length == 0 || (length < 0 && errno != EINTR)) return Heard::end;
    if (length > 0 && std::memchr(text, '\n', static_cast<std::size_t>(length)) != nullptr)
      return Heard::line;
  }
}

}  // namespace

Result<void> start_guard(const std::vector<std::string>& command, std::chrono::milliseconds patience) {
  assert(!command.empty());
  Pipe pipe;
  if (!pipe.open()) return no_guard(std::strerror(errno));
  pid_t process = 0;
  if (const int error = spawn(command, pipe.write_end(), process); error != 0)
    return no_guard(command.front() + ": " + std::strerror(error));
  pipe.close_write();
  const Heard heard = listen(pipe.read_end(), patience);
  if (heard == Heard::line) return {};
  kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  return no_guard(heard == Heard::end ? "it ended at once" : "it did not answer in time");
}

}  // namespace wattflex::control
