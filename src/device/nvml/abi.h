// The part of NVIDIA's management library (NVML) that Wattflex talks to, declared by ourselves: the values
// and structures that cross the border of libnvidia-ml.so.1. Sizes, offsets and numbers are those of the real
// nvml.h (tests/nvml_abi compares them); the functions stand in functions.h. Nothing here is of use outside
// src/device/nvml and the twin's library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wattflex::nvml {

// Handles are addresses that only the library can follow.
struct OpaqueDevice;
using Device = OpaqueDevice*;
struct OpaqueGpmSample;
using GpmSample = OpaqueGpmSample*;

// What every function answers. Newer drivers may answer numbers that are not in this list.
enum class Status : std::uint32_t {
  success = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  already_initialized = 5,
  not_found = 6,
  insufficient_size = 7,
  insufficient_power = 8,
  driver_not_loaded = 9,
  timeout = 10,
  irq_issue = 11,
  library_not_found = 12,
  function_not_found = 13,
  corrupted_inforom = 14,
  gpu_is_lost = 15,
  reset_required = 16,
  operating_system = 17,
  lib_rm_version_mismatch = 18,
  in_use = 19,
  memory = 20,
  no_data = 21,
  vgpu_ecc_not_supported = 22,
  insufficient_resources = 23,
  freq_not_supported = 24,
  argument_version_mismatch = 25,
  deprecated = 26,
  not_ready = 27,
  gpu_not_found = 28,
  invalid_state = 29,
  unknown = 999,
};

enum class EnableState : std::uint32_t { disabled = 0, enabled = 1 };
enum class ClockType : std::uint32_t { graphics = 0, sm = 1, memory = 2, video = 3 };
enum class ClockId : std::uint32_t {
  current = 0,
  application_target = 1,
  application_default = 2,
  boost_max = 3
};
enum class TemperatureSensor : std::uint32_t { gpu = 0 };
enum class TemperatureThreshold : std::uint32_t {
  shutdown = 0,
  slowdown = 1,
  memory_max = 2,
  gpu_max = 3,
  acoustic_min = 4,
  acoustic_current = 5,
  acoustic_max = 6,
  gps_current = 7,
};
enum class ComputeMode : std::uint32_t {
  shared = 0,
  exclusive_thread = 1,
  prohibited = 2,
  exclusive_process = 3,
};
enum class ValueType : std::uint32_t {
  real = 0,
  unsigned_int = 1,
  unsigned_long = 2,
  unsigned_long_long = 3,
  signed_long_long = 4,
  signed_int = 5,
  unsigned_short = 6,
};
enum class SamplingType : std::uint32_t {
  total_power = 0,
  gpu_utilization = 1,
  memory_utilization = 2,
  encoder_utilization = 3,
  decoder_utilization = 4,
  processor_clock = 5,
  memory_clock = 6,
  module_power = 7,
};
enum class UuidType : std::uint32_t { none = 0, ascii = 1, binary = 2 };

// Architectures, as nvmlDeviceGetArchitecture answers them.
using Architecture = std::uint32_t;
inline constexpr Architecture kArchitectureVolta = 5;
inline constexpr Architecture kArchitectureTuring = 6;
inline constexpr Architecture kArchitectureAmpere = 7;
inline constexpr Architecture kArchitectureAda = 8;
inline constexpr Architecture kArchitectureHopper = 9;
inline constexpr Architecture kArchitectureBlackwell = 10;
inline constexpr Architecture kArchitectureUnknown = 0xFFFFFFFF;

// Room for texts, the closing zero included.
inline constexpr std::uint32_t kDriverVersionSize = 80;
inline constexpr std::uint32_t kLibraryVersionSize = 80;
inline constexpr std::uint32_t kNameSize = 96;  // long enough for both sizes in use
inline constexpr std::uint32_t kUuidSize = 96;  // likewise: MIG devices have longer ones
inline constexpr std::uint32_t kSerialSize = 30;
inline constexpr std::uint32_t kPciBusIdSize = 32;
inline constexpr std::uint32_t kPciBusIdLegacySize = 16;

inline constexpr std::uint32_t kMigDisabled = 0;
inline constexpr std::uint32_t kMigEnabled = 1;

