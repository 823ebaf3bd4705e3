#include "apps/wattflex/back_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/reading_json.h"
#include "base/counted.h"

namespace wattflex::app {
namespace {

using control::BackOutcome;
using control::BackState;
using control::ForeignLimit;
using nlohmann::json;

std::optional<int> index_of(const ChosenGpus& gpus, const GpuUuid& uuid) {
  for (const GpuIdentity& gpu : gpus.inventory.gpus) {
    if (gpu.uuid == uuid) return gpu.index;
  }
  return std::nullopt;
}

json document_of(const BackReport& report) {
  json document = {{"status", report.whole() ? "done" : "partial"},
                   {"pedigree", pedigree_of(report.gpus.inventory)},
                   {"gpus", json::array()}};
  for (const BackOutcome& outcome : report.outcomes) {
    document["gpus"].push_back({{"uuid", outcome.entry.gpu.text},
                                {"index", or_null(index_of(report.gpus, outcome.entry.gpu))},
                                {"state", to_string(outcome.state)},
                                {"hold", to_string(outcome.entry.hold)},
                                {"found_w", outcome.entry.found.watts()},
                                {"requested_w", outcome.after ? json_of(outcome.after->requested) : json()},
                                {"enforced_w", outcome.after ? json_of(outcome.after->enforced) : json()},
                                {"problem", outcome.error ? json(outcome.error->message) : json()},
                                {"remedy", outcome.error ? json(outcome.error->remedy) : json()}});
  }
  return document;
}

report::TextTable table_of(const BackReport& report) {
  using report::Align;
  report::TextTable table({{"gpu", "GPU"},
                           {"uuid", "UUID", Align::left},
                           {"found_w", "found W"},
                           {"limit_w", "limit W"},
                           {"state", "", Align::left},
                           {"pedigree", "source", Align::left}});
  for (const BackOutcome& outcome : report.outcomes) {
    const auto index = index_of(report.gpus, outcome.entry.gpu);
    table.add_row({index ? std::to_string(*index) : "-", outcome.entry.gpu.text,
                   watts_text(outcome.entry.found),
                   outcome.after ? watts_text(outcome.after->requested) : "-",
                   std::string(to_string(outcome.state)), std::string(pedigree_of(report.gpus.inventory))});
  }
  return table;
}

}  // namespace

bool BackReport::whole() const {
  return std::ranges::all_of(outcomes, [](const BackOutcome& outcome) {
    return outcome.state == BackState::restored || outcome.state == BackState::unchanged;
  });
}

void print_back(const BackReport& report, Console& console) {
  for (const BackOutcome& outcome : report.outcomes) {
    if (outcome.error) console.warn(outcome.error->message + ": " + outcome.error->remedy);
  }
  if (console.format() == Format::json) return print_json(document_of(report), console);
  if (report.outcomes.empty() && console.format() == Format::table) {
    console.say("Nothing is capped by Wattflex here.");
    return;
  }
  console.print(table_of(report));
  if (const std::string line = pedigree_line(report.gpus.inventory); !line.empty()) console.say("\n" + line);
}

std::vector<JsonField> back_json_fields() {
  return {{"status", "", "done, or partial when a limit could not be put back"},
          {"pedigree", "", "measured, or simulated where the library is the twin's"},
          {"gpus[].uuid", "", "the GPU's lasting name"},
          {"gpus[].index", "1", "the driver's number today; null where the driver does not show it"},
          {"gpus[].state", "", "restored, unchanged, foreign or failed; the last two stay in the journal"},
          {"gpus[].hold", "", "standing: set by cap; session: by a run that was to put it back itself"},
          {"gpus[].found_w", "W", "requested limit before Wattflex's first write"},
          {"gpus[].requested_w", "W", "requested limit now"},
          {"gpus[].enforced_w", "W", "limit in force now"},
          {"gpus[].problem", "", "why it was not put back; null"},
          {"gpus[].remedy", "", "what to do about it; null"}};
}

Option foreign_option() {
  return {"--foreign", "leave|overwrite", "leave",
          "a limit that another program set meanwhile: leave it, or write what was found"};
}

ForeignLimit foreign_from(const Arguments& arguments) {
  return arguments.text("foreign") == "overwrite" ? ForeignLimit::overwrite : ForeignLimit::leave;
}

}  // namespace wattflex::app
