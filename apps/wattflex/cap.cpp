// `wattflex cap`: sets a power limit and leaves it there until `wattflex release`.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <variant>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/cap_journal_option.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/reading_json.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"
#include "base/held_signals.h"
#include "base/parse.h"
#include "device/cap_range.h"

namespace wattflex::app {
namespace {

using control::CapOutcome;
using control::CapRequest;
using control::CapState;
using control::CapWriter;
using control::Hold;
using control::WhenPartial;
using device::DeviceResult;
using nlohmann::json;

struct CapOptions {
  std::variant<double, Power> cap;  // a share of the default limit, or a limit
  device::OutOfRange out_of_range = device::OutOfRange::refuse;
  WhenPartial when_partial = WhenPartial::put_back;
};

Result<CapOptions> cap_options_from(const Arguments& arguments) {
  CapOptions options;
  const auto cap = parse_percent_or_power(arguments.text("CAP"));
  if (!cap) return fail(ErrorKind::usage, "CAP: " + cap.error().message, cap.error().remedy);
  const double* const share = std::get_if<double>(&*cap);
  // Zero is no way to say "release" (CAP-11).
  if (share != nullptr ? *share <= 0 : std::get<Power>(*cap) <= Power()) {
    return fail(ErrorKind::usage, fmt::format("CAP: '{}' is no limit", arguments.text("CAP")),
                "give a limit within the board's range; 'wattflex release' takes a cap off");
  }
  options.cap = *cap;
  if (arguments.flag("clamp")) options.out_of_range = device::OutOfRange::clamp;
  if (arguments.text("policy") == "keep") options.when_partial = WhenPartial::keep;
  return options;
}

// What to write to each GPU, in whole milliwatts within its range; nothing is written when one does not take
// it.
Result<std::vector<CapRequest>> requests_for(const ChosenGpus& gpus, const CapOptions& options) {
  const auto limits = gpus.workers->on_all<PowerLimits>(
      [](device::GpuBackend& backend, const GpuUuid& uuid) { return backend.limits(uuid); }, kDriverPatience);
  std::vector<CapRequest> requests;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const GpuUuid& uuid = gpus.identities[i].uuid;
    if (!limits[i]) return std::unexpected(device::to_error(limits[i].error()));
    const auto range = device::CapRange::of(*limits[i], uuid.text);
    if (!range) return std::unexpected(range.error());
    const double* const share = std::get_if<double>(&options.cap);
    const auto fitted = share != nullptr ? range->fit_share(*share, options.out_of_range)
                                         : range->fit(std::get<Power>(options.cap), options.out_of_range);
    if (!fitted) return std::unexpected(fitted.error());
    requests.push_back({uuid, fitted->cap});
  }
  return requests;
}

struct CapReport {
  const ChosenGpus& gpus;
  std::vector<CapOutcome> outcomes;
  bool dry_run = false;

