// `wattflex twin`: GPUs that are not there, for programs that read and cap real ones.
#include <fmt/core.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/twin_place.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"
#include "base/parse.h"
#include "twin/board.h"
#include "twin/state/fault.h"
#include "twin/state/machine.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using twin::Fault;
using twin::FaultDescription;
using twin::Machine;
using twin::StateFile;
using twin::TwinSetup;

constexpr double kFastest = 3600;

std::string state_path(const Arguments& arguments) {
  return arguments.has("state") ? std::string(arguments.text("state")) : twin::default_state_path();
}

Result<TwinSetup> setup_from(const Arguments& arguments) {
  TwinSetup setup{.board = std::string(arguments.text("model"))};
  if (arguments.has("gpus")) {
    const auto gpus = arguments.integer("gpus", 1, twin::kMaxGpus);
    if (!gpus) return std::unexpected(gpus.error());
    setup.gpus = static_cast<std::uint32_t>(*gpus);
  }
  const auto speed = arguments.number("speed");
  if (!speed) return std::unexpected(speed.error());
  if (*speed < 1 || *speed > kFastest) {
    return fail(ErrorKind::usage, fmt::format("--speed: {:g} is out of range", *speed),
                "give 1 (as the wall clock) to 3600 (an hour a second)");
  }
  setup.speed = *speed;
  const auto seed = arguments.integer("seed", 0, std::numeric_limits<long long>::max());
  if (!seed) return std::unexpected(seed.error());
  setup.seed = static_cast<std::uint64_t>(*seed);
  return setup;
}

// For options that no run makes right.
Result<TwinSetup> setup_of_start(const Arguments& arguments) {
  return arguments.text("ACTION") == "start" ? setup_from(arguments) : TwinSetup();
}

// "0-3,5"; all GPUs without a list.
Result<std::set<std::size_t>> places_from(const Arguments& arguments, std::size_t gpus) {
  std::set<std::size_t> places;
  if (!arguments.has("gpus")) {
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) places.insert(gpu);
    return places;
  }
  for (const std::string_view part : split(arguments.text("gpus"), ',')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= static_cast<long long>(gpus)) {
      return fail(ErrorKind::usage, fmt::format("--gpus: '{}' is no GPU of this twin", part),
                  fmt::format("it has GPUs 0 to {}; write e.g. 0-3,5", gpus - 1));
    }
    for (long long gpu = *first; gpu <= *last; ++gpu) places.insert(static_cast<std::size_t>(gpu));
  }
  return places;
}

json json_of_faults(const twin::GpuRecord& gpu) {
  json faults = json::array();
  for (const FaultDescription& description : twin::fault_descriptions()) {
    if (fault_of(gpu, description.kind).on) faults.push_back(description.name);
  }
  return faults;
}

struct TwinGpu {
  double requested_w = 0;
  double enforced_w = 0;
  bool persistence = true;
  std::uint64_t writes = 0;
  json faults;
};

struct TwinStatus {
  std::string state;
  std::string library;
  std::string board;
  double speed = 1;
  std::uint64_t seed = 1;
  double time_s = 0;
  std::vector<TwinGpu> gpus;
};

Result<TwinStatus> status_of(Machine& machine) {
  const auto library = twin_library();
  if (!library) return std::unexpected(library.error());
  auto change = machine.begin();
  if (!change) return std::unexpected(change.error());
  const twin::StateHeader& header = change->header();
  TwinStatus status{.state = machine.file().path(),
                    .library = *library,
                    .board = header.board.data(),
                    .speed = header.speed,
                    .seed = header.seed,
                    .time_s = change->now().count()};
  for (std::size_t i = 0; i < machine.gpus(); ++i) {
    machine.settle(*change, i);
    const twin::GpuRecord& gpu = change->gpu(i);
    status.gpus.push_back({.requested_w = gpu.requested_mw / 1000.0,
                           .enforced_w = enforced_limit_w(gpu),
                           .persistence = gpu.persistence,
                           .writes = gpu.writes,
                           .faults = json_of_faults(gpu)});
  }
  change->commit();
  return status;
}

