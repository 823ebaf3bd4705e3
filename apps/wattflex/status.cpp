// `wattflex status --local`: which GPUs of this machine are held below their default limit, and the vendor's
// own commands that would put them back. Needs no daemon and no database.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/cap_journal_option.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/gpu_options.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/reading_json.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"

namespace wattflex::app {
namespace {

using device::DeviceResult;
using nlohmann::json;

struct StatusRow {
  GpuIdentity identity;
  DeviceResult<PowerLimits> limits;
  std::optional<Power> found;  // by the journal: what was there before Wattflex

  bool readable() const { return limits && limits->requested && limits->factory; }
  // What Wattflex found where it set a cap, else the default.
  Power before() const { return found.value_or(*limits->factory); }
  // Another limit than that was asked for.
  bool changed() const { return readable() && *limits->requested != before(); }
  // Empty where nothing is to be put back.
  std::string command() const {
    if (!changed()) return "";
    return fmt::format("nvidia-smi -i {} -pl {:g}", identity.uuid.text, before().watts());
  }
};

// What is to stand there in the end: a standing cap is older than what a session found.
std::optional<Power> found_on(const GpuUuid& gpu, const std::vector<control::JournalEntry>& journal) {
  std::optional<Power> found;
  for (const control::JournalEntry& entry : journal) {
    if (entry.gpu != gpu) continue;
    if (!found || entry.hold == control::Hold::standing) found = entry.found;
  }
  return found;
}

// "62 %": a watt value alone alarms nobody (SWP-02).
std::string share_text(const StatusRow& row) {
  if (!row.readable()) return "-";
  return fmt::format("{:.0f}", 100 * (*row.limits->requested / *row.limits->factory));
}

report::TextTable csv_of(const std::vector<StatusRow>& rows, std::string_view pedigree) {
  report::TextTable table({{"gpu", ""},
                           {"uuid", ""},
                           {"name", ""},
                           {"requested_w", ""},
                           {"default_w", ""},
                           {"found_w", ""},
                           {"enforced_w", ""},
                           {"persistence", ""},
                           {"put_back", ""},
                           {"pedigree", ""}});
  for (const StatusRow& row : rows) {
    const PowerLimits limits = row.limits.value_or(PowerLimits());
    table.add_row({row.identity.index ? std::to_string(*row.identity.index) : "-", row.identity.uuid.text,
                   row.identity.name, watts_text(limits.requested), watts_text(limits.factory),
                   row.found ? watts_text(*row.found) : "", watts_text(limits.enforced),
                   switch_text(limits.persistence), row.command(), std::string(pedigree)});
  }
  return table;
}

json json_of_row(const StatusRow& row) {
  const PowerLimits limits = row.limits.value_or(PowerLimits());
  return {{"uuid", row.identity.uuid.text},
          {"index", or_null(row.identity.index)},
          {"name", row.identity.name},
          {"requested_w", json_of(limits.requested)},
          {"enforced_w", json_of(limits.enforced)},
          {"default_w", json_of(limits.factory)},
          {"found_w", row.found ? json(row.found->watts()) : json()},
          {"share_of_default", row.readable() ? json(*limits.requested / *limits.factory) : json()},
          {"persistence", json_of(limits.persistence)},
          {"limited_elsewhere", limits.limited_elsewhere()},
          {"put_back", row.changed() ? json(row.command()) : json()},
          {"problem", row.limits ? json() : json(row.limits.error().message)}};
}

void print_text(const std::vector<StatusRow>& rows, const device::Inventory& inventory, Console& console) {
  // The commands stand below, one a line, to be copied whole.
  const auto changed = static_cast<std::size_t>(std::ranges::count_if(rows, &StatusRow::changed));
  const bool of_wattflex =
      std::ranges::any_of(rows, [](const StatusRow& row) { return row.found.has_value(); });
  report::TextTable table({{"gpu", "GPU"},
                           {"name", "name", report::Align::left},
                           {"requested_w", "limit W"},
                           {"default_w", "default W"},
                           {"share_percent", "of default %"},
                           {"enforced_w", "enforced W"},
                           {"persistence", "persistence", report::Align::left}});
  for (const StatusRow& row : rows) {
    const PowerLimits limits = row.limits.value_or(PowerLimits());
    table.add_row({row.identity.index ? std::to_string(*row.identity.index) : row.identity.uuid.text,
                   row.identity.name, watts_text(limits.requested), watts_text(limits.factory),
                   share_text(row), watts_text(limits.enforced), switch_text(limits.persistence)});
  }
  console.print(table);
  if (changed == 0) {
    console.say(std::ranges::all_of(rows, &StatusRow::readable) ? "\nAll GPUs have their default limit."
                                                                : "\nNo limit was found changed.");
  } else {
    console.say(
        fmt::format("\n{} with another limit than {}. As root, this puts it back:", counted(changed, "GPU"),
                    of_wattflex ? "was found or is the default" : "the default"));
    // Printed as they are: a command that is broken over two lines is none.
    for (const StatusRow& row : rows) {
      if (row.changed()) console.out() << "  " << row.command() << '\n';
    }
  }
  for (const StatusRow& row : rows) {
    if (row.limits && row.limits->limited_elsewhere()) {
      console.say(fmt::format("{}: another limiter (board management, a module) holds it at {:g} W.",
                              row.identity.uuid.text, row.limits->enforced->watts()));
    }
  }
  if (const std::string line = pedigree_line(inventory); !line.empty()) console.say(line);
}

Result<Outcome> run_status(const Arguments& arguments, Console& console) {
  if (!arguments.flag("local")) {
    return fail(ErrorKind::usage, "only this machine's GPUs can be asked so far", "wattflex status --local");
  }
  const auto gpus = open_gpus(arguments);
  if (!gpus) return std::unexpected(gpus.error());
  const auto limits = gpus->workers->on_all<PowerLimits>(
      [](device::GpuBackend& backend, const GpuUuid& uuid) { return backend.limits(uuid); }, kDriverPatience);
  const auto journal = control::read_cap_journal(journal_path(arguments, *gpus));
  if (!journal) console.warn(journal.error().message + ": " + journal.error().remedy);
  std::vector<StatusRow> rows;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const GpuIdentity& gpu = gpus->identities[i];
    rows.push_back({gpu, limits[i], journal ? found_on(gpu.uuid, *journal) : std::nullopt});
  }
  for (const std::string& absent : absent_gpus(gpus->inventory)) console.warn(absent);
  for (const StatusRow& row : rows) {
    if (!row.readable()) {
      console.warn(row.limits ? fmt::format("{}: its limit can't be read", row.identity.uuid.text)
                              : row.limits.error().message);
    }
  }
  const bool whole = gpus->inventory.holes.empty() && std::ranges::all_of(rows, &StatusRow::readable);
  if (console.format() == Format::json) {
    json document = {{"status", whole ? "done" : "partial"},
                     {"pedigree", pedigree_of(gpus->inventory)},
                     {"n_changed", std::ranges::count_if(rows, &StatusRow::changed)},
                     {"absent", absent_gpus(gpus->inventory)},
                     {"gpus", json::array()}};
    for (const StatusRow& row : rows) document["gpus"].push_back(json_of_row(row));
    print_json(document, console);
  } else if (console.format() == Format::csv) {
    console.print(csv_of(rows, pedigree_of(gpus->inventory)));
  } else {
    print_text(rows, gpus->inventory, console);
  }
  return whole ? Outcome::done : Outcome::partial;
}

}  // namespace

