#include "device/nvml/status.h"

#include <fmt/core.h>

namespace wattflex::nvml {

Problem problem_of(Status status) {
  switch (status) {
    case Status::not_supported:
    case Status::function_not_found:
    case Status::argument_version_mismatch:
    case Status::deprecated:
    case Status::freq_not_supported:
      return Problem::not_supported;
    case Status::no_permission:
      return Problem::no_permission;
    case Status::gpu_is_lost:
    case Status::reset_required:
    case Status::gpu_not_found:
    case Status::not_found:
      return Problem::gpu_lost;
    case Status::lib_rm_version_mismatch:
      return Problem::driver_mismatch;
    case Status::driver_not_loaded:
    case Status::library_not_found:
    case Status::uninitialized:
      return Problem::no_driver;
    case Status::timeout:
      return Problem::timed_out;
    case Status::invalid_argument:
      return Problem::out_of_range;
    case Status::not_ready:
    case Status::no_data:
      return Problem::not_ready;
    default:
      return Problem::failed;
  }
}

namespace {

const char* remedy_of(Problem problem) {
  switch (problem) {
    case Problem::no_permission:
      return "setting limits takes root, or the capability CAP_SYS_ADMIN in this container";
    case Problem::gpu_lost:
      return "look for Xid errors of this GPU in the kernel log; it needs a reset or a reboot";
    case Problem::driver_mismatch:
      return "the driver's library was replaced while its kernel module stayed loaded: reboot, or reload the "
             "module once no job runs";
    case Problem::no_driver:
      return "load NVIDIA's driver ('modprobe nvidia'), or start the container with its GPUs";
    default:
      return "'wattflex doctor' says what can be read and set here";
  }
}

}  // namespace

device::DeviceError error_of(Status status, const std::string& what, const Functions& functions) {
  const char* text = functions.nvmlErrorString == nullptr ? nullptr : functions.nvmlErrorString(status);
  const std::string reason =
      text == nullptr ? fmt::format("error {} of the driver", static_cast<unsigned>(status)) : text;
  const Problem problem = problem_of(status);
  return {problem, what + ": " + reason, remedy_of(problem)};
}

}  // namespace wattflex::nvml
