// `wattflex check`: what is wrong or odd in sweep tables and fleet files, before anything is computed from
// them.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/output.h"
#include "apps/wattflex/verbs.h"
#include "base/counted.h"
#include "ingest/fleet_file.h"
#include "ingest/sweep_check.h"
#include "ingest/sweep_template.h"
#include "ingest/table_lines.h"

namespace wattflex::app {
namespace {

using ingest::FileKind;
using ingest::Finding;
using ingest::FindingKind;
using ingest::Findings;
using ingest::GroupSummary;
using ingest::Severity;

constexpr std::size_t kMostPrintedGroups = 20;  // on a terminal; JSON has up to 1000
constexpr std::size_t kMostPrintedPerKind = 5;  // on a terminal; JSON and CSV have up to 20

// What was found in one file.
struct CheckedFile {
  std::string file;
  FileKind kind = FileKind::sweep;
  Findings findings;
  std::size_t rows = 0;
  std::size_t groups = 0;  // of a sweep table
  std::vector<GroupSummary> listed;
  std::vector<std::string> accelerators;
  std::vector<std::string> telemetry_columns;

  bool usable() const { return findings.errors() == 0; }
};

// The header; empty when the file has none.
Result<std::string> header_of(ingest::TextSource& source) {
  Findings later;  // the reading proper finds the same
  ingest::TableLines lines(source, later);
  const auto usable = lines.open();
  if (!usable) return std::unexpected(usable.error());
  if (const auto done = source.rewind(); !done) return std::unexpected(done.error());
  return *usable ? std::string(lines.line().text) : "";
}

Result<CheckedFile> check_file(const std::string& path) {
  auto source = ingest::TextSource::open(path);
  if (!source) return std::unexpected(source.error());
  const auto header = header_of(*source);
  if (!header) return std::unexpected(header.error());
  CheckedFile file;
  file.file = source->name();
  if (ingest::looks_like_fleet(*header)) {
    file.kind = FileKind::fleet;
    file.findings = Findings(FileKind::fleet);
    const auto fleet = ingest::check_fleet(*source, file.findings);
    if (!fleet) return std::unexpected(fleet.error());
    file.rows = fleet->jobs.size();
    return file;
  }
  auto table = ingest::check_sweep_table(*source);
  if (!table) return std::unexpected(table.error());
  file.findings = std::move(table->findings);
  file.rows = table->rows;
  file.groups = table->survey.groups();
  file.listed = table->survey.listed();
  file.accelerators = table->survey.accelerators();
  file.telemetry_columns = table->telemetry_columns();
  return file;
}

std::string verdict_of(const CheckedFile& file) {
  const std::size_t errors = file.findings.errors();
  const std::size_t warnings = file.findings.warnings();
  if (errors > 0) {
    return fmt::format("refused: {}{}", counted(errors, "error"),
                       warnings > 0 ? fmt::format(" and {}", counted(warnings, "warning")) : "");
  }
  return warnings > 0 ? fmt::format("usable, with {}", counted(warnings, "warning")) : "usable, nothing odd";
}

std::string status_of(const std::vector<CheckedFile>& files) {
  const auto has_no_data = [](const CheckedFile& file) {
    return file.findings.count(FindingKind::empty_file) + file.findings.count(FindingKind::no_rows) > 0;
  };
  const auto first_bad = std::ranges::find_if_not(files, &CheckedFile::usable);
  if (first_bad == files.end()) return "done";
  return to_string(has_no_data(*first_bad) ? ErrorKind::no_data : ErrorKind::refused);
}

nlohmann::json to_json(const Finding& finding, FileKind file) {
  return {{"severity", to_string(severity_of(finding.kind))},
          {"kind", to_string(finding.kind)},
          {"row", finding.row == 0 ? nlohmann::json() : nlohmann::json(finding.row)},
          {"column", finding.column.empty() ? nlohmann::json() : nlohmann::json(finding.column)},
          {"message", finding.message},
          {"remedy", remedy_of(finding.kind, file)}};
}

nlohmann::json to_json(const GroupSummary& group) {
  return {{"group", group.id.group},
          {"accelerator", group.id.accelerator},
          {"pedigree", to_string(group.pedigree)},
          {"gpus", group.gpus},
          {"n_caps", group.caps},
          {"largest_cap_w", group.largest_cap.watts()},
          {"smallest_cap_w", group.smallest_cap.watts()},
          {"uncapped_power_w", group.uncapped_draw.watts()},
          {"row", group.row}};
}

nlohmann::json to_json(const CheckedFile& file) {
  nlohmann::json document = {{"file", file.file},
                             {"kind", file.kind == FileKind::fleet ? "fleet" : "sweep"},
                             {"usable", file.usable()},
                             {"n_rows", file.rows},
                             {"n_groups", file.groups},
                             {"n_errors", file.findings.errors()},
                             {"n_warnings", file.findings.warnings()},
                             {"accelerators", file.accelerators},
                             {"telemetry_columns", file.telemetry_columns},
                             {"groups", nlohmann::json::array()},
                             {"findings", nlohmann::json::array()}};
  for (const GroupSummary& group : file.listed) document["groups"].push_back(to_json(group));
  for (const Finding& finding : file.findings.kept())
    document["findings"].push_back(to_json(finding, file.kind));
  return document;
}

void print_groups(const CheckedFile& file, Console& console) {
  report::TextTable table({{"group", "group", report::Align::left},
                           {"accelerator", "accelerator", report::Align::left},
                           {"gpus", "GPUs"},
                           {"n_caps", "caps"},
                           {"cap_w", "cap W"},
                           {"uncapped_power_w", "uncapped W"},
                           {"row", "row"}});
  for (const GroupSummary& group : file.listed) {
    if (table.size() == kMostPrintedGroups) break;
    table.add_row({group.id.group, group.id.accelerator, std::to_string(group.gpus),
                   std::to_string(group.caps),
                   fmt::format("{:g}..{:g}", group.smallest_cap.watts(), group.largest_cap.watts()),
                   fmt::format("{:.0f}", group.uncapped_draw.watts()), std::to_string(group.row)});
  }
  if (table.size() == 0) return;
  console.print(table);
  if (file.groups > table.size()) {
    console.say(
        fmt::format("... and {} (-o json lists them)", counted(file.groups - table.size(), "more group")));
  }
  console.say("");
}

void print_kind(const CheckedFile& file, FindingKind kind, Console& console) {
  const std::size_t total = file.findings.count(kind);
  console.say(fmt::format("{} {}{}: {}", to_string(severity_of(kind)), to_string(kind),
                          total > 1 ? fmt::format(", {} times", total) : "", file.findings.remedy(kind)));
  std::size_t printed = 0;
  for (const Finding& finding : file.findings.kept()) {
    if (finding.kind != kind || printed == kMostPrintedPerKind) continue;
    ++printed;
    const std::string place = place_of(finding);
    console.say("  " + place + (place.empty() ? "" : ": ") + finding.message);
  }
  if (total > printed) console.say(fmt::format("  ... and {} more", total - printed));
}

void print_text(const CheckedFile& file, Console& console) {
  const std::string size = file.kind == FileKind::fleet
                               ? "fleet of " + counted(file.rows, "job")
                               : counted(file.rows, "row") + ", " + counted(file.groups, "group");
  console.say(fmt::format("{}: {}; {}", file.file, size, verdict_of(file)));
  print_groups(file, console);
  for (const Severity severity : {Severity::error, Severity::warning}) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(FindingKind::count_); ++i) {
      const auto kind = static_cast<FindingKind>(i);
      if (severity_of(kind) == severity && file.findings.count(kind) > 0) print_kind(file, kind, console);
    }
  }
}

