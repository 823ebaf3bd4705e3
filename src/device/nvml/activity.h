// Activity counters of Hopper and later (GPM): two snapshots of a GPU, and what happened in between. Not for
// older GPUs, whose counters only DCGM reads.
#pragma once

#include <memory>

#include "device/nvml/functions.h"
#include "model/gpu.h"

namespace wattflex::nvml {

class ActivityReader {
 public:
  ActivityReader() = default;
  ~ActivityReader();
  ActivityReader(const ActivityReader&) = delete;
  ActivityReader& operator=(const ActivityReader&) = delete;

  // Whether this GPU has them; asked once.
  Reading<bool> supported(const Functions& functions, Device device);
  // Since the call before; `not_ready` at the first, and after one that failed.
  GpuActivity read(const Functions& functions, Device device);

 private:
  bool prepare(const Functions& functions, Device device, Problem& problem);

  const Functions* functions_ = nullptr;  // those that the snapshots are freed with
  Reading<bool> supported_;
  GpmSample earlier_ = nullptr;
  GpmSample later_ = nullptr;
  bool has_earlier_ = false;
  std::unique_ptr<GpmMetricsGet> metrics_;
};

}  // namespace wattflex::nvml
