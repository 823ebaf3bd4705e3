#include "device/diagnosis.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

namespace wattflex::device {
namespace {

using Findings = std::vector<Finding>;

struct KnownProgram {
  std::string_view name;  // as the kernel shows it, at most 15 characters
  std::string_view does;
};

constexpr KnownProgram kLimiters[] = {{"zeusd", "sets power limits for Zeus"},
                                      {"geopmd", "sets power limits for GEOPM"},
                                      {"nvidia-powerd", "moves power between CPU and GPU"},
                                      {"power_agent", "sets power limits of a cluster"}};
constexpr KnownProgram kProfilers[] = {{"ncu", "Nsight Compute"},
                                       {"nsys", "Nsight Systems"},
                                       {"nv-hostengine", "DCGM's engine"},
                                       {"dcgm-exporter", "DCGM's exporter"}};

const KnownProgram* find(std::span<const KnownProgram> known, std::string_view name) {
  const auto found = std::ranges::find(known, name, &KnownProgram::name);
  return found == known.end() ? nullptr : &*found;
}

void judge_bus(const Inventory& inventory, Findings& findings) {
  for (const Hole& hole : inventory.holes) {
    findings.push_back({"gpus",
                        {},
                        Severity::problem,
                        fmt::format("GPU {} of the driver's count can't be opened ({})", hole.index,
                                    to_string(hole.problem)),
                        "look for Xid errors in the kernel log; reset the GPU or reboot"});
  }
  const std::size_t shown = inventory.gpus.size() + inventory.holes.size();
  if (!inventory.pci_gpus || *inventory.pci_gpus == shown) return;
  const bool fewer = *inventory.pci_gpus > shown;
  findings.push_back({"gpus",
                      {},
                      fewer ? Severity::warning : Severity::note,
                      fmt::format("the PCI bus has {} GPUs, NVML shows {}", *inventory.pci_gpus, shown),
                      fewer ? "one fell off the bus, or this container is given only some"
                            : "this container sees less of the bus than of the driver; nothing to do"});
}

void judge_reading(const GpuFacts& gpu, Findings& findings) {
  const GpuUuid& uuid = gpu.identity.uuid;
  const auto* const error = !gpu.description ? &gpu.description.error()
                            : !gpu.sample    ? &gpu.sample.error()
                                             : nullptr;
  if (error != nullptr) {
    findings.push_back({"read", uuid, Severity::problem, error->message, error->remedy});
    return;
  }
  const GpuSample& sample = *gpu.sample;
  if (!sample.draw_average && !sample.draw_instant) {
    findings.push_back({"read", uuid, Severity::problem,
                        fmt::format("its draw can't be read ({})", to_string(sample.draw_average.problem())),
                        "without its draw no power curve can be measured on this GPU"});
  } else if (!sample.energy && !sample.draw_average) {
    findings.push_back(
        {"read", uuid, Severity::warning,
         "it has neither an energy counter nor an averaged draw: instants alone may miss what a "
         "job draws in between",
         "measure over many minutes"});
  } else {
    findings.push_back({"read", uuid, Severity::good, "draw and limits can be read", ""});
  }
  if (gpu.description->profiling && *gpu.description->profiling) return;
  findings.push_back({"activity", uuid, Severity::note,
                      "no activity counters through NVML (they come with Hopper)",
                      "predictions that need them take DCGM's, or do without"});
}

void judge_limits(const GpuFacts& gpu, Findings& findings) {
  if (!gpu.description) return;
  const GpuUuid& uuid = gpu.identity.uuid;
  const PowerLimits& limits = gpu.description->limits;
  if (!limits.least || !limits.most || !limits.requested) {
    findings.push_back({"set", uuid, Severity::problem, "its limits can't be read, so none can be set safely",
                        "this board or its virtualisation keeps limits from us; leave it out"});
    return;
  }
  if (*limits.least == *limits.most) {
    findings.push_back({"set", uuid, Severity::problem,
                        fmt::format("it takes no other limit than {:g} W", limits.most->watts()),
                        "this GPU can't be capped"});
  }
  if (limits.limited_elsewhere()) {
    findings.push_back({"limiter", uuid, Severity::warning,
                        fmt::format("{:g} W were asked for and {:g} W are enforced: another limiter holds",
                                    limits.requested->watts(), limits.enforced->watts()),
                        "look into the board management's power settings; caps above that have no effect"});
  }
  if (limits.factory && *limits.requested != *limits.factory) {
    findings.push_back(
        {"writer", uuid, Severity::note,
         fmt::format("its limit is {:g} W, {:.0f} % of the default {:g} W: somebody set it",
                     limits.requested->watts(), 100 * (*limits.requested / *limits.factory),
                     limits.factory->watts()),
         "a sweep would take this for uncapped: 'wattflex status --local' has the command that puts "
         "the default back"});
  }
  if (gpu.later && gpu.later->requested && *gpu.later->requested != *limits.requested) {
    findings.push_back(
        {"writer", uuid, Severity::problem,
         fmt::format("its limit changed from {:g} to {:g} W while we looked: another program sets it",
                     limits.requested->watts(), gpu.later->requested->watts()),
         "stop that program before a cap is set here"});
  }
  if (limits.persistence && !*limits.persistence) {
    findings.push_back(
        {"persistence", uuid, Severity::warning,
         "persistence mode is off: a limit is forgotten when the last program closes the driver",
         fmt::format("run nvidia-persistenced, or 'nvidia-smi -i {} -pm 1' as root", uuid.text)});
  }
  if (gpu.description->mig && *gpu.description->mig) {
    findings.push_back({"mig", uuid, Severity::warning,
                        "MIG is on: draw and limit are the whole GPU's, shared by all its instances",
                        "cap it only when all its instances belong to one job"});
  }
}

void judge_privileges(const Privileges& privileges, Findings& findings) {
  if (privileges.root && privileges.sys_admin) {
    findings.push_back({"set",
                        {},
                        Severity::good,
                        "this process may set limits (root with CAP_SYS_ADMIN); the first cap will prove it",
                        ""});
  } else if (privileges.root) {
    findings.push_back({"set",
                        {},
                        Severity::warning,
                        "root without CAP_SYS_ADMIN, as in most containers: the driver refuses limits",
                        "give the container CAP_SYS_ADMIN, or set limits from the host"});
  } else {
    findings.push_back({"set",
                        {},
                        Severity::warning,
                        "this user can read but not set limits",
                        "run what sets caps as root; reading needs no privilege"});
  }
}

void judge_programs(const Facts& facts, Findings& findings) {
  // Since Hopper the counters can be read by several at a time.
  const bool older = std::ranges::any_of(facts.gpus, [](const GpuFacts& gpu) {
    return gpu.description && !(gpu.description->profiling && *gpu.description->profiling);
  });
  for (const RunningProgram& program : facts.programs) {
    if (const auto* const limiter = find(kLimiters, program.name)) {
      findings.push_back({"writer",
                          {},
                          Severity::warning,
                          fmt::format("{} (pid {}) runs and {}", program.name, program.pid, limiter->does),
                          "two writers undo each other: stop it, or leave its GPUs out"});
    }
    if (const auto* const profiler = find(kProfilers, program.name)) {
      findings.push_back({"profiler",
                          {},
                          older ? Severity::warning : Severity::note,
                          fmt::format("{} ({}, pid {}) may hold the activity counters", program.name,
                                      profiler->does, program.pid),
                          "where activity readings are missing, pause it or record with --basic"});
    }
  }
}

void judge_exporter(const ExporterFact& exporter, Findings& findings) {
  switch (exporter.state) {
    case ExporterState::reachable:
      findings.push_back(
          {"exporter", {}, Severity::good, "dcgm-exporter answers at " + exporter.address, ""});
      return;
    case ExporterState::other_service:
      findings.push_back({"exporter",
                          {},
                          Severity::note,
                          exporter.address + " answers, but not with DCGM's metrics",
                          "name its port with --exporter"});
      return;
    case ExporterState::unreachable:
      findings.push_back(
          {"exporter",
           {},
           Severity::note,
           "no dcgm-exporter at " + exporter.address,
           "none is needed to record or sweep; name its port with --exporter if there is one"});
  }
}

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::good:
      return "good";
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::problem:
      return "problem";
  }
  return "good";
}

std::vector<Finding> diagnose(const Facts& facts) {
  Findings findings;
  judge_bus(facts.inventory, findings);
  for (const GpuFacts& gpu : facts.gpus) {
    judge_reading(gpu, findings);
    judge_limits(gpu, findings);
  }
  judge_privileges(facts.privileges, findings);
  judge_programs(facts, findings);
  judge_exporter(facts.exporter, findings);
  return findings;
}

}  // namespace wattflex::device