  bool whole() const { return dry_run || std::ranges::all_of(outcomes, &CapOutcome::holds); }
};

Reading<Power> limit_of(const std::optional<PowerLimits>& limits, Reading<Power> PowerLimits::* which) {
  return limits ? (*limits).*which : Reading<Power>();
}

std::string state_text(const CapReport& report, const CapOutcome& outcome) {
  return report.dry_run ? "dry run" : std::string(to_string(outcome.state));
}

report::TextTable table_of(const CapReport& report) {
  using report::Align;
  report::TextTable table({{"gpu", "GPU"},
                           {"uuid", "UUID", Align::left},
                           {"found_w", "found W"},
                           {"asked_w", "asked W"},
                           {"limit_w", "limit W"},
                           {"enforced_w", "enforced W"},
                           {"state", "", Align::left},
                           {"pedigree", "source", Align::left}});
  for (std::size_t i = 0; i < report.outcomes.size(); ++i) {
    const CapOutcome& outcome = report.outcomes[i];
    const GpuIdentity& gpu = report.gpus.identities[i];
    table.add_row({gpu.index ? std::to_string(*gpu.index) : "-", gpu.uuid.text,
                   watts_text(limit_of(outcome.before, &PowerLimits::requested)), watts_text(outcome.asked),
                   watts_text(limit_of(outcome.after, &PowerLimits::requested)),
                   watts_text(limit_of(outcome.after, &PowerLimits::enforced)), state_text(report, outcome),
                   std::string(pedigree_of(report.gpus.inventory))});
  }
  return table;
}

json document_of(const CapReport& report) {
  json document = {{"status", report.whole() ? "done" : "partial"},
                   {"pedigree", pedigree_of(report.gpus.inventory)},
                   {"dry_run", report.dry_run},
                   {"gpus", json::array()}};
  for (std::size_t i = 0; i < report.outcomes.size(); ++i) {
    const CapOutcome& outcome = report.outcomes[i];
    const GpuIdentity& gpu = report.gpus.identities[i];
    document["gpus"].push_back({{"uuid", gpu.uuid.text},
                                {"index", or_null(gpu.index)},
                                {"state", to_string(outcome.state)},
                                {"asked_w", outcome.asked.watts()},
                                {"found_w", json_of(limit_of(outcome.before, &PowerLimits::requested))},
                                {"requested_w", json_of(limit_of(outcome.after, &PowerLimits::requested))},
                                {"enforced_w", json_of(limit_of(outcome.after, &PowerLimits::enforced))},
                                {"limited_elsewhere", outcome.after && outcome.after->limited_elsewhere()},
                                {"persistence", outcome.after ? json_of(outcome.after->persistence) : json()},
                                {"problem", outcome.error ? json(outcome.error->message) : json()},
                                {"remedy", outcome.error ? json(outcome.error->remedy) : json()}});
  }
  return document;
}

void warn_about(const CapReport& report, Console& console) {
  for (const CapOutcome& outcome : report.outcomes) {
    if (outcome.error) console.warn(outcome.error->message + ": " + outcome.error->remedy);
    if (outcome.state == CapState::ignored)
      console.warn(outcome.gpu.text + ": the driver said success and the limit did not move");
    if (!outcome.after || !outcome.holds()) continue;
    if (outcome.after->limited_elsewhere()) {
      console.warn(fmt::format("{}: another limiter holds it at {} W", outcome.gpu.text,
                               watts_text(outcome.after->enforced)));
    }
    if (outcome.after->persistence && !*outcome.after->persistence)
      console.warn(outcome.gpu.text +
                   ": persistence mode is off, so the driver forgets this cap when its last program leaves");
  }
}

void print_cap(const CapReport& report, Console& console) {
  warn_about(report, console);
  if (console.format() == Format::json) return print_json(document_of(report), console);
  console.print(table_of(report));
  if (report.dry_run) console.say("\nDry run: nothing was written.");
  if (!report.dry_run && report.whole()) console.say("\nIt stays until 'wattflex release'.");
  if (const std::string line = pedigree_line(report.gpus.inventory); !line.empty()) console.say(line);
}

Result<Outcome> run_cap(const Arguments& arguments, Console& console) {
  const auto options = cap_options_from(arguments);
  if (!options) return std::unexpected(options.error());
  const auto gpus = open_gpus(arguments);
  if (!gpus) return std::unexpected(gpus.error());
  const auto requests = requests_for(*gpus, *options);
  if (!requests) return std::unexpected(requests.error());
  CapReport report{.gpus = *gpus, .outcomes = {}, .dry_run = arguments.flag("dry-run")};
  if (report.dry_run) {
    for (const CapRequest& request : *requests)
      report.outcomes.push_back({.gpu = request.gpu, .asked = request.cap});
    print_cap(report, console);
    return Outcome::done;
  }
  // A cap and its entry in the journal belong together.
  const SignalsHeldBack held;
  auto journal = open_journal(arguments, *gpus);
  if (!journal) return std::unexpected(journal.error());
  const auto recovered = recover(*gpus, *journal, console);
  if (!recovered) return std::unexpected(recovered.error());
  CapWriter writer(*gpus->workers, *journal, {.hold = Hold::standing, .patience = kDriverPatience});
  auto outcomes = writer.apply(*requests, options->when_partial);
  if (!outcomes) return std::unexpected(outcomes.error());
  report.outcomes = *std::move(outcomes);
  print_cap(report, console);
  return report.whole() ? Outcome::done : Outcome::partial;
}

}  // namespace

const Verb& cap_verb() {
  static const Verb kVerb{
      .name = "cap",
      .summary = "Set a power limit on GPUs until it is released",
      .details =
          "Writes the limit to the GPUs you name, and to no others, after keeping what was found on each in "
          "a "
          "journal on disk; reads every one back. 'wattflex release' puts back what was found, also after a "
          "reboot. A limit outside a board's range is refused before anything is written. Setting limits "
          "takes "
          "root; where that is missing one refusal is enough and no other GPU is tried.",
      .options = {{"CAP", "WATTS|PERCENT", "",
                   "limit of each GPU, or a share of its default, as in 450W or 65%", Takes::value, true},
                  gpus_option(Unasked::none),
                  {"--policy", "uniform|keep", "uniform",
                   "when a GPU can't be capped: uniform takes the others back, keep leaves them"},
                  {"--clamp", "", "", "take the nearest limit within the board's range", Takes::flag},
                  {"--dry-run", "", "", "say what would be written, write nothing", Takes::flag},
                  journal_option(),
                  nvml_option()},
      .examples = {{"wattflex cap 450W --gpus all --dry-run", "what would be written"},
                   {"wattflex cap 65% --gpus 0-3", "four GPUs at 65 % of their default limit"},
                   {"wattflex cap 400W --gpus 2 -o json", "one, with what was read back for a script"}},
      .json_fields = {{"status", "", "done, or partial when a GPU is not at its cap"},
                      {"pedigree", "", "measured, or simulated where the library is the twin's"},
                      {"dry_run", "", "whether nothing was written"},
                      {"gpus[].uuid", "", "the GPU's lasting name"},
                      {"gpus[].index", "1", "the driver's number today"},
                      {"gpus[].state", "",
                       "applied, unchanged, rounded, ignored, failed, not_tried or put_back"},
                      {"gpus[].asked_w", "W", "limit asked for, within the board's range"},
                      {"gpus[].found_w", "W", "requested limit before"},
                      {"gpus[].requested_w", "W", "requested limit as read back"},
                      {"gpus[].enforced_w", "W", "limit in force as read back"},
                      {"gpus[].limited_elsewhere", "", "whether another limiter holds it below the limit"},
                      {"gpus[].persistence", "", "whether the limit outlives the driver's last client"},
                      {"gpus[].problem", "", "why it is not capped; null"},
                      {"gpus[].remedy", "", "what to do about it; null"}},
      .run = run_cap,
      .check = can_read<cap_options_from>};
  return kVerb;
}

}  // namespace wattflex::app