// Newer structures begin with a number made of their size and their version; the library refuses others.
template <class Struct>
constexpr std::uint32_t struct_version(std::uint32_t version) {
  return static_cast<std::uint32_t>(sizeof(Struct)) | (version << 24U);
}

// Why the clocks are below their highest: bits of nvmlDeviceGetCurrentClocksEventReasons (earlier:
// ThrottleReasons).
namespace reason {
inline constexpr std::uint64_t kNone = 0x0;
inline constexpr std::uint64_t kGpuIdle = 0x1;
inline constexpr std::uint64_t kApplicationClocks = 0x2;
inline constexpr std::uint64_t kSoftwarePowerCap = 0x4;
inline constexpr std::uint64_t kHardwareSlowdown = 0x8;
inline constexpr std::uint64_t kSyncBoost = 0x10;
inline constexpr std::uint64_t kSoftwareThermal = 0x20;
inline constexpr std::uint64_t kHardwareThermal = 0x40;
inline constexpr std::uint64_t kHardwarePowerBrake = 0x80;
inline constexpr std::uint64_t kDisplayClock = 0x100;
inline constexpr std::uint64_t kBoardLimit = 0x200;   // named from 13.x on
inline constexpr std::uint64_t kReliability = 0x400;  // named from 13.x on
}  // namespace reason

// Fields of nvmlDeviceGetFieldValues. Power in mW, energy in mJ; the scope of a power field is one of
// scope::.
namespace field {
inline constexpr std::uint32_t kMemoryTemperature = 82;
inline constexpr std::uint32_t kTotalEnergy = 83;
inline constexpr std::uint32_t kPowerAverage = 185;
inline constexpr std::uint32_t kPowerInstant = 186;
inline constexpr std::uint32_t kPowerMinLimit = 187;
inline constexpr std::uint32_t kPowerMaxLimit = 188;
inline constexpr std::uint32_t kPowerDefaultLimit = 189;
inline constexpr std::uint32_t kPowerCurrentLimit = 190;
inline constexpr std::uint32_t kEnergy = 191;
inline constexpr std::uint32_t kPowerRequestedLimit = 192;
}  // namespace field

namespace scope {
inline constexpr std::uint32_t kGpu = 0;
inline constexpr std::uint32_t kModule = 1;
inline constexpr std::uint32_t kMemory = 2;
}  // namespace scope

struct PciInfo {
  char bus_id_legacy[kPciBusIdLegacySize];  // 0000:18:00.0
  std::uint32_t domain;
  std::uint32_t bus;
  std::uint32_t device;
  std::uint32_t pci_device_id;
  std::uint32_t pci_subsystem_id;
  char bus_id[kPciBusIdSize];  // 00000000:18:00.0; not written before the _v3 call
};

struct PciInfoExt {
  static constexpr std::uint32_t kVersion = 1;
  std::uint32_t version;
  std::uint32_t domain;
  std::uint32_t bus;
  std::uint32_t device;
  std::uint32_t pci_device_id;
  std::uint32_t pci_subsystem_id;
  std::uint32_t base_class;
  std::uint32_t sub_class;
  char bus_id[kPciBusIdSize];
};

struct Utilization {
  std::uint32_t gpu;     // percent of time with a kernel running
  std::uint32_t memory;  // percent of time with memory being read or written
};

struct Memory {  // bytes
  std::uint64_t total;
  std::uint64_t free;
  std::uint64_t used;  // what the driver reserves included
};

struct MemoryV2 {
  static constexpr std::uint32_t kVersion = 2;
  std::uint32_t version;
  std::uint64_t total;
  std::uint64_t reserved;
  std::uint64_t free;
  std::uint64_t used;  // what the driver reserves left out
};

struct Bar1Memory {
  std::uint64_t total;
  std::uint64_t free;
  std::uint64_t used;
};

inline constexpr std::uint64_t kMemoryUnavailable =
    ~std::uint64_t{0};                                    // of a process whose memory can't be told
inline constexpr std::uint32_t kNoInstance = 0xFFFFFFFF;  // of a process outside MIG instances