void print_csv(const std::vector<CheckedFile>& files, Console& console) {
  report::TextTable table({{"file", ""},
                           {"severity", ""},
                           {"kind", ""},
                           {"row", ""},
                           {"column", ""},
                           {"message", ""},
                           {"remedy", ""}});
  for (const CheckedFile& file : files) {
    for (const Finding& finding : file.findings.kept()) {
      table.add_row({file.file, std::string(to_string(severity_of(finding.kind))),
                     std::string(to_string(finding.kind)),
                     finding.row == 0 ? "" : std::to_string(finding.row), finding.column, finding.message,
                     std::string(file.findings.remedy(finding.kind))});
    }
  }
  console.print(table);
}

Result<Outcome> run_check(const Arguments& arguments, Console& console) {
  if (arguments.flag("template")) {
    console.out() << ingest::sweep_table_template();
    return Outcome::done;
  }
  const auto& paths = arguments.list("TABLE");
  if (paths.empty())
    return fail(ErrorKind::usage, "no table given", "wattflex check TABLE..., or --template");
  std::vector<CheckedFile> files;
  for (const std::string& path : paths) {
    auto file = check_file(path);
    if (!file) return std::unexpected(file.error());
    files.push_back(*std::move(file));
  }
  if (console.format() == Format::json) {
    nlohmann::json document = {{"status", status_of(files)}, {"tables", nlohmann::json::array()}};
    for (const CheckedFile& file : files) document["tables"].push_back(to_json(file));
    print_json(document, console);
  } else if (console.format() == Format::csv) {
    print_csv(files, console);
  } else {
    for (const CheckedFile& file : files) {
      if (&file != &files.front()) console.say("");
      print_text(file, console);
    }
  }
  for (const CheckedFile& file : files) {
    if (!file.usable()) console.warn(fmt::format("{}: {}", file.file, verdict_of(file)));
  }
  return std::ranges::all_of(files, &CheckedFile::usable) ? Outcome::done : Outcome::partial;
}

}  // namespace

