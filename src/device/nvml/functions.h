// The functions of libnvidia-ml.so.1 that Wattflex calls, as one list: signatures, the table of pointers that
// a loaded library (or a test) fills in, and their names. A null pointer is a function this driver does not
// have.
#pragma once

#include "device/nvml/abi.h"

// One line a function: what it returns, its exported name, its parameters. Versions of one function stand
// together.
#define WATTFLEX_NVML_FUNCTIONS(X)                                                                  \
  X(Status, nvmlInit_v2, ())                                                                        \
  X(Status, nvmlShutdown, ())                                                                       \
  X(const char*, nvmlErrorString, (Status))                                                         \
  X(Status, nvmlSystemGetDriverVersion, (char*, std::uint32_t))                                     \
  X(Status, nvmlSystemGetNVMLVersion, (char*, std::uint32_t))                                       \
  X(Status, nvmlSystemGetCudaDriverVersion_v2, (std::int32_t*))                                     \
  X(Status, nvmlSystemGetProcessName, (std::uint32_t, char*, std::uint32_t))                        \
  X(Status, nvmlDeviceGetCount_v2, (std::uint32_t*))                                                \
  X(Status, nvmlDeviceGetHandleByIndex_v2, (std::uint32_t, Device*))                                \
  X(Status, nvmlDeviceGetHandleByUUID, (const char*, Device*))                                      \
  X(Status, nvmlDeviceGetHandleByPciBusId_v2, (const char*, Device*))                               \
  X(Status, nvmlDeviceGetName, (Device, char*, std::uint32_t))                                      \
  X(Status, nvmlDeviceGetUUID, (Device, char*, std::uint32_t))                                      \
  X(Status, nvmlDeviceGetIndex, (Device, std::uint32_t*))                                           \
  X(Status, nvmlDeviceGetMinorNumber, (Device, std::uint32_t*))                                     \
  X(Status, nvmlDeviceGetArchitecture, (Device, Architecture*))                                     \
  X(Status, nvmlDeviceGetCudaComputeCapability, (Device, std::int32_t*, std::int32_t*))             \
  X(Status, nvmlDeviceGetPciInfo_v3, (Device, PciInfo*))                                            \
  X(Status, nvmlDeviceGetPciInfo_v2, (Device, PciInfo*))                                            \
  X(Status, nvmlDeviceGetPowerUsage, (Device, std::uint32_t*))                                      \
  X(Status, nvmlDeviceGetFieldValues, (Device, std::int32_t, FieldValue*))                          \
  X(Status, nvmlDeviceGetTotalEnergyConsumption, (Device, std::uint64_t*))                          \
  X(Status, nvmlDeviceGetPowerManagementLimit, (Device, std::uint32_t*))                            \
  X(Status, nvmlDeviceGetEnforcedPowerLimit, (Device, std::uint32_t*))                              \
  X(Status, nvmlDeviceGetPowerManagementLimitConstraints, (Device, std::uint32_t*, std::uint32_t*)) \
  X(Status, nvmlDeviceGetPowerManagementDefaultLimit, (Device, std::uint32_t*))                     \
  X(Status, nvmlDeviceSetPowerManagementLimit, (Device, std::uint32_t))                             \
  X(Status, nvmlDeviceSetPowerManagementLimit_v2, (Device, PowerValue*))                            \
  X(Status, nvmlDeviceGetClockInfo, (Device, ClockType, std::uint32_t*))                            \
  X(Status, nvmlDeviceGetMaxClockInfo, (Device, ClockType, std::uint32_t*))                         \
  X(Status, nvmlDeviceGetUtilizationRates, (Device, Utilization*))                                  \
  X(Status, nvmlDeviceGetMemoryInfo, (Device, Memory*))                                             \
  X(Status, nvmlDeviceGetMemoryInfo_v2, (Device, MemoryV2*))                                        \
  X(Status, nvmlDeviceGetTemperature, (Device, TemperatureSensor, std::uint32_t*))                  \
  X(Status, nvmlDeviceGetTemperatureV, (Device, Temperature*))                                      \
  X(Status, nvmlDeviceGetCurrentClocksEventReasons, (Device, std::uint64_t*))                       \
  X(Status, nvmlDeviceGetCurrentClocksThrottleReasons, (Device, std::uint64_t*))                    \
  X(Status, nvmlDeviceGetPersistenceMode, (Device, EnableState*))                                   \
  X(Status, nvmlDeviceGetMigMode, (Device, std::uint32_t*, std::uint32_t*))                         \
  X(Status, nvmlDeviceGetComputeRunningProcesses, (Device, std::uint32_t*, ProcessInfoV1*))         \
  X(Status, nvmlDeviceGetComputeRunningProcesses_v2, (Device, std::uint32_t*, ProcessInfo*))        \
  X(Status, nvmlDeviceGetComputeRunningProcesses_v3, (Device, std::uint32_t*, ProcessInfo*))        \
  X(Status, nvmlDeviceGetGraphicsRunningProcesses, (Device, std::uint32_t*, ProcessInfoV1*))        \
  X(Status, nvmlDeviceGetGraphicsRunningProcesses_v2, (Device, std::uint32_t*, ProcessInfo*))       \
  X(Status, nvmlDeviceGetGraphicsRunningProcesses_v3, (Device, std::uint32_t*, ProcessInfo*))       \
  X(Status, nvmlGpmQueryDeviceSupport, (Device, GpmSupport*))                                       \
  X(Status, nvmlGpmSampleAlloc, (GpmSample*))                                                       \
  X(Status, nvmlGpmSampleFree, (GpmSample))                                                         \
  X(Status, nvmlGpmSampleGet, (Device, GpmSample))                                                  \
  X(Status, nvmlGpmMetricsGet, (GpmMetricsGet*))

namespace wattflex::nvml {

// signature::nvmlInit_v2 and so on: the types of the functions, for those who define or compare them.
namespace signature {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a type
#define WATTFLEX_NVML_SIGNATURE(returned, name, parameters) using name = returned parameters;
WATTFLEX_NVML_FUNCTIONS(WATTFLEX_NVML_SIGNATURE)
#undef WATTFLEX_NVML_SIGNATURE
}  // namespace signature

struct Functions {
#define WATTFLEX_NVML_POINTER(returned, name, parameters) signature::name* name = nullptr;
  WATTFLEX_NVML_FUNCTIONS(WATTFLEX_NVML_POINTER)
#undef WATTFLEX_NVML_POINTER
};

// A library that exports this symbol is Wattflex's own twin: whatever is read through it is simulated.
inline constexpr const char* kTwinMarker = "wattflexTwinMarker";
// What only the twin has: its time, in microseconds since 1970, and how many of its seconds pass in one of
// ours.
inline constexpr const char* kTwinTime = "wattflexTwinTime";
inline constexpr const char* kTwinSpeed = "wattflexTwinSpeed";
using TwinTimeFunction = std::int64_t();
using TwinSpeedFunction = double();

}  // namespace wattflex::nvml
