// The twin's time, which may run faster than ours. Waiting for it takes as little of ours as its speed says.
#pragma once

#include <algorithm>

#include "base/clock.h"
#include "device/nvml/functions.h"

namespace wattflex::nvml {

class TwinClock : public Clock {
 public:
  TwinClock(TwinTimeFunction* time, TwinSpeedFunction* speed) : time_(time), speed_(speed) {}

  Time now() const override { return Time(std::chrono::microseconds(time_())); }
  Woken wait_until(Time time) override {
    while (true) {
      const std::chrono::duration<double, std::micro> left = time - now();
      if (left.count() <= 0) return Woken::in_time;
      const double speed = speed_ == nullptr ? 1.0 : std::max(speed_(), kSlowest);
      // At least a little, or a twin that stands still would keep a core busy.
      const auto ours = std::max(std::chrono::duration_cast<std::chrono::microseconds>(left / speed),
                                 std::chrono::microseconds(50));
      if (wait_for(ours) == Woken::by_signal) return Woken::by_signal;
    }
  }

 private:
  static constexpr double kSlowest = 1e-3;

  TwinTimeFunction* time_;
  TwinSpeedFunction* speed_;
};

}  // namespace wattflex::nvml
