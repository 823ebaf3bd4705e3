#include "device/gpu_backend.h"

#include <utility>

namespace wattflex::device {

std::unexpected<DeviceError> failed(Problem problem, std::string message, std::string remedy) {
  return std::unexpected(DeviceError{problem, std::move(message), std::move(remedy)});
}

Error to_error(const DeviceError& error) {
  const auto kind = [&] {
    switch (error.problem) {
      case Problem::no_driver:
      case Problem::not_supported:
        return ErrorKind::unsupported;
      case Problem::out_of_range:
      case Problem::no_permission:
      case Problem::wrong_gpu:
        return ErrorKind::refused;
      default:
        return ErrorKind::io;
    }
  }();
  return {kind, error.message, error.remedy};
}

}  // namespace wattflex::device
