// The hardware seam: whatever reads GPUs and sets their power limits, be it a driver, a recording or a
// decorator that breaks things. Nothing else of a GPU is ever written. GPUs are named by UUID, never by
// index.
#pragma once

#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "model/gpu.h"

namespace wattflex::device {

// Why a GPU gave nothing. `message` names the GPU or the library.
struct DeviceError {
  Problem problem = Problem::failed;
  std::string message;
  std::string remedy;

  friend bool operator==(const DeviceError&, const DeviceError&) = default;
};

template <class T>
using DeviceResult = std::expected<T, DeviceError>;

Error to_error(const DeviceError& error);
std::unexpected<DeviceError> failed(Problem problem, std::string message, std::string remedy);

// An index behind which the driver shows no usable GPU (CAP-14).
struct Hole {
  int index = 0;
  Problem problem = Problem::failed;
};

struct Inventory {
  Pedigree pedigree = Pedigree::measured;
  std::string driver_version;
  std::string source;             // the library's path, or the recording's
  std::vector<GpuIdentity> gpus;  // by the driver's order
  std::vector<Hole> holes;
  std::optional<std::size_t> pci_gpus;  // on the bus; more than the driver shows means that one fell off
  std::vector<std::string> notes;       // fallbacks in use, one sentence each
};

// What changes rarely.
struct GpuDescription {
  GpuIdentity identity;
  PowerLimits limits;
  Reading<bool> mig;
  Reading<bool> profiling;  // whether the activity counters can be had
  Reading<double> memory_total;
  Reading<Frequency> sm_clock_max;
  Reading<Frequency> memory_clock_max;
  DrawKind plain_draw = DrawKind::instant;  // what the driver's plain power call gives on this board
  bool module_scope = false;                // whether the module around the GPU has a draw of its own
  std::vector<std::string> notes;           // fallbacks in use
};

// Activity counters cost a few calls more, and a profiler of the user's may need them.
enum class Depth { basic, activity };

// Functions may be called from several threads, for one GPU from one at a time. A call may hang as long as
// the driver does: GpuWorkers puts a deadline on it.
class GpuBackend {
 public:
  GpuBackend() = default;
  GpuBackend(const GpuBackend&) = delete;
  GpuBackend& operator=(const GpuBackend&) = delete;
  virtual ~GpuBackend() = default;
  // Fails only when nothing at all can be seen (no driver, library and driver of different versions: CAP-17).
  virtual DeviceResult<Inventory> inventory() = 0;
  virtual DeviceResult<GpuDescription> describe(const GpuUuid& uuid) = 0;
  // Fails when the GPU as a whole is out of reach; single readings are missing by themselves.
  virtual DeviceResult<GpuSample> sample(const GpuUuid& uuid, Depth depth) = 0;
  virtual DeviceResult<PowerLimits> limits(const GpuUuid& uuid) = 0;
  // Sets the requested limit, in whole milliwatts, and reads back what came of it. The UUID behind the handle
  // is looked at right before (SAFE-03); a limit outside the board's range is not written (CAP-09).
  virtual DeviceResult<PowerLimits> set_limit(const GpuUuid& uuid, Power limit) = 0;
  // Costs milliseconds in the driver (TEL-12): not for every sample.
  virtual DeviceResult<std::vector<GpuProcess>> processes(const GpuUuid& uuid) = 0;
  // The hardware's time; a twin's runs faster.
  virtual Clock& clock() = 0;
};

}  // namespace wattflex::device