void print_twin(const TwinStatus& status, Console& console) {
  if (console.format() == Format::json) {
    json document = {{"status", "done"},          {"pedigree", "simulated"}, {"state", status.state},
                     {"library", status.library}, {"board", status.board},   {"speed", status.speed},
                     {"seed", status.seed},       {"time_s", status.time_s}, {"gpus", json::array()}};
    for (std::size_t i = 0; i < status.gpus.size(); ++i) {
      const TwinGpu& gpu = status.gpus[i];
      document["gpus"].push_back({{"index", i},
                                  {"requested_w", gpu.requested_w},
                                  {"enforced_w", gpu.enforced_w},
                                  {"persistence", gpu.persistence},
                                  {"writes", gpu.writes},
                                  {"faults", gpu.faults}});
    }
    return print_json(document, console);
  }
  using report::Align;
  report::TextTable table({{"gpu", "GPU"},
                           {"requested_w", "limit W"},
                           {"enforced_w", "enforced W"},
                           {"persistence", "persistence", Align::left},
                           {"writes", "writes"},
                           {"faults", "faults", Align::left}});
  for (std::size_t i = 0; i < status.gpus.size(); ++i) {
    const TwinGpu& gpu = status.gpus[i];
    std::string faults;
    for (const json& fault : gpu.faults) faults += (faults.empty() ? "" : " ") + fault.get<std::string>();
    table.add_row({std::to_string(i), fmt::format("{:g}", gpu.requested_w),
                   fmt::format("{:g}", gpu.enforced_w), gpu.persistence ? "on" : "off",
                   std::to_string(gpu.writes), faults});
  }
  console.print(table);
  console.say(fmt::format("\nSimulated: {} of {}, {:g} of its seconds in one of ours, {:.0f} s old.",
                          counted(status.gpus.size(), "GPU"), status.board, status.speed, status.time_s));
}

void print_environment(const TwinStatus& status, Console& console) {
  const std::string folder = status.library.substr(0, status.library.rfind('/'));
  if (console.format() == Format::json) {
    return print_json(json{{"status", "done"},
                           {"pedigree", "simulated"},
                           {"state", status.state},
                           {"library", status.library}},
                      console);
  }
  // For `eval`: nothing but assignments, quoted for a shell.
  const auto quoted = [](const std::string& text) {
    std::string quotes = "'";
    for (const char c : text) quotes += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quotes + "'";
  };
  console.out() << "export WATTFLEX_TWIN_STATE=" << quoted(status.state) << '\n'
                << "export WATTFLEX_NVML=" << quoted(status.library) << '\n'
                << "export LD_LIBRARY_PATH=" << quoted(folder) << "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n";
}

std::string known_faults() {
  std::string names = "driver-reload, counter-reset, persistence-off";
  for (const FaultDescription& each : twin::fault_descriptions()) names += ", " + std::string(each.name);
  return names;
}

Result<Fault> fault_from(const Arguments& arguments, const FaultDescription& description) {
  Fault fault{.on = !arguments.flag("off"), .value = description.value, .period_s = description.period_s};
  if (arguments.has("value")) {
    const auto value = arguments.number("value");
    if (!value) return std::unexpected(value.error());
    if (description.unit.empty() || !(*value > 0) || *value > 1e9) {
      return fail(ErrorKind::usage,
                  fmt::format("--value: {:g} means nothing to {}", *value, description.name),
                  description.unit.empty() ? "leave it out"
                                           : fmt::format("give it in {}, above 0", description.unit));
    }
    fault.value = *value;
  }
  if (arguments.has("period")) {
    const auto period = parse_duration(arguments.text("period"));
    if (!period || period->count() < 0.1 || description.period_s == 0) {
      return fail(
          ErrorKind::usage,
          fmt::format("--period: '{}' means nothing to {}", arguments.text("period"), description.name),
          "give 100ms or more to foreign-writer");
    }
    fault.period_s = period->count();
  }
  const auto probability = arguments.percent("probability");
  if (!probability) return std::unexpected(probability.error());
  if (*probability <= 0 || *probability > 1)
    return fail(ErrorKind::usage, "--probability: out of range", "give above 0 % to 100 %");
  fault.probability = *probability;
  return fault;
}

Result<void> apply_fault(const Arguments& arguments, Machine& machine) {
  const std::string_view name = arguments.text("FAULT");
  const auto places = places_from(arguments, machine.gpus());
  if (!places) return std::unexpected(places.error());
  auto change = machine.begin();
  if (!change) return std::unexpected(change.error());
  const FaultDescription* const known = twin::find_fault(name);
  if (name == "driver-reload") {
    machine.reload_driver(*change);
  } else if (known != nullptr) {
    const auto fault = fault_from(arguments, *known);
    if (!fault) return std::unexpected(fault.error());
    for (const std::size_t gpu : *places) machine.set_fault(*change, gpu, known->kind, *fault);
  } else {
    for (const std::size_t gpu : *places) {
      if (name == "counter-reset") {
        machine.reset_counter(*change, gpu);
      } else if (name == "persistence-off") {
        machine.set_persistence(*change, gpu, arguments.flag("off"));
      } else {
        return fail(ErrorKind::usage, fmt::format("no fault '{}'", name), "there are: " + known_faults());
      }
    }
  }
  change->commit();
  return {};
}

