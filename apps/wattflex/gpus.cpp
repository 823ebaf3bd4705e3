// `wattflex gpus`: the GPUs of this machine and what they read right now.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <set>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/gpu_options.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/reading_json.h"
#include "apps/wattflex/verbs.h"
#include "device/sample_csv.h"

namespace wattflex::app {
namespace {

using device::DeviceError;
using device::DeviceResult;
using nlohmann::json;

constexpr double kMebi = 1048576;

struct View {
  device::GpuDescription description;
  GpuSample sample;
  DeviceResult<std::vector<GpuProcess>> processes;
};

DeviceResult<View> look(device::GpuBackend& backend, const GpuUuid& uuid) {
  auto description = backend.describe(uuid);
  if (!description) return std::unexpected(description.error());
  auto sample = backend.sample(uuid, device::Depth::basic);
  if (!sample) return std::unexpected(sample.error());
  return View{*std::move(description), *sample, backend.processes(uuid)};
}

json json_of_processes(const DeviceResult<std::vector<GpuProcess>>& processes) {
  if (!processes) return {};
  json list = json::array();
  for (const GpuProcess& process : *processes) {
    list.push_back({{"pid", process.pid},
                    {"name", process.name},
                    {"fb_used_mib", process.memory_used ? json(*process.memory_used / kMebi) : json()}});
  }
  return list;
}

json json_of_missing(const GpuSample& sample) {
  json missing = json::array();
  const auto problems = device::missing_readings(sample);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i] && *problems[i] != Problem::not_asked)
      missing.push_back({{"reading", device::reading_columns()[i]}, {"reason", to_string(*problems[i])}});
  }
  return missing;
}

json json_of_identity(const GpuIdentity& gpu) {
  return {{"uuid", gpu.uuid.text},
          {"index", or_null(gpu.index)},
          {"name", gpu.name},
          {"pci_bus_id", gpu.pci_bus_id}};
}

json json_of_view(const View& view) {
  const GpuSample& sample = view.sample;
  const device::GpuDescription& about = view.description;
  json gpu = json_of_identity(about.identity);
  gpu["problem"] = nullptr;
  gpu["draw_instant_w"] = json_of(sample.draw_instant);
  gpu["draw_average_w"] = json_of(sample.draw_average);
  gpu["module_draw_instant_w"] = json_of(sample.module_draw_instant);
  gpu["module_draw_average_w"] = json_of(sample.module_draw_average);
  gpu["energy_mj"] = sample.energy ? json(sample.energy->millijoules) : json();
  gpu["energy_scope"] = sample.energy ? json(to_string(sample.energy->scope)) : json();
  gpu["requested_w"] = json_of(about.limits.requested);
  gpu["enforced_w"] = json_of(about.limits.enforced);
  gpu["default_w"] = json_of(about.limits.factory);
  gpu["least_w"] = json_of(about.limits.least);
  gpu["most_w"] = json_of(about.limits.most);
  gpu["persistence"] = json_of(about.limits.persistence);
  gpu["mig"] = json_of(about.mig);
  gpu["activity_counters"] = json_of(about.profiling);
  gpu["sm_clock_mhz"] = json_of(sample.sm_clock);
  gpu["sm_clock_max_mhz"] = json_of(about.sm_clock_max);
  gpu["mem_clock_mhz"] = json_of(sample.memory_clock);
  gpu["gpu_util"] = json_of(sample.gpu_util);
  gpu["mem_copy_util"] = json_of(sample.mem_copy_util);
  gpu["fb_used_mib"] = sample.memory_used ? json(*sample.memory_used / kMebi) : json();
  gpu["fb_total_mib"] = about.memory_total ? json(*about.memory_total / kMebi) : json();
  gpu["gpu_temp_c"] = json_of(sample.temperature);
  gpu["mem_temp_c"] = json_of(sample.memory_temperature);
  gpu["throttle"] = sample.throttle ? json(sample.throttle->names()) : json();
  gpu["processes"] = json_of_processes(view.processes);
  gpu["notes"] = about.notes;
  gpu["missing"] = json_of_missing(sample);
  return gpu;
}

json json_of_failure(const GpuIdentity& identity, const DeviceError& error) {
  json gpu = json_of_identity(identity);
  gpu["problem"] = {{"kind", to_string(error.problem)}, {"message", error.message}, {"remedy", error.remedy}};
  return gpu;
}

std::string draw_text(const GpuSample& sample) {
  const Reading<Power>& draw = sample.draw_average ? sample.draw_average : sample.draw_instant;
  if (!draw) return "-";
  return fmt::format("{:.0f}{}", draw->watts(), sample.draw_average ? "" : " (instant)");
}

