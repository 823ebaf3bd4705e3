// NVML's return codes in our words.
#pragma once

#include <string>

#include "device/gpu_backend.h"
#include "device/nvml/functions.h"

namespace wattflex::nvml {

Problem problem_of(Status status);
// "GPU-a: reading limits: insufficient permissions", with what to do about it.
device::DeviceError error_of(Status status, const std::string& what, const Functions& functions);

}  // namespace wattflex::nvml