Result<Outcome> run_twin(const Arguments& arguments, Console& console) {
  const std::string_view action = arguments.text("ACTION");
  const std::string path = state_path(arguments);
  if (action == "start") {
    const auto setup = setup_from(arguments);
    if (!setup) return std::unexpected(setup.error());
    if (const auto library = twin_library(); !library) return std::unexpected(library.error());
    if (const auto made = StateFile::create(path, *setup); !made) return std::unexpected(made.error());
  }
  auto file = StateFile::open(path);
  if (!file) return std::unexpected(file.error());
  Machine machine(*std::move(file));
  if (action == "fault") {
    if (const auto done = apply_fault(arguments, machine); !done) return std::unexpected(done.error());
  }
  const auto status = status_of(machine);
  if (!status) return std::unexpected(status.error());
  if (action == "stop") {
    if (const auto removed = machine.file().remove(); !removed) return std::unexpected(removed.error());
  }
  if (action == "env") {
    print_environment(*status, console);
  } else {
    print_twin(*status, console);
  }
  if (action == "start") console.say("For other programs: eval \"$(wattflex twin env)\"");
  if (action == "stop") console.say("Stopped.");
  return Outcome::done;
}

}  // namespace

const Verb& twin_verb() {
  static const Verb kVerb{
      .name = "twin",
      .summary = "Start, look at, break and stop GPUs that are simulated",
      .details =
          "A digital twin of up to 1024 GPUs behind NVIDIA's own library interface: programs that load "
          "libnvidia-ml.so.1, Wattflex's verbs among them, read and cap it as they would real ones. 'start' "
          "makes "
          "it, 'env' prints the variables that lead programs to it, 'status' shows it, 'fault' breaks it, "
          "'stop' "
          "ends it. All processes of a user share it. Its limits, sensors and jobs follow "
          "docs/math/chip-physics.md; "
          "everything read from it says simulated.",
      .options = {{"ACTION", "start|env|status|fault|stop", "", "what to do", Takes::value, true},
                  {"FAULT", "NAME", "", "with fault: cap-ignored, gpu-lost, ...; any other name lists them"},
                  {"--gpus", "N|LIST", "", "with start how many (8), with fault which, as in 0-3,5 (all)"},
                  {"--model", "h100|h200|b200|a100|v100|l40s", "h200", "with start: the board"},
                  {"--speed", "TIMES", "1", "with start: seconds of its time in one of ours, 1 to 3600"},
                  {"--seed", "N", "1", "with start: of its sensors and faults"},
                  {"--value", "NUMBER", "", "with fault: watts or seconds, as the fault takes"},
                  {"--period", "TIME", "", "with fault foreign-writer: between its writes, as in 15s"},
                  {"--probability", "PERCENT", "100%", "with fault: how often it strikes"},
                  {"--off", "", "", "with fault: take it back", Takes::flag},
                  {"--state", "FILE", "", "the twin's state; else WATTFLEX_TWIN_STATE, or one a user"}},
      .examples = {{"wattflex twin start --gpus 8 --model h200 --speed 60", "eight H200, a minute a second"},
                   {"wattflex twin env", "the exports for other programs, for eval"},
                   {"wattflex twin fault foreign-writer --gpus 0 --value 250 --period 15s",
                    "somebody else sets GPU 0 to 250 W again and again"},
                   {"wattflex twin fault foreign-writer --off", "and stops"},
                   {"wattflex twin stop", "it is gone for all its users"}},
      .json_fields = {{"status", "", "done"},
                      {"pedigree", "", "simulated"},
                      {"state", "", "the file with its state"},
                      {"library", "", "the library that stands for libnvidia-ml.so.1"},
                      {"board", "", "as given to start"},
                      {"speed", "1", "seconds of its time in one of ours"},
                      {"seed", "1", "as given to start"},
                      {"time_s", "s", "of its time since it was started"},
                      {"gpus[].index", "1", "from 0"},
                      {"gpus[].requested_w", "W", "limit asked for"},
                      {"gpus[].enforced_w", "W", "limit in force"},
                      {"gpus[].persistence", "", "whether limits outlive its last client"},
                      {"gpus[].writes", "1", "of its limit so far, by anybody"},
                      {"gpus[].faults[]", "", "that are on"}},
      .run = run_twin,
      .check = can_read<setup_of_start>,
      .rules = {{"value", OptionRule::Relation::only_with, {"ACTION=fault"}},
                {"period", OptionRule::Relation::only_with, {"ACTION=fault"}},
                {"off", OptionRule::Relation::only_with, {"ACTION=fault"}},
                {"FAULT", OptionRule::Relation::only_with, {"ACTION=fault"}}}};
  return kVerb;
}

}  // namespace wattflex::app