std::string percent_text(const Reading<double>& share) {
  return share ? fmt::format("{:.0f}", *share * 100) : "-";
}

std::string memory_text(const View& view) {
  if (!view.sample.memory_used || !view.description.memory_total) return "-";
  constexpr double kGibi = 1024 * kMebi;
  return fmt::format("{:.1f} of {:.0f}", *view.sample.memory_used / kGibi,
                     *view.description.memory_total / kGibi);
}

std::vector<std::string> cells_of(const View& view) {
  const PowerLimits& limits = view.description.limits;
  const GpuIdentity& identity = view.description.identity;
  return {identity.index ? std::to_string(*identity.index) : "-",
          identity.uuid.text,
          identity.name,
          draw_text(view.sample),
          watts_text(limits.requested),
          watts_text(limits.enforced),
          watts_text(limits.least) + ".." + watts_text(limits.most),
          percent_text(view.sample.gpu_util),
          memory_text(view),
          view.sample.temperature ? fmt::format("{:.0f}", *view.sample.temperature) : "-",
          view.sample.throttle ? view.sample.throttle->names() : "-",
          view.processes ? std::to_string(view.processes->size()) : "-"};
}

constexpr std::size_t kDrawColumn = 3;
constexpr std::size_t kColumns = 13;

report::TextTable table_of(const ChosenGpus& gpus, const std::vector<DeviceResult<View>>& views) {
  using report::Align;
  report::TextTable table({{"gpu", "GPU"},
                           {"uuid", "UUID", Align::left},
                           {"name", "name", Align::left},
                           {"draw_w", "draw W"},
                           {"requested_w", "limit W"},
                           {"enforced_w", "enforced W"},
                           {"range_w", "range W"},
                           {"gpu_util_percent", "busy %"},
                           {"memory_gib", "memory GiB"},
                           {"gpu_temp_c", "C"},
                           {"throttle", "held back by", Align::left},
                           {"processes", "processes"},
                           {"pedigree", "source", Align::left}});
  for (std::size_t i = 0; i < views.size(); ++i) {
    std::vector<std::string> cells;
    if (views[i]) {
      cells = cells_of(*views[i]);
    } else {
      const GpuIdentity& gpu = gpus.identities[i];
      cells = {gpu.index ? std::to_string(*gpu.index) : "-", gpu.uuid.text, gpu.name};
      cells.resize(kColumns - 1);
      cells[kDrawColumn] = to_string(views[i].error().problem);
    }
    cells.emplace_back(pedigree_of(gpus.inventory));
    table.add_row(std::move(cells));
  }
  return table;
}

void print_text(const ChosenGpus& gpus, const std::vector<DeviceResult<View>>& views, Console& console) {
  console.print(table_of(gpus, views));
  console.say(fmt::format("\nDriver {}, {}.", gpus.inventory.driver_version, gpus.inventory.source));
  std::set<std::string> notes(gpus.inventory.notes.begin(), gpus.inventory.notes.end());
  for (const auto& view : views) {
    if (view) notes.insert(view->description.notes.begin(), view->description.notes.end());
  }
  for (const std::string& note : notes) console.say("Note: " + note + ".");
  if (const std::string line = pedigree_line(gpus.inventory); !line.empty()) console.say(line);
}

void print_document(const ChosenGpus& gpus, const std::vector<DeviceResult<View>>& views, bool whole,
                    Console& console) {
  json document = {{"status", whole ? "done" : "partial"},
                   {"pedigree", pedigree_of(gpus.inventory)},
                   {"driver_version", gpus.inventory.driver_version},
                   {"library", gpus.inventory.source},
                   {"pci_gpus", or_null(gpus.inventory.pci_gpus)},
                   {"notes", gpus.inventory.notes},
                   {"absent", absent_gpus(gpus.inventory)},
                   {"gpus", json::array()}};
  for (std::size_t i = 0; i < views.size(); ++i) {
    document["gpus"].push_back(views[i] ? json_of_view(*views[i])
                                        : json_of_failure(gpus.identities[i], views[i].error()));
  }
  print_json(document, console);
}

Result<Outcome> run_gpus(const Arguments& arguments, Console& console) {
  const auto gpus = open_gpus(arguments);
  if (!gpus) return std::unexpected(gpus.error());
  const auto views = gpus->workers->on_all<View>(look, kDriverPatience);
  bool whole = gpus->inventory.holes.empty();
  for (const std::string& absent : absent_gpus(gpus->inventory)) console.warn(absent);
  for (const auto& view : views) {
    if (view) continue;
    whole = false;
    console.warn(view.error().message);
  }
  if (console.format() == Format::json) {
    print_document(*gpus, views, whole, console);
  } else if (console.format() == Format::csv) {
    console.print(table_of(*gpus, views));
  } else {
    print_text(*gpus, views, console);
  }
  return whole ? Outcome::done : Outcome::partial;
}