struct ProcessInfoV1 {
  std::uint32_t pid;
  std::uint64_t used_memory;
};

struct ProcessInfo {  // of the _v2 and the _v3 call
  std::uint32_t pid;
  std::uint64_t used_memory;
  std::uint32_t gpu_instance;
  std::uint32_t compute_instance;
};

struct ProcessDetail {
  std::uint32_t pid;
  std::uint64_t used_memory;
  std::uint32_t gpu_instance;
  std::uint32_t compute_instance;
  std::uint64_t used_protected_memory;
};

struct ProcessDetailList {
  static constexpr std::uint32_t kVersion = 1;
  std::uint32_t version;
  std::uint32_t mode;  // 0 compute, 1 graphics, 2 MPS compute
  std::uint32_t count;
  ProcessDetail* processes;
};

struct ProcessUtilizationSample {
  std::uint32_t pid;
  std::uint64_t timestamp;  // microseconds
  std::uint32_t sm;
  std::uint32_t memory;
  std::uint32_t encoder;
  std::uint32_t decoder;
};

union Value {
  double real;
  std::int32_t signed_int;
  std::uint32_t unsigned_int;
  unsigned long unsigned_long;
  std::uint64_t unsigned_long_long;
  std::int64_t signed_long_long;
  std::uint16_t unsigned_short;
};

struct FieldValue {
  std::uint32_t field;
  std::uint32_t scope;
  std::int64_t timestamp;  // microseconds since 1970
  std::int64_t latency;    // microseconds that the query took
  ValueType type;
  Status status;  // of this field alone; the rest means nothing unless it is `success`
  Value value;
};

struct Sample {
  std::uint64_t timestamp;
  Value value;
};

struct Temperature {
  static constexpr std::uint32_t kVersion = 1;
  std::uint32_t version;
  TemperatureSensor sensor;
  std::int32_t celsius;
};

struct PowerValue {  // of the _v2 call that sets a limit
  static constexpr std::uint32_t kVersion = 2;
  std::uint32_t version;
  std::uint8_t scope;
  std::uint32_t milliwatts;
};

struct Uuid {
  static constexpr std::uint32_t kVersion = 1;
  std::uint32_t version;
  std::uint32_t type;  // a UuidType
  union {
    char text[41];
    std::uint8_t bytes[16];
  } value;
};

struct DeviceAttributes {
  std::uint32_t multiprocessors;
  std::uint32_t shared_copy_engines;
  std::uint32_t shared_decoders;
  std::uint32_t shared_encoders;
  std::uint32_t shared_jpeg_engines;
  std::uint32_t shared_optical_flow_engines;
  std::uint32_t gpu_instance_slices;
  std::uint32_t compute_instance_slices;
  std::uint64_t memory_megabytes;
};

// GPU performance monitoring (GPM), Hopper and later: activity between two samples. Shares in percent, flows
// in MiB/s.
enum class GpmMetricId : std::uint32_t {
  graphics_active = 1,
  sm_active = 2,
  sm_occupancy = 3,
  integer_active = 4,
  tensor_active = 5,
  dfma_tensor_active = 6,
  hmma_tensor_active = 7,
  imma_tensor_active = 9,
  dram_active = 10,
  fp64_active = 11,
  fp32_active = 12,
  fp16_active = 13,
  pcie_tx = 20,
  pcie_rx = 21,
  nvlink_total_rx = 60,
  nvlink_total_tx = 61,
};

struct GpmMetric {
  std::uint32_t id;
  Status status;
  double value;
  struct {
    char* short_name;
    char* long_name;
    char* unit;
  } info;
};

// The library reads and writes `count` metrics, never more: callers of different age have arrays of different
// length.
inline constexpr std::size_t kGpmMetricMax = 477;
inline constexpr std::uint32_t kGpmMetricsGetVersion = 1;
struct GpmMetricsGet {
  std::uint32_t version;
  std::uint32_t count;
  GpmSample earlier;
  GpmSample later;
  GpmMetric metrics[kGpmMetricMax];
};

inline constexpr std::uint32_t kGpmSupportVersion = 1;
struct GpmSupport {
  std::uint32_t version;
  std::uint32_t supported;
};

}  // namespace wattflex::nvml
