// Compares src/device/nvml with NVIDIA's own nvml.h: the size of every structure, the offset and size of
// every field, every number, and the parameters of every function. Built and run by run.sh, against several
// versions of that header; it prints each difference and ends with 1 if there was any.
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>

#include <cstdio>
#include <cstring>
#include <type_traits>

#include "device/nvml/functions.h"

namespace {

namespace ours = wattflex::nvml;

int compared = 0;
int differences = 0;

void compare(const char* what, unsigned long long mine, unsigned long long theirs) {
  ++compared;
  if (mine == theirs) return;
  ++differences;
  std::printf("%s is %llu here and %llu in nvml.h\n", what, mine, theirs);
}

template <class Value>
unsigned long long number(Value value) {
  return static_cast<unsigned long long>(value);
}

#define NUMBER(mine, theirs) compare(#mine, number(ours::mine), number(theirs))
#define SIZE(mine, theirs) compare("size of " #mine, sizeof(ours::mine), sizeof(theirs))
#define FIELD(mine, member, theirs, other)                                                         \
  compare("offset of " #mine "::" #member, offsetof(ours::mine, member), offsetof(theirs, other)); \
  compare("size of " #mine "::" #member, sizeof(ours::mine::member), sizeof(theirs::other))

void compare_codes() {
  NUMBER(Status::success, NVML_SUCCESS);
  NUMBER(Status::uninitialized, NVML_ERROR_UNINITIALIZED);
  NUMBER(Status::invalid_argument, NVML_ERROR_INVALID_ARGUMENT);
  NUMBER(Status::not_supported, NVML_ERROR_NOT_SUPPORTED);
  NUMBER(Status::no_permission, NVML_ERROR_NO_PERMISSION);
  NUMBER(Status::already_initialized, NVML_ERROR_ALREADY_INITIALIZED);
  NUMBER(Status::not_found, NVML_ERROR_NOT_FOUND);
  NUMBER(Status::insufficient_size, NVML_ERROR_INSUFFICIENT_SIZE);
  NUMBER(Status::insufficient_power, NVML_ERROR_INSUFFICIENT_POWER);
  NUMBER(Status::driver_not_loaded, NVML_ERROR_DRIVER_NOT_LOADED);
  NUMBER(Status::timeout, NVML_ERROR_TIMEOUT);
  NUMBER(Status::irq_issue, NVML_ERROR_IRQ_ISSUE);
  NUMBER(Status::library_not_found, NVML_ERROR_LIBRARY_NOT_FOUND);
  NUMBER(Status::function_not_found, NVML_ERROR_FUNCTION_NOT_FOUND);
  NUMBER(Status::corrupted_inforom, NVML_ERROR_CORRUPTED_INFOROM);
  NUMBER(Status::gpu_is_lost, NVML_ERROR_GPU_IS_LOST);
  NUMBER(Status::reset_required, NVML_ERROR_RESET_REQUIRED);
  NUMBER(Status::operating_system, NVML_ERROR_OPERATING_SYSTEM);
  NUMBER(Status::lib_rm_version_mismatch, NVML_ERROR_LIB_RM_VERSION_MISMATCH);
  NUMBER(Status::in_use, NVML_ERROR_IN_USE);
  NUMBER(Status::memory, NVML_ERROR_MEMORY);
  NUMBER(Status::no_data, NVML_ERROR_NO_DATA);
  NUMBER(Status::vgpu_ecc_not_supported, NVML_ERROR_VGPU_ECC_NOT_SUPPORTED);
  NUMBER(Status::insufficient_resources, NVML_ERROR_INSUFFICIENT_RESOURCES);
  NUMBER(Status::freq_not_supported, NVML_ERROR_FREQ_NOT_SUPPORTED);
  NUMBER(Status::argument_version_mismatch, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  NUMBER(Status::deprecated, NVML_ERROR_DEPRECATED);
  NUMBER(Status::not_ready, NVML_ERROR_NOT_READY);
  NUMBER(Status::gpu_not_found, NVML_ERROR_GPU_NOT_FOUND);
  NUMBER(Status::invalid_state, NVML_ERROR_INVALID_STATE);
  NUMBER(Status::unknown, NVML_ERROR_UNKNOWN);
  SIZE(Status, nvmlReturn_t);
}

void compare_enumerations() {
  NUMBER(EnableState::disabled, NVML_FEATURE_DISABLED);
  NUMBER(EnableState::enabled, NVML_FEATURE_ENABLED);
  SIZE(EnableState, nvmlEnableState_t);
  NUMBER(ClockType::graphics, NVML_CLOCK_GRAPHICS);
  NUMBER(ClockType::sm, NVML_CLOCK_SM);
  NUMBER(ClockType::memory, NVML_CLOCK_MEM);
  NUMBER(ClockType::video, NVML_CLOCK_VIDEO);
  SIZE(ClockType, nvmlClockType_t);
  NUMBER(ClockId::current, NVML_CLOCK_ID_CURRENT);
  NUMBER(ClockId::application_target, NVML_CLOCK_ID_APP_CLOCK_TARGET);
  NUMBER(ClockId::application_default, NVML_CLOCK_ID_APP_CLOCK_DEFAULT);
  NUMBER(ClockId::boost_max, NVML_CLOCK_ID_CUSTOMER_BOOST_MAX);
  SIZE(ClockId, nvmlClockId_t);
  NUMBER(TemperatureSensor::gpu, NVML_TEMPERATURE_GPU);
  SIZE(TemperatureSensor, nvmlTemperatureSensors_t);
  NUMBER(TemperatureThreshold::shutdown, NVML_TEMPERATURE_THRESHOLD_SHUTDOWN);
  NUMBER(TemperatureThreshold::slowdown, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN);
  NUMBER(TemperatureThreshold::memory_max, NVML_TEMPERATURE_THRESHOLD_MEM_MAX);
  NUMBER(TemperatureThreshold::gpu_max, NVML_TEMPERATURE_THRESHOLD_GPU_MAX);
  NUMBER(TemperatureThreshold::acoustic_min, NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MIN);
  NUMBER(TemperatureThreshold::acoustic_current, NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR);
  NUMBER(TemperatureThreshold::acoustic_max, NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MAX);
  NUMBER(TemperatureThreshold::gps_current, NVML_TEMPERATURE_THRESHOLD_GPS_CURR);
  SIZE(TemperatureThreshold, nvmlTemperatureThresholds_t);
  NUMBER(ComputeMode::shared, NVML_COMPUTEMODE_DEFAULT);
  NUMBER(ComputeMode::exclusive_thread, NVML_COMPUTEMODE_EXCLUSIVE_THREAD);
  NUMBER(ComputeMode::prohibited, NVML_COMPUTEMODE_PROHIBITED);
  NUMBER(ComputeMode::exclusive_process, NVML_COMPUTEMODE_EXCLUSIVE_PROCESS);
  SIZE(ComputeMode, nvmlComputeMode_t);
  NUMBER(ValueType::real, NVML_VALUE_TYPE_DOUBLE);
  NUMBER(ValueType::unsigned_int, NVML_VALUE_TYPE_UNSIGNED_INT);
  NUMBER(ValueType::unsigned_long, NVML_VALUE_TYPE_UNSIGNED_LONG);
  NUMBER(ValueType::unsigned_long_long, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
  NUMBER(ValueType::signed_long_long, NVML_VALUE_TYPE_SIGNED_LONG_LONG);
  NUMBER(ValueType::signed_int, NVML_VALUE_TYPE_SIGNED_INT);
  NUMBER(ValueType::unsigned_short, NVML_VALUE_TYPE_UNSIGNED_SHORT);
  SIZE(ValueType, nvmlValueType_t);
  NUMBER(SamplingType::total_power, NVML_TOTAL_POWER_SAMPLES);
  NUMBER(SamplingType::gpu_utilization, NVML_GPU_UTILIZATION_SAMPLES);
  NUMBER(SamplingType::memory_utilization, NVML_MEMORY_UTILIZATION_SAMPLES);
  NUMBER(SamplingType::encoder_utilization, NVML_ENC_UTILIZATION_SAMPLES);
  NUMBER(SamplingType::decoder_utilization, NVML_DEC_UTILIZATION_SAMPLES);
  NUMBER(SamplingType::processor_clock, NVML_PROCESSOR_CLK_SAMPLES);
  NUMBER(SamplingType::memory_clock, NVML_MEMORY_CLK_SAMPLES);
  NUMBER(SamplingType::module_power, NVML_MODULE_POWER_SAMPLES);
  SIZE(SamplingType, nvmlSamplingType_t);
  NUMBER(UuidType::none, NVML_UUID_TYPE_NONE);
  NUMBER(UuidType::ascii, NVML_UUID_TYPE_ASCII);
  NUMBER(UuidType::binary, NVML_UUID_TYPE_BINARY);
}

void compare_constants() {
  NUMBER(kArchitectureVolta, NVML_DEVICE_ARCH_VOLTA);
  NUMBER(kArchitectureTuring, NVML_DEVICE_ARCH_TURING);
  NUMBER(kArchitectureAmpere, NVML_DEVICE_ARCH_AMPERE);
  NUMBER(kArchitectureAda, NVML_DEVICE_ARCH_ADA);
  NUMBER(kArchitectureHopper, NVML_DEVICE_ARCH_HOPPER);
  NUMBER(kArchitectureBlackwell, NVML_DEVICE_ARCH_BLACKWELL);
  NUMBER(kArchitectureUnknown, NVML_DEVICE_ARCH_UNKNOWN);
  SIZE(Architecture, nvmlDeviceArchitecture_t);
  NUMBER(kDriverVersionSize, NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE);
  NUMBER(kLibraryVersionSize, NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE);
  NUMBER(kNameSize, NVML_DEVICE_NAME_V2_BUFFER_SIZE);
  NUMBER(kUuidSize, NVML_DEVICE_UUID_V2_BUFFER_SIZE);
  NUMBER(kSerialSize, NVML_DEVICE_SERIAL_BUFFER_SIZE);
  NUMBER(kPciBusIdSize, NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE);
  NUMBER(kPciBusIdLegacySize, NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE);
  NUMBER(kMigDisabled, NVML_DEVICE_MIG_DISABLE);
  NUMBER(kMigEnabled, NVML_DEVICE_MIG_ENABLE);
  NUMBER(kGpmMetricsGetVersion, NVML_GPM_METRICS_GET_VERSION);
  NUMBER(kGpmSupportVersion, NVML_GPM_SUPPORT_VERSION);
  NUMBER(struct_version<ours::PciInfoExt>(ours::PciInfoExt::kVersion), nvmlPciInfoExt_v1);
  NUMBER(struct_version<ours::MemoryV2>(ours::MemoryV2::kVersion), nvmlMemory_v2);
  NUMBER(struct_version<ours::ProcessDetailList>(ours::ProcessDetailList::kVersion),
         nvmlProcessDetailList_v1);
  NUMBER(struct_version<ours::Temperature>(ours::Temperature::kVersion), NVML_STRUCT_VERSION(Temperature, 1));
  NUMBER(struct_version<ours::PowerValue>(ours::PowerValue::kVersion), nvmlPowerValue_v2);
  NUMBER(struct_version<ours::Uuid>(ours::Uuid::kVersion), nvmlUUID_v1);
  // Arrays of callers may be shorter than ours, but ours must hold whatever the newest header counts.
  compare("kGpmMetricMax suffices", ours::kGpmMetricMax >= NVML_GPM_METRIC_MAX, 1);
  compare("kMemoryUnavailable", ours::kMemoryUnavailable,
          number(static_cast<long long>(NVML_VALUE_NOT_AVAILABLE)));
}

void compare_bits_and_fields() {
  NUMBER(reason::kNone, nvmlClocksThrottleReasonNone);
  NUMBER(reason::kGpuIdle, nvmlClocksThrottleReasonGpuIdle);
  NUMBER(reason::kApplicationClocks, nvmlClocksThrottleReasonApplicationsClocksSetting);
  NUMBER(reason::kSoftwarePowerCap, nvmlClocksThrottleReasonSwPowerCap);
  NUMBER(reason::kHardwareSlowdown, nvmlClocksThrottleReasonHwSlowdown);
  NUMBER(reason::kSyncBoost, nvmlClocksThrottleReasonSyncBoost);
  NUMBER(reason::kSoftwareThermal, nvmlClocksThrottleReasonSwThermalSlowdown);
  NUMBER(reason::kHardwareThermal, nvmlClocksThrottleReasonHwThermalSlowdown);
  NUMBER(reason::kHardwarePowerBrake, nvmlClocksThrottleReasonHwPowerBrakeSlowdown);
  NUMBER(reason::kDisplayClock, nvmlClocksThrottleReasonDisplayClockSetting);
#ifdef nvmlClocksEventReasonBoardLimit
  NUMBER(reason::kBoardLimit, nvmlClocksEventReasonBoardLimit);
  NUMBER(reason::kReliability, nvmlClocksEventReasonReliability);
#endif
  NUMBER(field::kMemoryTemperature, NVML_FI_DEV_MEMORY_TEMP);
  NUMBER(field::kTotalEnergy, NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION);
  NUMBER(field::kPowerAverage, NVML_FI_DEV_POWER_AVERAGE);
  NUMBER(field::kPowerInstant, NVML_FI_DEV_POWER_INSTANT);
  NUMBER(field::kPowerMinLimit, NVML_FI_DEV_POWER_MIN_LIMIT);
  NUMBER(field::kPowerMaxLimit, NVML_FI_DEV_POWER_MAX_LIMIT);
  NUMBER(field::kPowerDefaultLimit, NVML_FI_DEV_POWER_DEFAULT_LIMIT);
  NUMBER(field::kPowerCurrentLimit, NVML_FI_DEV_POWER_CURRENT_LIMIT);
  NUMBER(field::kEnergy, NVML_FI_DEV_ENERGY);
  NUMBER(field::kPowerRequestedLimit, NVML_FI_DEV_POWER_REQUESTED_LIMIT);
  NUMBER(scope::kGpu, NVML_POWER_SCOPE_GPU);
  NUMBER(scope::kModule, NVML_POWER_SCOPE_MODULE);
  NUMBER(scope::kMemory, NVML_POWER_SCOPE_MEMORY);
  NUMBER(GpmMetricId::graphics_active, NVML_GPM_METRIC_GRAPHICS_UTIL);
  NUMBER(GpmMetricId::sm_active, NVML_GPM_METRIC_SM_UTIL);
  NUMBER(GpmMetricId::sm_occupancy, NVML_GPM_METRIC_SM_OCCUPANCY);
  NUMBER(GpmMetricId::integer_active, NVML_GPM_METRIC_INTEGER_UTIL);
  NUMBER(GpmMetricId::tensor_active, NVML_GPM_METRIC_ANY_TENSOR_UTIL);
  NUMBER(GpmMetricId::dfma_tensor_active, NVML_GPM_METRIC_DFMA_TENSOR_UTIL);
  NUMBER(GpmMetricId::hmma_tensor_active, NVML_GPM_METRIC_HMMA_TENSOR_UTIL);
  NUMBER(GpmMetricId::imma_tensor_active, NVML_GPM_METRIC_IMMA_TENSOR_UTIL);
  NUMBER(GpmMetricId::dram_active, NVML_GPM_METRIC_DRAM_BW_UTIL);
  NUMBER(GpmMetricId::fp64_active, NVML_GPM_METRIC_FP64_UTIL);
  NUMBER(GpmMetricId::fp32_active, NVML_GPM_METRIC_FP32_UTIL);
  NUMBER(GpmMetricId::fp16_active, NVML_GPM_METRIC_FP16_UTIL);
  NUMBER(GpmMetricId::pcie_tx, NVML_GPM_METRIC_PCIE_TX_PER_SEC);
  NUMBER(GpmMetricId::pcie_rx, NVML_GPM_METRIC_PCIE_RX_PER_SEC);
  NUMBER(GpmMetricId::nvlink_total_rx, NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC);
  NUMBER(GpmMetricId::nvlink_total_tx, NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC);
}

void compare_device_structures() {
  SIZE(PciInfo, nvmlPciInfo_t);
  FIELD(PciInfo, bus_id_legacy, nvmlPciInfo_t, busIdLegacy);
  FIELD(PciInfo, domain, nvmlPciInfo_t, domain);
  FIELD(PciInfo, bus, nvmlPciInfo_t, bus);
  FIELD(PciInfo, device, nvmlPciInfo_t, device);
  FIELD(PciInfo, pci_device_id, nvmlPciInfo_t, pciDeviceId);
  FIELD(PciInfo, pci_subsystem_id, nvmlPciInfo_t, pciSubSystemId);
  FIELD(PciInfo, bus_id, nvmlPciInfo_t, busId);
  SIZE(PciInfoExt, nvmlPciInfoExt_v1_t);
  FIELD(PciInfoExt, version, nvmlPciInfoExt_v1_t, version);
  FIELD(PciInfoExt, domain, nvmlPciInfoExt_v1_t, domain);
  FIELD(PciInfoExt, bus, nvmlPciInfoExt_v1_t, bus);
  FIELD(PciInfoExt, device, nvmlPciInfoExt_v1_t, device);
  FIELD(PciInfoExt, pci_device_id, nvmlPciInfoExt_v1_t, pciDeviceId);
  FIELD(PciInfoExt, pci_subsystem_id, nvmlPciInfoExt_v1_t, pciSubSystemId);
  FIELD(PciInfoExt, base_class, nvmlPciInfoExt_v1_t, baseClass);
  FIELD(PciInfoExt, sub_class, nvmlPciInfoExt_v1_t, subClass);
  FIELD(PciInfoExt, bus_id, nvmlPciInfoExt_v1_t, busId);
  SIZE(Uuid, nvmlUUID_v1_t);
  FIELD(Uuid, version, nvmlUUID_v1_t, version);
  FIELD(Uuid, type, nvmlUUID_v1_t, type);
  FIELD(Uuid, value, nvmlUUID_v1_t, value);
  FIELD(Uuid, value.text, nvmlUUID_v1_t, value.str);
  FIELD(Uuid, value.bytes, nvmlUUID_v1_t, value.bytes);
  SIZE(DeviceAttributes, nvmlDeviceAttributes_t);
  FIELD(DeviceAttributes, multiprocessors, nvmlDeviceAttributes_t, multiprocessorCount);
  FIELD(DeviceAttributes, shared_copy_engines, nvmlDeviceAttributes_t, sharedCopyEngineCount);
  FIELD(DeviceAttributes, shared_decoders, nvmlDeviceAttributes_t, sharedDecoderCount);
  FIELD(DeviceAttributes, shared_encoders, nvmlDeviceAttributes_t, sharedEncoderCount);
  FIELD(DeviceAttributes, shared_jpeg_engines, nvmlDeviceAttributes_t, sharedJpegCount);
  FIELD(DeviceAttributes, shared_optical_flow_engines, nvmlDeviceAttributes_t, sharedOfaCount);
  FIELD(DeviceAttributes, gpu_instance_slices, nvmlDeviceAttributes_t, gpuInstanceSliceCount);
  FIELD(DeviceAttributes, compute_instance_slices, nvmlDeviceAttributes_t, computeInstanceSliceCount);
  FIELD(DeviceAttributes, memory_megabytes, nvmlDeviceAttributes_t, memorySizeMB);
}

void compare_memory_and_processes() {
  SIZE(Utilization, nvmlUtilization_t);
  FIELD(Utilization, gpu, nvmlUtilization_t, gpu);
  FIELD(Utilization, memory, nvmlUtilization_t, memory);
  SIZE(Memory, nvmlMemory_t);
  FIELD(Memory, total, nvmlMemory_t, total);
  FIELD(Memory, free, nvmlMemory_t, free);
  FIELD(Memory, used, nvmlMemory_t, used);
  SIZE(MemoryV2, nvmlMemory_v2_t);
  FIELD(MemoryV2, version, nvmlMemory_v2_t, version);
  FIELD(MemoryV2, total, nvmlMemory_v2_t, total);
  FIELD(MemoryV2, reserved, nvmlMemory_v2_t, reserved);
  FIELD(MemoryV2, free, nvmlMemory_v2_t, free);
  FIELD(MemoryV2, used, nvmlMemory_v2_t, used);
  SIZE(Bar1Memory, nvmlBAR1Memory_t);
  FIELD(Bar1Memory, total, nvmlBAR1Memory_t, bar1Total);
  FIELD(Bar1Memory, free, nvmlBAR1Memory_t, bar1Free);
  FIELD(Bar1Memory, used, nvmlBAR1Memory_t, bar1Used);
  SIZE(ProcessInfoV1, nvmlProcessInfo_v1_t);
  FIELD(ProcessInfoV1, pid, nvmlProcessInfo_v1_t, pid);
  FIELD(ProcessInfoV1, used_memory, nvmlProcessInfo_v1_t, usedGpuMemory);
  SIZE(ProcessInfo, nvmlProcessInfo_v2_t);
  FIELD(ProcessInfo, pid, nvmlProcessInfo_v2_t, pid);
  FIELD(ProcessInfo, used_memory, nvmlProcessInfo_v2_t, usedGpuMemory);
  FIELD(ProcessInfo, gpu_instance, nvmlProcessInfo_v2_t, gpuInstanceId);
  FIELD(ProcessInfo, compute_instance, nvmlProcessInfo_v2_t, computeInstanceId);
  SIZE(ProcessDetail, nvmlProcessDetail_v1_t);
  FIELD(ProcessDetail, pid, nvmlProcessDetail_v1_t, pid);
  FIELD(ProcessDetail, used_memory, nvmlProcessDetail_v1_t, usedGpuMemory);
  FIELD(ProcessDetail, gpu_instance, nvmlProcessDetail_v1_t, gpuInstanceId);
  FIELD(ProcessDetail, compute_instance, nvmlProcessDetail_v1_t, computeInstanceId);
  FIELD(ProcessDetail, used_protected_memory, nvmlProcessDetail_v1_t, usedGpuCcProtectedMemory);
  SIZE(ProcessDetailList, nvmlProcessDetailList_v1_t);
  FIELD(ProcessDetailList, version, nvmlProcessDetailList_v1_t, version);
  FIELD(ProcessDetailList, mode, nvmlProcessDetailList_v1_t, mode);
  FIELD(ProcessDetailList, count, nvmlProcessDetailList_v1_t, numProcArrayEntries);
  FIELD(ProcessDetailList, processes, nvmlProcessDetailList_v1_t, procArray);
  SIZE(ProcessUtilizationSample, nvmlProcessUtilizationSample_t);
  FIELD(ProcessUtilizationSample, pid, nvmlProcessUtilizationSample_t, pid);
  FIELD(ProcessUtilizationSample, timestamp, nvmlProcessUtilizationSample_t, timeStamp);
  FIELD(ProcessUtilizationSample, sm, nvmlProcessUtilizationSample_t, smUtil);
  FIELD(ProcessUtilizationSample, memory, nvmlProcessUtilizationSample_t, memUtil);
  FIELD(ProcessUtilizationSample, encoder, nvmlProcessUtilizationSample_t, encUtil);
  FIELD(ProcessUtilizationSample, decoder, nvmlProcessUtilizationSample_t, decUtil);
}

void compare_value_structures() {
  SIZE(Value, nvmlValue_t);
  FIELD(Value, real, nvmlValue_t, dVal);
  FIELD(Value, signed_int, nvmlValue_t, siVal);
  FIELD(Value, unsigned_int, nvmlValue_t, uiVal);
  FIELD(Value, unsigned_long, nvmlValue_t, ulVal);
  FIELD(Value, unsigned_long_long, nvmlValue_t, ullVal);
  FIELD(Value, signed_long_long, nvmlValue_t, sllVal);
  FIELD(Value, unsigned_short, nvmlValue_t, usVal);
  SIZE(FieldValue, nvmlFieldValue_t);
  FIELD(FieldValue, field, nvmlFieldValue_t, fieldId);
  FIELD(FieldValue, scope, nvmlFieldValue_t, scopeId);
  FIELD(FieldValue, timestamp, nvmlFieldValue_t, timestamp);
  FIELD(FieldValue, latency, nvmlFieldValue_t, latencyUsec);
  FIELD(FieldValue, type, nvmlFieldValue_t, valueType);
  FIELD(FieldValue, status, nvmlFieldValue_t, nvmlReturn);
  FIELD(FieldValue, value, nvmlFieldValue_t, value);
  SIZE(Sample, nvmlSample_t);
  FIELD(Sample, timestamp, nvmlSample_t, timeStamp);
  FIELD(Sample, value, nvmlSample_t, sampleValue);
  SIZE(Temperature, nvmlTemperature_v1_t);
  FIELD(Temperature, version, nvmlTemperature_v1_t, version);
  FIELD(Temperature, sensor, nvmlTemperature_v1_t, sensorType);
  FIELD(Temperature, celsius, nvmlTemperature_v1_t, temperature);
  SIZE(PowerValue, nvmlPowerValue_v2_t);
  FIELD(PowerValue, version, nvmlPowerValue_v2_t, version);
  FIELD(PowerValue, scope, nvmlPowerValue_v2_t, powerScope);
  FIELD(PowerValue, milliwatts, nvmlPowerValue_v2_t, powerValueMw);
  SIZE(GpmMetric, nvmlGpmMetric_t);
  FIELD(GpmMetric, id, nvmlGpmMetric_t, metricId);
  FIELD(GpmMetric, status, nvmlGpmMetric_t, nvmlReturn);
  FIELD(GpmMetric, value, nvmlGpmMetric_t, value);
  FIELD(GpmMetric, info, nvmlGpmMetric_t, metricInfo);
  FIELD(GpmMetric, info.short_name, nvmlGpmMetric_t, metricInfo.shortName);
  FIELD(GpmMetric, info.long_name, nvmlGpmMetric_t, metricInfo.longName);
  FIELD(GpmMetric, info.unit, nvmlGpmMetric_t, metricInfo.unit);
  FIELD(GpmMetricsGet, version, nvmlGpmMetricsGet_t, version);
  FIELD(GpmMetricsGet, count, nvmlGpmMetricsGet_t, numMetrics);
  FIELD(GpmMetricsGet, earlier, nvmlGpmMetricsGet_t, sample1);
  FIELD(GpmMetricsGet, later, nvmlGpmMetricsGet_t, sample2);
  compare("offset of GpmMetricsGet::metrics", offsetof(ours::GpmMetricsGet, metrics),
          offsetof(nvmlGpmMetricsGet_t, metrics));
  SIZE(GpmSupport, nvmlGpmSupport_t);
  FIELD(GpmSupport, version, nvmlGpmSupport_t, version);
  FIELD(GpmSupport, supported, nvmlGpmSupport_t, isSupportedDevice);
}

// Two parameters agree when the caller puts them into registers alike: pointers to things of one size, or
// numbers of one size.
template <class Mine, class Theirs>
constexpr bool alike() {
  if constexpr (std::is_pointer_v<Mine> && std::is_pointer_v<Theirs>) {
    using A = std::remove_pointer_t<Mine>;
    using B = std::remove_pointer_t<Theirs>;
    if constexpr (requires { sizeof(A), sizeof(B); }) {
      // The one structure whose length depends on the header's age.
      return sizeof(A) == sizeof(B) || std::is_same_v<std::remove_const_t<B>, nvmlGpmMetricsGet_t>;
    } else {
      return !requires { sizeof(A); } && !requires { sizeof(B); };  // both opaque
    }
  } else {
    return std::is_pointer_v<Mine> == std::is_pointer_v<Theirs> && sizeof(Mine) == sizeof(Theirs);
  }
}

template <class Mine, class Theirs>
struct SameCall : std::false_type {};

template <class MyReturn, class... Mine, class TheirReturn, class... Theirs>
  requires(sizeof...(Mine) == sizeof...(Theirs))
struct SameCall<MyReturn(Mine...), TheirReturn(Theirs...)>
    : std::bool_constant<alike<MyReturn, TheirReturn>() && (alike<Mine, Theirs>() && ...)> {};

void compare_functions() {
#define FUNCTION(returned, name, parameters) \
  compare("call of " #name, SameCall<ours::signature::name, decltype(::name)>::value, 1);
  WATTFLEX_NVML_FUNCTIONS(FUNCTION)
#undef FUNCTION
}

}  // namespace

int main() {
  compare_codes();
  compare_enumerations();
  compare_constants();
  compare_bits_and_fields();
  compare_device_structures();
  compare_memory_and_processes();
  compare_value_structures();
  compare_functions();
  std::printf("%d sizes, offsets and numbers compared, %d differ\n", compared, differences);
  return differences == 0 ? 0 : 1;
}
