#include "device/nvml/library.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <filesystem>

namespace wattflex::nvml {
namespace {

// Where containerised drivers put their root: NVIDIA's GPU operator, GKE.
constexpr const char* kDriverRoots[] = {"/run/nvidia/driver", "/home/kubernetes/bin/nvidia"};
constexpr const char* kFolders[] = {
    "", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64"};

// From a pointer to an object to one to a function, which POSIX allows and C++ has no word for.
template <class Function>
Function* function_at(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

Functions functions_of(void* library) {
  Functions functions;
#define WATTFLEX_NVML_LOAD(returned, name, parameters) \
  functions.name = function_at<signature::name>(library, #name);
  WATTFLEX_NVML_FUNCTIONS(WATTFLEX_NVML_LOAD)
#undef WATTFLEX_NVML_LOAD
  return functions;
}

void add_root(const std::string& root, std::vector<std::string>& candidates) {
  for (const char* const folder : kFolders) candidates.push_back(root + folder + "/" + kLibraryName);
}

}  // namespace

std::vector<std::string> library_candidates(const std::string& named) {
  std::vector<std::string> candidates;
  std::error_code absent;
  if (named.empty()) {
    candidates.emplace_back(kLibraryName);
    for (const char* const root : kDriverRoots) {
      if (std::filesystem::is_directory(root, absent)) add_root(root, candidates);
    }
  } else if (std::filesystem::is_directory(named, absent)) {
    add_root(named, candidates);
  } else {
    candidates.push_back(named);
  }
  return candidates;
}

device::DeviceResult<Library> load_library(const std::string& named) {
  std::string reason;
  for (const std::string& path : library_candidates(named)) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* const message = dlerror();
      // Of several, the first is the one that the user, or the loader, meant.
      if (reason.empty()) reason = message == nullptr ? path + ": not loaded" : message;
      continue;
    }
    Library loaded{.path = path,
                   .functions = functions_of(library),
                   .twin = dlsym(library, kTwinMarker) != nullptr,
                   .twin_time = function_at<TwinTimeFunction>(library, kTwinTime),
                   .twin_speed = function_at<TwinSpeedFunction>(library, kTwinSpeed)};
    if (loaded.functions.nvmlInit_v2 == nullptr) {
      return device::failed(Problem::no_driver, path + ": not an NVML library (no nvmlInit_v2)",
                            "name NVIDIA's libnvidia-ml.so.1");
    }
    return loaded;
  }
  return device::failed(Problem::no_driver, fmt::format("no NVML library: {}", reason),
                        named.empty()
                            ? "install NVIDIA's driver, or name the library or the driver's root with --nvml"
                            : "name libnvidia-ml.so.1, or a folder that has it as a driver's root does");
}

}  // namespace wattflex::nvml
