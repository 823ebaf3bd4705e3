#include "base/held_signals.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wattflex {
namespace {

// How a process ended that runs `body`; a status of its own is 0.
template <class Body>
int end_of(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(SignalsHeldBack, EndTheProgramOnlyWhenTheOutermostHoldEnds) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) {
    const int status = end_of([&] {
      const SignalsHeldBack held;
      {
        const SignalsHeldBack inner;
        if (inner.arrived()) _exit(1);
        raise(signal);
        if (!inner.arrived()) _exit(2);
      }
      if (!held.arrived()) _exit(3);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal << ": " << status;
  }
}

TEST(SignalsHeldBack, AreNotThoseTheProgramIgnores) {
  EXPECT_EQ(end_of([] {
              std::signal(SIGHUP, SIG_IGN);
              const SignalsHeldBack held;
              raise(SIGHUP);
              if (held.arrived()) _exit(1);
            }),
            0);
}

}  // namespace
}  // namespace wattflex
