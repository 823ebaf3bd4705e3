// What stands between this machine and trustworthy readings and caps: findings, each with its remedy, from
// facts gathered elsewhere. Pure; nothing is written to find out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/gpu_backend.h"

namespace wattflex::device {

enum class Severity { good, note, warning, problem };

std::string_view to_string(Severity severity);

struct Finding {
  std::string check;  // "read", "set", "persistence", ...: stable
  GpuUuid gpu;        // empty: the machine
  Severity severity = Severity::good;
  std::string message;
  std::string remedy;  // empty for what is good
};

struct RunningProgram {
  int pid = 0;
  std::string name;
};

// Whether the driver would take a limit from this process, judged without writing one.
struct Privileges {
  bool root = false;
  bool sys_admin = false;  // the capability, in this process
};

enum class ExporterState { reachable, other_service, unreachable };

struct ExporterFact {
  std::string address;
  ExporterState state = ExporterState::unreachable;
};

struct GpuFacts {
  GpuIdentity identity;
  DeviceResult<GpuDescription> description;
  DeviceResult<GpuSample> sample;
  DeviceResult<PowerLimits> later;  // its limits once more, a little later
};

struct Facts {
  Inventory inventory;
  std::vector<GpuFacts> gpus;
  Privileges privileges;
  std::vector<RunningProgram> programs;
  ExporterFact exporter;
};

std::vector<Finding> diagnose(const Facts& facts);

}  // namespace wattflex::device