const Verb& check_verb() {
  static const Verb kVerb{
      .name = "check",
      .summary = "Say what is wrong or odd in a sweep table or fleet file",
      .details =
          "Reads each table as the other verbs would and lists every problem with its row, column and "
          "remedy, "
          "up to 20 of a kind, without computing anything. Errors are what the other verbs refuse; warnings "
          "are "
          "what they accept and tell. Tables of any size are read in bounded memory. A file with a `job` "
          "column "
          "is checked as a fleet. Exit status 1 when a table is refused.",
      .options = {{"TABLE", "FILE", "", "sweep tables or fleet files (CSV); - is standard input",
                   Takes::list},
                  {"--template", "", "", "print an example table with comments", Takes::flag}},
      .examples = {{"wattflex check sweep.csv", "what is wrong or odd in a table"},
                   {"wattflex check --template > sweep.csv", "start a table from a commented example"},
                   {"wattflex check runs/*.csv -o csv", "the findings of many tables as one CSV"}},
      .json_fields = {{"status", "", "done, refused or no_data"},
                      {"tables[].file", "", "file as given"},
                      {"tables[].kind", "", "sweep or fleet"},
                      {"tables[].usable", "", "whether the other verbs accept it"},
                      {"tables[].n_rows", "1", "rows read; of a fleet its usable jobs"},
                      {"tables[].n_groups", "1", "usable sweep groups"},
                      {"tables[].n_errors", "1", "all errors, also those not listed"},
                      {"tables[].n_warnings", "1", "all warnings, also those not listed"},
                      {"tables[].accelerators[]", "", "GPU models of the usable groups"},
                      {"tables[].telemetry_columns[]", "", "telemetry columns, by our names"},
                      {"tables[].groups[].group", "", "name of a sweep group; the first 1000 are listed"},
                      {"tables[].groups[].accelerator", "", "its GPU model"},
                      {"tables[].groups[].pedigree", "", "measured, simulated or predicted"},
                      {"tables[].groups[].gpus", "1", "GPUs of the job"},
                      {"tables[].groups[].n_caps", "1", "caps it was measured at"},
                      {"tables[].groups[].largest_cap_w", "W", "cap per GPU of the uncapped point"},
                      {"tables[].groups[].smallest_cap_w", "W", "smallest cap per GPU"},
                      {"tables[].groups[].uncapped_power_w", "W", "draw of the job at the uncapped point"},
                      {"tables[].groups[].row", "1", "line of the uncapped point"},
                      {"tables[].findings[].severity", "", "error or warning"},
                      {"tables[].findings[].kind", "", "stable name of the kind of problem"},
                      {"tables[].findings[].row", "1", "line of the file; null: the file as a whole"},
                      {"tables[].findings[].column", "", "column; null: the row as a whole"},
                      {"tables[].findings[].message", "", "what is wrong"},
                      {"tables[].findings[].remedy", "", "what to do about it"}},
      .run = run_check,
      .rules = {{"template", OptionRule::Relation::not_with, {"TABLE"}}}};
  return kVerb;
}

}  // namespace wattflex::app
