// Opening and closing the library, and what it says about itself and the machine.
#include <array>
#include <cstring>
#include <fstream>
#include <string>

#include "twin/nvml/exports.h"

namespace wattflex::nvml {
namespace {

// The newest driver branch that still knows all of the twin's boards.
constexpr const char* kDriverVersion = "580.95.05";
constexpr const char* kLibraryVersion = "13.580.95.05";
constexpr std::int32_t kCudaVersion = 13000;

constexpr std::array<const char*, 30> kErrors{"Success",
                                              "Uninitialized",
                                              "Invalid Argument",
                                              "Not Supported",
                                              "Insufficient Permissions",
                                              "Already Initialized",
                                              "Not Found",
                                              "Insufficient Size",
                                              "Insufficient External Power",
                                              "Driver Not Loaded",
                                              "Timeout",
                                              "Interrupt Request Issue",
                                              "NVML Shared Library Not Found",
                                              "Function Not Found",
                                              "Corrupted infoROM",
                                              "GPU is lost",
                                              "GPU requires reset",
                                              "Operating System Error",
                                              "RM has detected an NVML/RM version mismatch",
                                              "In use by another client",
                                              "Insufficient Memory",
                                              "No data",
                                              "Not supported with ECC enabled vGPU",
                                              "Insufficient resources",
                                              "Frequency not supported",
                                              "Argument version mismatch",
                                              "Deprecated",
                                              "Not ready",
                                              "GPU not found",
                                              "Invalid state"};

Status text_when_open(const char* text, char* buffer, std::uint32_t size) {
  const Status ready = session().check();
  return ready == Status::success ? put_text(text, buffer, size) : ready;
}

Status open_session() {
  try {
    return session().open();
  } catch (...) {
    return Status::unknown;
  }
}

}  // namespace

Status put_text(const std::string& text, char* buffer, std::uint32_t size) {
  if (buffer == nullptr) return Status::invalid_argument;
  if (text.size() + 1 > size) return Status::insufficient_size;
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return Status::success;
}

extern "C" {

// Whoever finds this symbol reads a simulation.
WATTFLEX_EXPORT extern const int wattflexTwinMarker;
const int wattflexTwinMarker = 1;

// Twin time in microseconds since 1970; 0 when the library is not open.
WATTFLEX_EXPORT std::int64_t wattflexTwinTime() {
  const auto machine = session().machine();
  if (machine == nullptr) return 0;
  const twin::StateHeader& header = machine->state().header;
  return header.start_unix_us + static_cast<std::int64_t>(twin::twin_time(header).count() * 1e6);
}

WATTFLEX_EXPORT double wattflexTwinSpeed() {
  const auto machine = session().machine();
  return machine == nullptr ? 1 : machine->state().header.speed;
}

Status nvmlInit_v2() {
  return open_session();
}

WATTFLEX_EXPORT Status nvmlInit() {
  return open_session();
}

WATTFLEX_EXPORT Status nvmlInitWithFlags(std::uint32_t /*flags*/) {
  return open_session();
}

Status nvmlShutdown() {
  try {
    return session().close();
  } catch (...) {
    return Status::unknown;
  }
}

const char* nvmlErrorString(Status status) {
  const auto number = static_cast<std::size_t>(status);
  return number < kErrors.size() ? kErrors[number] : "Unknown Error";
}

Status nvmlSystemGetDriverVersion(char* text, std::uint32_t size) {
  return text_when_open(kDriverVersion, text, size);
}

Status nvmlSystemGetNVMLVersion(char* text, std::uint32_t size) {
  return text_when_open(kLibraryVersion, text, size);
}

Status nvmlSystemGetCudaDriverVersion_v2(std::int32_t* version) {
  if (version == nullptr) return Status::invalid_argument;
  *version = kCudaVersion;
  return session().check();
}

WATTFLEX_EXPORT Status nvmlSystemGetCudaDriverVersion(std::int32_t* version) {
  return nvmlSystemGetCudaDriverVersion_v2(version);
}

Status nvmlSystemGetProcessName(std::uint32_t process, char* name, std::uint32_t size) {
  if (name == nullptr || size == 0) return Status::invalid_argument;
  if (const Status ready = session().check(); ready != Status::success) return ready;
  std::ifstream file("/proc/" + std::to_string(process) + "/cmdline");
  std::string command;
  if (!std::getline(file, command, '\0')) return Status::not_found;
  return put_text(command.substr(0, size - 1), name, size);
}

}  // extern "C"

}  // namespace wattflex::nvml
