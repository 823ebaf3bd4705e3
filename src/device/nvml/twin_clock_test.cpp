#include "device/nvml/twin_clock.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/held_signals.h"

namespace wattflex::nvml {
namespace {

std::int64_t twin_micros = 0;

// Each look at the clock is a second later: a twin far faster than any wait.
std::int64_t running_time() {
  return twin_micros += 1'000'000;
}

std::int64_t standing_time() {
  return twin_micros;
}

double hour_a_second() {
  return 3600;
}

TEST(TwinClock, TellsTheTwinsTime) {
  twin_micros = 1'770'000'000'000'000;
  const TwinClock clock(standing_time, hour_a_second);
  EXPECT_EQ(clock.now(), Time(std::chrono::seconds(1'770'000'000)));
}

TEST(TwinClock, WaitsUntilTheTwinIsThere) {
  twin_micros = 0;
  TwinClock clock(running_time, hour_a_second);
  EXPECT_EQ(clock.wait_until(Time(std::chrono::seconds(60))), Woken::in_time);
  EXPECT_GE(twin_micros, 60'000'000);
}

TEST(TwinClock, GivesUpAWaitForATwinThatStandsStillWhenASignalIsHeldBack) {
  twin_micros = 0;
  TwinClock clock(standing_time, nullptr);
  const SignalsHeldBack held;
  ASSERT_EQ(raise(SIGINT), 0);
  EXPECT_EQ(clock.wait_until(Time(std::chrono::seconds(60))), Woken::by_signal);
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  int taken = 0;
  ASSERT_EQ(sigwait(&interrupt, &taken), 0);
}

}  // namespace
}  // namespace wattflex::nvml
