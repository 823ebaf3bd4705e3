// `wattflex doctor`: can this machine's GPUs be read and capped, and what stands in the way.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/gpu_options.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"
#include "device/diagnosis.h"
#include "device/host.h"

namespace wattflex::app {
namespace {

using device::Finding;
using device::Severity;
using nlohmann::json;

constexpr std::chrono::milliseconds kExporterPatience{1000};

device::Facts facts_of(const ChosenGpus& gpus) {
  device::Facts facts{.inventory = gpus.inventory};
  device::GpuWorkers& workers = *gpus.workers;
  auto descriptions = workers.on_all<device::GpuDescription>(
      [](device::GpuBackend& backend, const GpuUuid& uuid) { return backend.describe(uuid); },
      kDriverPatience);
  auto samples = workers.on_all<GpuSample>(
      [](device::GpuBackend& backend, const GpuUuid& uuid) {
        return backend.sample(uuid, device::Depth::basic);
      },
      kDriverPatience);
  facts.privileges = device::own_privileges();
  facts.programs = device::running_programs();
  auto later = workers.on_all<PowerLimits>(
      [](device::GpuBackend& backend, const GpuUuid& uuid) { return backend.limits(uuid); }, kDriverPatience);
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    facts.gpus.push_back(
        {gpus.identities[i], std::move(descriptions[i]), std::move(samples[i]), std::move(later[i])});
  }
  return facts;
}

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
  return static_cast<std::size_t>(std::ranges::count(findings, severity, &Finding::severity));
}

// The same finding on several GPUs is one line: eight GPUs without persistence mode are one thing to do.
std::string places_of(const std::vector<Finding>& findings, const Finding& first,
                      const device::Facts& facts) {
  if (first.gpu.text.empty()) return "machine";
  std::string places;
  std::size_t gpus = 0;
  for (const Finding& finding : findings) {
    if (finding.check != first.check || finding.message != first.message) continue;
    const auto gpu = std::ranges::find(facts.inventory.gpus, finding.gpu, &GpuIdentity::uuid);
    const bool numbered = gpu != facts.inventory.gpus.end() && gpu->index;
    places += (places.empty() ? "" : ",") + (numbered ? std::to_string(*gpu->index) : finding.gpu.text);
    ++gpus;
  }
  return (gpus > 1 ? "GPUs " : "GPU ") + places;
}

void print_text(const std::vector<Finding>& findings, const device::Facts& facts, Console& console) {
  std::vector<std::string> told;
  for (const Severity severity : {Severity::problem, Severity::warning, Severity::note, Severity::good}) {
    for (const Finding& finding : findings) {
      if (finding.severity != severity) continue;
      const std::string line = fmt::format("{:8} {}: {}", to_string(severity),
                                           places_of(findings, finding, facts), finding.message);
      if (std::ranges::find(told, line) != told.end()) continue;
      told.push_back(line);
      console.say(line);
      if (!finding.remedy.empty()) console.say("         " + finding.remedy);
    }
  }
  console.say(fmt::format("\n{}, {}, {}. Driver {}, {}.",
                          counted(count(findings, Severity::problem), "problem"),
                          counted(count(findings, Severity::warning), "warning"),
                          counted(count(findings, Severity::note), "note"), facts.inventory.driver_version,
                          facts.inventory.source));
  if (const std::string line = pedigree_line(facts.inventory); !line.empty()) console.say(line);
}

void print_csv(const std::vector<Finding>& findings, const device::Facts& facts, Console& console) {
  report::TextTable table(
      {{"severity", ""}, {"check", ""}, {"uuid", ""}, {"message", ""}, {"remedy", ""}, {"pedigree", ""}});
  for (const Finding& finding : findings) {
    table.add_row({std::string(to_string(finding.severity)), finding.check, finding.gpu.text, finding.message,
                   finding.remedy, std::string(pedigree_of(facts.inventory))});
  }
  console.print(table);
}

void print_document(const std::vector<Finding>& findings, const device::Facts& facts, Console& console) {
  json document = {{"status", count(findings, Severity::problem) == 0 ? "done" : "partial"},
                   {"pedigree", pedigree_of(facts.inventory)},
                   {"driver_version", facts.inventory.driver_version},
                   {"library", facts.inventory.source},
                   {"n_problems", count(findings, Severity::problem)},
                   {"n_warnings", count(findings, Severity::warning)},
                   {"findings", json::array()}};
  for (const Finding& finding : findings) {
    document["findings"].push_back({{"severity", to_string(finding.severity)},
                                    {"check", finding.check},
                                    {"uuid", finding.gpu.text.empty() ? json() : json(finding.gpu.text)},
                                    {"message", finding.message},
                                    {"remedy", finding.remedy.empty() ? json() : json(finding.remedy)}});
  }
  print_json(document, console);
}

Result<Outcome> run_doctor(const Arguments& arguments, Console& console) {
  const auto exporter = device::probe_exporter(std::string(arguments.text("exporter")), kExporterPatience);
  if (!exporter) return std::unexpected(exporter.error());
  const auto gpus = open_gpus(arguments);
  if (!gpus) return std::unexpected(gpus.error());
  device::Facts facts = facts_of(*gpus);
  facts.exporter = *exporter;
  const auto findings = device::diagnose(facts);
  if (console.format() == Format::json) {
    print_document(findings, facts, console);
  } else if (console.format() == Format::csv) {
    print_csv(findings, facts, console);
  } else {
    print_text(findings, facts, console);
  }
  return count(findings, Severity::problem) == 0 ? Outcome::done : Outcome::partial;
}

}  // namespace

const Verb& doctor_verb() {
  static const Verb kVerb{
      .name = "doctor",
      .summary = "Say whether GPUs can be read and capped here, and what to do if not",
      .details =
          "Looks at the driver, each GPU, the privileges of this process, other programs that set limits or "
          "hold profiling counters, and dcgm-exporter's usual port. Every finding comes with its remedy. "
          "Nothing is changed and no limit is written, not even the one that is set: whether the driver "
          "takes one is judged by privileges. Exit status 1 when there is a problem.",
      .options = {{"--exporter", "HOST:PORT", "localhost:9400", "where dcgm-exporter would answer"},
                  nvml_option(),
                  gpus_option()},
      .examples = {{"wattflex doctor", "before a first sweep"},
                   {"wattflex doctor -o json", "the findings for a script"},
                   {"wattflex doctor --nvml /run/nvidia/driver",
                    "a driver that lives in a container's root"}},
      .json_fields = {{"status", "", "done, or partial when there is a problem"},
                      {"pedigree", "", "measured, or simulated where the library is the twin's"},
                      {"driver_version", "", "as the driver tells it"},
                      {"library", "", "the NVML library in use"},
                      {"n_problems", "1", "findings that keep a GPU from being read or capped"},
                      {"n_warnings", "1", "findings to act on before trusting a cap"},
                      {"findings[].severity", "", "good, note, warning or problem"},
                      {"findings[].check", "",
                       "gpus, read, activity, set, limiter, writer, persistence, mig, profiler or exporter"},
                      {"findings[].uuid", "", "the GPU; null: the machine"},
                      {"findings[].message", "", "what was found"},
                      {"findings[].remedy", "", "what to do; null where all is well"}},
      .run = run_doctor};
  return kVerb;
}

}  // namespace wattflex::app
