#include "report/child_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "base/held_signals.h"

namespace wattflex::report {
namespace {

// What posix_spawn is to do in the child before the program starts.
class SpawnPlan {
 public:
  explicit SpawnPlan(const std::filesystem::path& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    const std::string messages = folder / "messages";
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, (folder / "input").c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, messages.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    // A group of its own, so that killing it reaches what it started; signals we hold back are not its
    // affair.
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int start(pid_t& pid, char* const* argv) const {
    return posix_spawnp(&pid, argv[0], &actions_, &attributes_, argv, environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

enum class Wait { ended, overran, interrupted };

Wait wait_for(pid_t pid, Seconds limit, const SignalsHeldBack& held) {
  const int ended = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (ended < 0) return Wait::ended;  // a kernel without pidfd: wait without a limit rather than not at all
  const int signal = signalfd(-1, &held.signals(), SFD_CLOEXEC);
  std::array<pollfd, 2> watched{{{ended, POLLIN, 0}, {signal, POLLIN, 0}}};
  int ready = 0;
  do {
    ready = poll(watched.data(), watched.size(), static_cast<int>(limit.count() * 1000));
  } while (ready < 0 && errno == EINTR);
  close(ended);
  close(signal);
  if (ready == 0) return Wait::overran;
  return watched[0].revents != 0 ? Wait::ended : Wait::interrupted;
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create() {
  std::error_code ignored;
  std::filesystem::path parent = std::filesystem::temp_directory_path(ignored);
  if (parent.empty()) parent = "/tmp";
  std::string name = parent / "wattflex-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    return fail(
        ErrorKind::io,
        fmt::format("{}: cannot create a temporary folder: {}", parent.string(), std::strerror(errno)),
        "set TMPDIR to a folder that can be written to");
  }
  return TemporaryFolder(std::move(name));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<int> run(const ChildProcess& process) {
  std::vector<char*> argv;
  argv.reserve(process.command.size() + 1);
  for (const std::string& argument : process.command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const std::string& program = process.command.front();

  const SignalsHeldBack held;
  pid_t pid = 0;
  if (const int error = SpawnPlan(process.folder).start(pid, argv.data()); error != 0) {
    return fail(ErrorKind::unsupported,
                fmt::format("{}: cannot be started: {}", program, std::strerror(error)),
                fmt::format("install {}, or put it on PATH", program));
  }
  const Wait wait = wait_for(pid, process.time_limit, held);
  if (wait != Wait::ended) kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (wait == Wait::interrupted) return fail(ErrorKind::io, program + " was interrupted", "");
  if (wait == Wait::overran) {
    return fail(ErrorKind::io,
                fmt::format("{} was still running after {:g} s", program, process.time_limit.count()), "");
  }
  if (!WIFEXITED(status)) {
    return fail(ErrorKind::io, fmt::format("{} was ended by signal {}", program, WTERMSIG(status)), "");
  }
  return WEXITSTATUS(status);
}

}  // namespace wattflex::report
