// GPU performance monitoring: shares of time between two samples, on Hopper and later.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <span>

#include "twin/nvml/exports.h"
#include "twin/state/segments.h"

namespace wattflex::nvml {

// What the opaque handle leads to.
struct TwinSample {
  double time_s = 0;
  twin::Counters busy_s{};
};

namespace {

using twin::Counter;
using twin::library::GpuView;

constexpr std::size_t kMostSamples = 65536;
// NVLink 4: 450 GB/s each way.
constexpr double kNvlinkMibPerSecond = 450e9 / (1024 * 1024);

// Every sample handed out and not yet freed.
class Samples {
 public:
  static Samples& instance() {
    static auto* const samples = new Samples();
    return *samples;
  }
  GpmSample add() {
    const std::scoped_lock lock(mutex_);
    if (known_.size() >= kMostSamples) return nullptr;
    return reinterpret_cast<GpmSample>(*known_.insert(new TwinSample()).first);
  }
  bool free(GpmSample sample) {
    const std::scoped_lock lock(mutex_);
    auto* const found = reinterpret_cast<TwinSample*>(sample);
    if (known_.erase(found) == 0) return false;
    delete found;
    return true;
  }
  // Null for what is no sample.
  TwinSample* find(GpmSample sample) {
    const std::scoped_lock lock(mutex_);
    auto* const found = reinterpret_cast<TwinSample*>(sample);
    return known_.contains(found) ? found : nullptr;
  }

 private:
  std::mutex mutex_;
  std::set<TwinSample*> known_;
};

Status read_metric(GpmMetric& metric, const TwinSample& earlier, const TwinSample& later) {
  const auto share = [&](Counter counter) {
    const auto i = static_cast<std::size_t>(counter);
    return std::clamp((later.busy_s[i] - earlier.busy_s[i]) / (later.time_s - earlier.time_s), 0.0, 1.0);
  };
  switch (static_cast<GpmMetricId>(metric.id)) {
    case GpmMetricId::graphics_active:
      return metric.value = 100 * share(Counter::gpu_busy), Status::success;
    case GpmMetricId::sm_active:
      return metric.value = 100 * share(Counter::sm_active), Status::success;
    case GpmMetricId::tensor_active:
    case GpmMetricId::hmma_tensor_active:  // training in BF16
      return metric.value = 100 * share(Counter::tensor_active), Status::success;
    case GpmMetricId::dram_active:
      return metric.value = 100 * share(Counter::dram_active), Status::success;
    case GpmMetricId::nvlink_total_rx:
    case GpmMetricId::nvlink_total_tx:
      return metric.value = kNvlinkMibPerSecond * share(Counter::nvlink), Status::success;
    default:
      return Status::not_supported;
  }
}

}  // namespace

extern "C" {

Status nvmlGpmQueryDeviceSupport(Device device, GpmSupport* support) {
  if (support != nullptr && support->version != kGpmSupportVersion) return Status::argument_version_mismatch;
  return answer(device, support, [](const GpuView& gpu, GpmSupport& value) {
    value.supported = gpu.board().has_activity ? 1 : 0;
    return Status::success;
  });
}

Status nvmlGpmSampleAlloc(GpmSample* sample) {
  if (sample == nullptr) return Status::invalid_argument;
  try {
    *sample = Samples::instance().add();
  } catch (...) {
    *sample = nullptr;
  }
  return *sample == nullptr ? Status::memory : Status::success;
}

Status nvmlGpmSampleFree(GpmSample sample) {
  return Samples::instance().free(sample) ? Status::success : Status::invalid_argument;
}

Status nvmlGpmSampleGet(Device device, GpmSample sample) {
  TwinSample* const found = Samples::instance().find(sample);
  if (found == nullptr) return Status::invalid_argument;
  return session().with_gpu(device, [&](const GpuView& gpu) {
    if (!gpu.board().has_activity || gpu.has(twin::FaultKind::no_readings)) return Status::not_supported;
    found->time_s = gpu.change.now().count();
    for (std::size_t i = 0; i < twin::kCounters; ++i)
      found->busy_s[i] = busy_at(gpu.record(), static_cast<Counter>(i), gpu.change.now());
    return Status::success;
  });
}

Status nvmlGpmMetricsGet(GpmMetricsGet* metrics) {
  if (metrics == nullptr || metrics->count > kGpmMetricMax) return Status::invalid_argument;
  if (metrics->version != kGpmMetricsGetVersion) return Status::argument_version_mismatch;
  const TwinSample* const earlier = Samples::instance().find(metrics->earlier);
  const TwinSample* const later = Samples::instance().find(metrics->later);
  if (earlier == nullptr || later == nullptr || later->time_s <= earlier->time_s)
    return Status::invalid_argument;
  for (GpmMetric& metric : std::span(metrics->metrics, metrics->count))
    metric.status = read_metric(metric, *earlier, *later);
  return Status::success;
}

}  // extern "C"

}  // namespace wattflex::nvml