std::vector<JsonField> json_fields() {
  return {{"status", "", "done, or partial when a GPU did not answer"},
          {"pedigree", "", "measured, or simulated where the library is the twin's"},
          {"driver_version", "", "as the driver tells it"},
          {"library", "", "the NVML library in use"},
          {"pci_gpus", "1", "NVIDIA GPUs on the PCI bus; null where that can't be seen"},
          {"notes[]", "", "fallbacks that this driver makes necessary"},
          {"absent[]", "", "GPUs that the driver counts or the bus has, and that can't be used"},
          {"gpus[].uuid", "", "the GPU's lasting name"},
          {"gpus[].index", "1", "the driver's number today; not for keeping"},
          {"gpus[].name", "", "board"},
          {"gpus[].pci_bus_id", "", "where it sits"},
          {"gpus[].problem", "", "null; otherwise the rest of this GPU is absent"},
          {"gpus[].problem.kind", "", "timed_out, gpu_lost, driver_mismatch, ..."},
          {"gpus[].problem.message", "", "what happened"},
          {"gpus[].problem.remedy", "", "what to do"},
          {"gpus[].draw_instant_w", "W", "draw of the GPU, an instant"},
          {"gpus[].draw_average_w", "W", "draw of the GPU, mean over the last second"},
          {"gpus[].module_draw_instant_w", "W", "draw of the whole module (GPU, CPU, memory)"},
          {"gpus[].module_draw_average_w", "W", "the same, mean over the last second"},
          {"gpus[].energy_mj", "mJ", "the energy counter, raw"},
          {"gpus[].energy_scope", "", "gpu or module: whose energy it counts"},
          {"gpus[].requested_w", "W", "limit last asked for"},
          {"gpus[].enforced_w", "W", "limit in force; lower where another limiter holds"},
          {"gpus[].default_w", "W", "the board's default limit"},
          {"gpus[].least_w", "W", "smallest limit the board takes"},
          {"gpus[].most_w", "W", "largest limit the board takes"},
          {"gpus[].persistence", "", "whether the driver keeps limits when its last client leaves"},
          {"gpus[].mig", "", "whether the GPU is divided into instances"},
          {"gpus[].activity_counters", "", "whether SM, tensor and memory activity can be had without DCGM"},
          {"gpus[].sm_clock_mhz", "MHz", "SM clock"},
          {"gpus[].sm_clock_max_mhz", "MHz", "highest SM clock"},
          {"gpus[].mem_clock_mhz", "MHz", "memory clock"},
          {"gpus[].gpu_util", "1", "share of time with a kernel running"},
          {"gpus[].mem_copy_util", "1", "share of time with memory being read or written"},
          {"gpus[].fb_used_mib", "MiB", "memory in use"},
          {"gpus[].fb_total_mib", "MiB", "memory"},
          {"gpus[].gpu_temp_c", "C", "temperature"},
          {"gpus[].mem_temp_c", "C", "memory temperature"},
          {"gpus[].throttle", "", "what holds the clocks back, joined by +; none"},
          {"gpus[].processes", "", "null where they can't be listed"},
          {"gpus[].processes[].pid", "", "process id"},
          {"gpus[].processes[].name", "", "its program"},
          {"gpus[].processes[].fb_used_mib", "MiB", "its memory on this GPU"},
          {"gpus[].notes[]", "", "what is different about this GPU's readings"},
          {"gpus[].missing[].reading", "", "a reading that is null"},
          {"gpus[].missing[].reason", "", "not_supported, no_permission, impossible_value, timed_out, ..."}};
}

}  // namespace

const Verb& gpus_verb() {
  static const Verb kVerb{
      .name = "gpus",
      .summary = "List the GPUs of this machine with their limits and draw",
      .details =
          "Reads each GPU once through NVIDIA's NVML, whatever is installed beside it, and changes nothing. "
          "A reading that the board or the driver does not have is missing, with its reason in the JSON; a "
          "GPU that does not answer within 5 s is reported and does not hold up the others. Works as any "
          "user.",
      .options = {nvml_option(), gpus_option()},
      .examples = {{"wattflex gpus", "what is here, what it draws, what limits it"},
                   {"wattflex gpus -o json", "every reading, with the reason where one is missing"},
                   {"wattflex gpus --nvml /run/nvidia/driver", "a driver that lives in a container's root"}},
      .json_fields = json_fields(),
      .run = run_gpus};
  return kVerb;
}

}  // namespace wattflex::app
