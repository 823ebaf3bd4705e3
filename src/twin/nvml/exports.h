// The functions that the twin's library exports, with the types of the real ones. Those that Wattflex calls
// itself have their signatures from device/nvml/functions.h, so that definition and call can't differ; the
// rest is what nvidia-ml-py, nvitop, gpustat, Zeus and go-nvml call besides. A function that is missing here
// is FUNCTION_NOT_FOUND to them, as with an old driver.
#pragma once

#include "device/nvml/functions.h"
#include "twin/nvml/session.h"

#define WATTFLEX_EXPORT __attribute__((visibility("default")))

namespace wattflex::nvml {

extern "C" {
#define WATTFLEX_NVML_EXPORT(returned, name, parameters) WATTFLEX_EXPORT returned name parameters;
WATTFLEX_NVML_FUNCTIONS(WATTFLEX_NVML_EXPORT)
#undef WATTFLEX_NVML_EXPORT
}

// Copies a text with its closing zero.
Status put_text(const std::string& text, char* buffer, std::uint32_t size);

inline twin::library::Session& session() {
  return twin::library::Session::instance();
}

// Answers one number about a GPU.
template <class Number, class Read>
Status answer(Device device, Number* number, Read read) {
  if (number == nullptr) return Status::invalid_argument;
  return session().with_gpu(device, [&](const twin::library::GpuView& gpu) { return read(gpu, *number); });
}

// The same for sensors, all of which a fault can silence.
template <class Number, class Read>
Status answer_reading(Device device, Number* number, Read read) {
  return answer(device, number, [&](const twin::library::GpuView& gpu, Number& value) {
    if (gpu.has(twin::FaultKind::no_readings)) return Status::not_supported;
    value = read(gpu);
    return Status::success;
  });
}

}  // namespace wattflex::nvml
