// What a GPU's sensors show at a moment: whole periods old, over their windows, with the board's gain and
// scatter. Pure functions of the record, so that any process reads the same.
//
//   reading  = gain (1 + e) mean draw over the window that ends at the last multiple of the period
//   counter  = gain energy drawn until then
// gain: 1 + 2 % normal, one for each GPU. e: 0.4 % normal (measured_run.h), one for each GPU and period.
#pragma once

#include <cstdint>

#include "twin/board.h"
#include "twin/state/records.h"

namespace wattflex::twin {

inline constexpr double kSensorGainSd = 0.02;
inline constexpr double kReadingSd = 0.004;

class Sensors {
 public:
  Sensors(const BoardProfile& board, std::uint64_t seed, std::size_t gpu)
      : board_(board), seed_(seed), gpu_(gpu) {}

  double gain() const;
  Power reading(const GpuRecord& gpu, PowerReading kind, Seconds now) const;
  // Since the counter's last reset, in millijoules.
  std::uint64_t counter_mj(const GpuRecord& gpu, Seconds now) const;
  // Share of the last second with a kernel running, and with memory busy.
  double utilization(const GpuRecord& gpu, Counter counter, Seconds now) const;
  // The end of the sensor's last period.
  Seconds last_update(Seconds now) const;

 private:
  const BoardProfile& board_;
  std::uint64_t seed_;
  std::size_t gpu_;
};

}  // namespace wattflex::twin
