#include "base/clock.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/held_signals.h"

namespace wattflex {
namespace {

TEST(SystemClock, DoesNotWaitForWhatIsPast) {
  SystemClock clock;
  EXPECT_EQ(clock.wait_until(clock.now() - std::chrono::hours(1)), Woken::in_time);
}

TEST(SystemClock, GivesUpALongWaitWhenASignalIsHeldBack) {
  SystemClock clock;
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  {
    const SignalsHeldBack held;
    ASSERT_EQ(raise(SIGINT), 0);
    EXPECT_EQ(clock.wait_until(clock.now() + std::chrono::hours(1)), Woken::by_signal);
    int taken = 0;
    ASSERT_EQ(sigwait(&interrupt, &taken), 0);  // or it would end the test
  }
  EXPECT_EQ(clock.wait_until(clock.now()), Woken::in_time);
}

}  // namespace
}  // namespace wattflex