const Verb& status_verb() {
  static const Verb kVerb{
      .name = "status",
      .summary = "Show which GPUs are capped now and how to put them back",
      .details =
          "With --local, reads the limits of this machine's GPUs and prints, for each that has another limit "
          "than Wattflex found on it, or than its default where Wattflex set none, the command of the "
          "vendor's own tool that puts it back: it works when nothing of Wattflex runs any more. It changes "
          "nothing. Who set a limit can't be read from a GPU; a site may want a limit below the default to "
          "stay.",
      .options = {{"--local", "", "", "this machine's GPUs, by asking the driver", Takes::flag},
                  nvml_option(),
                  gpus_option(),
                  journal_option()},
      .examples = {{"wattflex status --local", "what is capped, and the commands against it"},
                   {"wattflex status --local -o json", "the same for a script"}},
      .json_fields = {{"status", "", "done, or partial when a GPU's limits can't be read"},
                      {"pedigree", "", "measured, or simulated where the library is the twin's"},
                      {"n_changed", "1", "GPUs with another limit than their default"},
                      {"absent[]", "", "GPUs that the driver counts or the bus has, and that can't be used"},
                      {"gpus[].uuid", "", "the GPU's lasting name"},
                      {"gpus[].index", "1", "the driver's number today"},
                      {"gpus[].name", "", "board"},
                      {"gpus[].requested_w", "W", "limit last asked for"},
                      {"gpus[].enforced_w", "W", "limit in force"},
                      {"gpus[].default_w", "W", "the board's default limit"},
                      {"gpus[].found_w", "W", "limit before Wattflex capped it; null where it did not"},
                      {"gpus[].share_of_default", "1", "requested over default"},
                      {"gpus[].persistence", "", "whether the limit outlives the driver's last client"},
                      {"gpus[].limited_elsewhere", "", "whether another limiter holds it below the limit"},
                      {"gpus[].put_back", "",
                       "command that sets what was found, or the default; null where it is set"},
                      {"gpus[].problem", "", "why the limits can't be read; null"}},
      .run = run_status};
  return kVerb;
}

}  // namespace wattflex::app
