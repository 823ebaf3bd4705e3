#include "base/clock.h"

#include <algorithm>
#include <csignal>
#include <ctime>

namespace wattflex {
namespace {

// Long waits are cut: a signal that comes between the question and the sleep is then seen at the next one.
constexpr std::chrono::milliseconds kLongestSleep{100};

bool signal_pending() {
  sigset_t pending;
  sigset_t blocked;
  if (sigpending(&pending) != 0 || pthread_sigmask(SIG_BLOCK, nullptr, &blocked) != 0) return false;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU}) {
    if (sigismember(&pending, signal) == 1 && sigismember(&blocked, signal) == 1) return true;
  }
  return false;
}

}  // namespace

Woken wait_for(std::chrono::microseconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (true) {
    if (signal_pending()) return Woken::by_signal;
    const auto left = end - std::chrono::steady_clock::now();
    if (left <= std::chrono::nanoseconds(0)) return Woken::in_time;
    const auto part = std::min<std::chrono::nanoseconds>(left, kLongestSleep);
    const timespec sleep{.tv_sec = 0, .tv_nsec = part.count()};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &sleep, nullptr);  // cut short or not, the loop looks again
  }
}

Time SystemClock::now() const {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

Woken SystemClock::wait_until(Time time) {
  return wait_for(time - now());
}

}  // namespace wattflex
