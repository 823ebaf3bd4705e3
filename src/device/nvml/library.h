// Finds and loads libnvidia-ml.so.1: a file, the root of a driver in a container (CAP-18), or where drivers
// usually lie. Loading says what is missing; whether there is a driver behind the library is for nvmlInit to
// say.
#pragma once

#include <string>
#include <vector>

#include "device/gpu_backend.h"
#include "device/nvml/functions.h"

namespace wattflex::nvml {

struct Library {
  std::string path;  // as loaded
  Functions functions;
  bool twin = false;  // all it says is simulated
  TwinTimeFunction* twin_time = nullptr;
  TwinSpeedFunction* twin_speed = nullptr;
};

inline constexpr const char* kLibraryName = "libnvidia-ml.so.1";

// The files to try for what the user named, in this order: nothing (the loader's own search, then known
// driver roots), a file, or a folder (the root of a driver, or what holds the library itself).
std::vector<std::string> library_candidates(const std::string& named);

// Loads the first that can be. A loaded library stays for the life of the process: a thread may be stuck in
// it.
device::DeviceResult<Library> load_library(const std::string& named);

}  // namespace wattflex::nvml
