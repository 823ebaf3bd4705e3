#include "base/held_signals.h"

#include <algorithm>
#include <array>

namespace wattflex {
namespace {

// Whatever ends a program from outside, limits and the warnings of batch systems (SIGUSR1) among them.
constexpr std::array kEnding = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                                SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};

bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

SignalsHeldBack::SignalsHeldBack() {
  sigemptyset(&signals_);
  for (const int signal : kEnding) {
    if (!is_ignored(signal)) sigaddset(&signals_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

SignalsHeldBack::~SignalsHeldBack() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool SignalsHeldBack::arrived() const {
  sigset_t pending;
  sigpending(&pending);
  return std::ranges::any_of(kEnding, [&](int signal) {
    return sigismember(&signals_, signal) == 1 && sigismember(&pending, signal) == 1;
  });
}

}  // namespace wattflex
