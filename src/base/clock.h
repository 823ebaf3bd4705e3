// Where the time comes from: the machine's clock, a twin that runs faster, or a test. Times are since 1970,
// to the microsecond. Not for measuring how long our own code runs.
#pragma once

#include <chrono>

namespace wattflex {

using Time = std::chrono::sys_time<std::chrono::microseconds>;

// How a wait ended: the time came, or a signal that SignalsHeldBack holds is pending.
enum class Woken { in_time, by_signal };

// Safe to use from several threads.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;
  virtual Time now() const = 0;
  virtual Woken wait_until(Time time) = 0;
};

// The machine's. Waits by the monotonic clock: a step of the wall clock does not lengthen a wait that has
// begun.
class SystemClock : public Clock {
 public:
  Time now() const override;
  Woken wait_until(Time time) override;
};

// Waits that long by the monotonic clock; for clocks that count differently.
Woken wait_for(std::chrono::microseconds duration);

}  // namespace wattflex
