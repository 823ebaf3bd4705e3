// What the monitors of one training run saw: one sample every few seconds, GPU counters beside the trainer's
// own rate. Values only; taking them apart is src/sweep, making them up src/twin.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/quantity.h"

namespace wattflex {

struct RunSample {
  Seconds time{};                    // since the process started; end of the interval the sample covers
  double framebuffer_gib = 0;        // used, mean over the job's GPUs
  double gpu_utilization = 0;        // 0..1, mean over the job's GPUs
  std::optional<double> throughput;  // whole job; none while the trainer reports no step
};

// Readings by GPU and by counter lie in one block each, sample after sample: a run has tens of thousands.
struct RunSamples {
  int gpus = 0;
  std::vector<std::string> telemetry_columns;  // our own names
  std::vector<RunSample> samples;              // by rising time
  std::vector<Power> gpu_power;                // samples x gpus
  std::vector<double> telemetry;               // samples x telemetry_columns, means over the job's GPUs

  std::span<const Power> power_of(std::size_t sample) const {
    const auto width = static_cast<std::size_t>(gpus);
    return std::span(gpu_power).subspan(sample * width, width);
  }
  std::span<const double> telemetry_of(std::size_t sample) const {
    const std::size_t width = telemetry_columns.size();
    return std::span(telemetry).subspan(sample * width, width);
  }
};

}  // namespace wattflex
