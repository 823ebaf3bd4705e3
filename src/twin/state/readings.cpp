#include "twin/state/readings.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "twin/state/segments.h"

namespace wattflex::twin {
namespace {

constexpr std::uint64_t kGainStream = 0x6761696e00000000;     // "gain"
constexpr std::uint64_t kReadingStream = 0x7265616400000000;  // "read"
constexpr std::uint64_t kPhaseStream = 0x7068617300000000;    // "phas"

}  // namespace

double Sensors::gain() const {
  RandomStream random(seed_, kGainStream + gpu_);
  return 1 + kSensorGainSd * random.normal();
}

// The sensors of different GPUs do not update at once.
Seconds Sensors::last_update(Seconds now) const {
  const Seconds offset = board_.period * RandomStream(seed_, kPhaseStream + gpu_).uniform();
  return Seconds(std::floor((now - offset) / board_.period) * board_.period.count()) + offset;
}

Power Sensors::reading(const GpuRecord& gpu, PowerReading kind, Seconds now) const {
  const Seconds end = last_update(now);
  const Seconds window = kind == PowerReading::instant ? board_.instant_window : kAverageWindow;
  const Power mean = (energy_at(gpu, end) - energy_at(gpu, end - window)) / window;
  const auto period = static_cast<std::uint64_t>(std::llround(end / board_.period) + 1);
  RandomStream random(seed_ ^ kReadingStream, period * kMaxGpus + gpu_);
  return mean * (gain() * (1 + kReadingSd * random.normal()));
}

std::uint64_t Sensors::counter_mj(const GpuRecord& gpu, Seconds now) const {
  const double drawn = energy_at(gpu, last_update(now)).joules() - gpu.counter_base_j;
  return static_cast<std::uint64_t>(std::max(0.0, drawn) * gain() * 1000);
}

double Sensors::utilization(const GpuRecord& gpu, Counter counter, Seconds now) const {
  const Seconds end = last_update(now);
  const double share =
      (busy_at(gpu, counter, end) - busy_at(gpu, counter, end - kAverageWindow)) / kAverageWindow.count();
  return std::clamp(share, 0.0, 1.0);
}

}  // namespace wattflex::twin
