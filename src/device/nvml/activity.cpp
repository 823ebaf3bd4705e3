#include "device/nvml/activity.h"

#include <utility>

#include "device/gates.h"
#include "device/nvml/status.h"

namespace wattflex::nvml {
namespace {

struct Wanted {
  GpmMetricId id;
  Reading<double> GpuActivity::* reading;
  Reading<double> (*gate)(double);
};

constexpr Wanted kWanted[] = {
    {GpmMetricId::sm_active, &GpuActivity::sm_active, device::gated_activity},
    {GpmMetricId::tensor_active, &GpuActivity::tensor_active, device::gated_activity},
    {GpmMetricId::dram_active, &GpuActivity::dram_active, device::gated_activity},
    {GpmMetricId::nvlink_total_tx, &GpuActivity::nvlink_tx, device::gated_flow},
    {GpmMetricId::nvlink_total_rx, &GpuActivity::nvlink_rx, device::gated_flow},
    {GpmMetricId::pcie_tx, &GpuActivity::pcie_tx, device::gated_flow},
    {GpmMetricId::pcie_rx, &GpuActivity::pcie_rx, device::gated_flow}};

GpuActivity all_missing(Problem problem) {
  GpuActivity activity;
  for (const Wanted& wanted : kWanted) activity.*wanted.reading = problem;
  return activity;
}

}  // namespace

ActivityReader::~ActivityReader() {
  if (earlier_ != nullptr) functions_->nvmlGpmSampleFree(earlier_);
  if (later_ != nullptr) functions_->nvmlGpmSampleFree(later_);
}

Reading<bool> ActivityReader::supported(const Functions& functions, Device device) {
  if (supported_ || supported_.problem() == Problem::not_supported) return supported_;
  if (functions.nvmlGpmQueryDeviceSupport == nullptr || functions.nvmlGpmSampleAlloc == nullptr ||
      functions.nvmlGpmSampleFree == nullptr || functions.nvmlGpmSampleGet == nullptr ||
      functions.nvmlGpmMetricsGet == nullptr) {
    return supported_ = Problem::not_supported;
  }
  GpmSupport support{.version = kGpmSupportVersion, .supported = 0};
  const Status status = functions.nvmlGpmQueryDeviceSupport(device, &support);
  supported_ = status == Status::success ? Reading<bool>(support.supported == 1) : problem_of(status);
  return supported_;
}

bool ActivityReader::prepare(const Functions& functions, Device device, Problem& problem) {
  const Reading<bool> has = supported(functions, device);
  if (!has || !*has) {
    problem = has ? Problem::not_supported : has.problem();
    return false;
  }
  functions_ = &functions;
  for (GpmSample* const sample : {&earlier_, &later_}) {
    if (*sample != nullptr) continue;
    const Status status = functions.nvmlGpmSampleAlloc(sample);
    if (status == Status::success) continue;
    *sample = nullptr;
    problem = problem_of(status);
    return false;
  }
  if (!metrics_) metrics_ = std::make_unique<GpmMetricsGet>();
  return true;
}

GpuActivity ActivityReader::read(const Functions& functions, Device device) {
  Problem problem{};
  if (!prepare(functions, device, problem)) return all_missing(problem);
  const Status taken = functions.nvmlGpmSampleGet(device, later_);
  if (taken != Status::success) {
    has_earlier_ = false;
    return all_missing(problem_of(taken));
  }
  GpuActivity activity = all_missing(Problem::not_ready);
  if (has_earlier_) {
    GpmMetricsGet& get = *metrics_;
    get.version = kGpmMetricsGetVersion;
    get.count = std::size(kWanted);
    get.earlier = earlier_;
    get.later = later_;
    for (std::size_t i = 0; i < std::size(kWanted); ++i)
      get.metrics[i] = {.id = static_cast<std::uint32_t>(kWanted[i].id), .status = Status::unknown};
    const Status status = functions.nvmlGpmMetricsGet(&get);
    for (std::size_t i = 0; i < std::size(kWanted); ++i) {
      const Status each = status == Status::success ? get.metrics[i].status : status;
      activity.*kWanted[i].reading =
          each == Status::success ? kWanted[i].gate(get.metrics[i].value) : Reading<double>(problem_of(each));
    }
  }
  std::swap(earlier_, later_);
  has_earlier_ = true;
  return activity;
}

}  // namespace wattflex::nvml
