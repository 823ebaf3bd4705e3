#include "ingest/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

namespace wattflex::ingest {
namespace {

struct KindText {
  FindingKind kind;
  std::string_view name;
  Severity severity;
  std::string_view remedy;
};

using enum FindingKind;
using enum Severity;

constexpr std::string_view kPlainNumber = "write a plain number with a point as decimal mark, e.g. 1234.5";

// In the order of the enumeration.
constexpr KindText kKinds[] = {
    {empty_file, "empty_file", error, "'wattflex check --template' prints an example"},
    {no_rows, "no_rows", error, "add one row for each cap the job ran at"},
    {not_text, "not_text", error, "save the table as UTF-8 text"},
    {line_too_long, "line_too_long", error, "write one row a line"},
    {old_line_ends, "old_line_ends", error,
     "save it with LF or CR LF line ends, e.g. tr '\\r' '\\n' <old.csv >new.csv"},
    {no_table, "no_table", error, "give the header first, then one row a line"},
    {too_many_errors, "too_many_errors", error, "repair the errors before it; is this the right file?"},
    {wrong_separator, "wrong_separator", error, "separate cells by commas, semicolons or tabs"},
    {missing_column, "missing_column", error, "add the column; 'wattflex check --template' lists all"},
    {duplicate_column, "duplicate_column", error, "keep one of the columns"},
    {cell_count, "cell_count", error,
     "give every row one cell for each column; numbers with decimal commas need ';' between cells"},
    {open_quote, "open_quote", error,
     "close the quotes on the same line; write \"\" for a quote inside a cell"},
    {missing_value, "missing_value", error, "fill the cell in or delete the row"},
    {not_a_number, "not_a_number", error, kPlainNumber},
    {not_finite, "not_finite", error, "delete the row or measure it again; only telemetry may be missing"},
    {out_of_range, "out_of_range", error, "correct the value; numbers end at 1e30"},
    {decimal_comma, "decimal_comma", error,
     "write 12.5, or separate cells by ';' and use decimal commas throughout"},
    {thousands_mark, "thousands_mark", error, kPlainNumber},
    {unit_in_cell, "unit_in_cell", error, "write the number alone; the column's name carries the unit"},
    {not_positive, "not_positive", error, "correct the value or delete the row"},
    {not_whole, "not_whole", error, "give the job's number of GPUs"},
    {cap_too_high, "cap_too_high", error, "caps are watts per GPU; divide milliwatts by 1000"},
    {power_too_high, "power_too_high", error, "power_w is watts of the whole job; divide milliwatts by 1000"},
    {implausible, "implausible", error, "correct the value or its unit; no measurement gives it"},
    {bad_name, "bad_name", error, "give a name of at most 512 bytes of UTF-8 without control characters"},
    {unknown_pedigree, "unknown_pedigree", error, "write measured, simulated or predicted"},
    {unexpected_column, "unexpected_column", error,
     "a fleet has job, group, gpus, tier, value and accelerator; delete others"},
    {bad_tier, "bad_tier", error, "write Flex 0, Flex 1, Flex 2, Flex 3 or none"},
    {duplicate_job, "duplicate_job", error, "give every job its own name"},
    {too_many_jobs, "too_many_jobs", error, "plan parts of the fleet on their own"},
    {duplicate_cap, "duplicate_cap", error,
     "average repeated runs into one row, or give repeats their own group"},
    {two_uncapped_points, "two_uncapped_points", error,
     "keep one row at the largest cap, or give repeats their own group"},
    {too_many_points, "too_many_points", error, "give each job configuration its own group"},
    {one_point, "one_point", error, "a group needs the uncapped point and at least one capped one"},
    {group_differs, "group_differs", error, "give each job configuration its own group name"},
    {byte_order_mark, "byte_order_mark", warning, "nothing to do; it was dropped"},
    {carriage_returns, "carriage_returns", warning, "nothing to do; they were dropped"},
    {no_last_newline, "no_last_newline", warning,
     "end the last row with a newline, so that a cut file can be told"},
    {cut_row, "cut_row", warning, "write the file again; the row was left out"},
    {decimal_commas, "decimal_commas", warning, "nothing to do; they were read as decimal marks"},
    {unknown_column, "unknown_column", warning, "docs/sweep-table.md lists the columns that are read"},
    {unknown_word, "unknown_word", warning, "docs/sweep-table.md lists the words"},
    {unsorted, "unsorted", warning, "nothing to do; rows were sorted by group and cap"},
    {several_accelerators, "several_accelerators", warning, "compare indices within one accelerator only"},
    {power_not_mean, "power_not_mean", warning,
     "measure mean draw; an index from any other statistic is biased"},
    {aborted_run, "aborted_run", warning, "run the point again"},
    {group_left_out, "group_left_out", warning, "run the missing points again"},
    {partial_sweep, "partial_sweep", warning, "an index from fewer caps does not compare with the others"},
    {throughput_above_uncapped, "throughput_above_uncapped", warning,
     "noise, or a disturbed uncapped run; repeat it if the difference is large"},
    {cap_not_binding, "cap_not_binding", warning, "the job never reached this cap; the point says nothing"},
    {draw_above_cap, "draw_above_cap", warning,
     "was the cap really in force? add enforced_w if it was read back"},
    {power_of_one_gpu, "power_of_one_gpu", warning, "power_w is the whole job's draw, not one GPU's"},
    {kilowatts, "kilowatts", warning, "power_w is watts, not kilowatts"},
    {columns_exchanged, "columns_exchanged", warning,
     "cap_w is what was set, per GPU; power_w is what the whole job drew"},
    {telemetry_missing, "telemetry_missing", warning, "nothing to do; the cell counts as missing"},
    {telemetry_impossible, "telemetry_impossible", warning,
     "ratios run from 0 to 1; the cell counts as missing"},
    {telemetry_not_trusted, "telemetry_not_trusted", warning,
     "repair the column; all of it counts as missing"},
    {profiling_zero, "profiling_zero", warning, "profiling counters that stopped; restart the exporter"},
};
static_assert(std::size(kKinds) == static_cast<std::size_t>(count_));
static_assert(std::ranges::is_sorted(kKinds, {}, &KindText::kind));

struct FleetRemedy {
  FindingKind kind;
  std::string_view remedy;
};

// Where a fleet needs another remedy than a sweep table.
constexpr FleetRemedy kFleetRemedies[] = {
    {empty_file,
     "give a header, job,group,gpus and optionally tier,value,accelerator, and one row for each job"},
    {no_rows, "add one row for each job"},
    {missing_column, "add the column; a fleet needs job, group and gpus"},
    {not_finite, "correct the value or delete the row"},
    {implausible, "gpus run from 1 to 10000000, value from 1e-9 to 1e9"},
    {out_of_range, "gpus run from 1 to 10000000, value from 1e-9 to 1e9"},
};

const KindText& text_of(FindingKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string_view to_string(Severity severity) {
  return severity == error ? "error" : "warning";
}

std::string_view to_string(FindingKind kind) {
  return text_of(kind).name;
}

Severity severity_of(FindingKind kind) {
  return text_of(kind).severity;
}

std::string_view remedy_of(FindingKind kind, FileKind file) {
  const auto* const fleet = std::ranges::find(kFleetRemedies, kind, &FleetRemedy::kind);
  const bool differs = file == FileKind::fleet && fleet != std::end(kFleetRemedies);
  return differs ? fleet->remedy : text_of(kind).remedy;
}

Error Findings::to_error(const std::string& file) const {
  const auto first =
      std::ranges::find(kept_, error, [](const Finding& finding) { return severity_of(finding.kind); });
  assert(first != kept_.end());
  std::string message = placed(file, *first);
  if (errors() > 1) {
    message += fmt::format(" (and {} more; 'wattflex check' lists them)", errors() - 1);
  }
  const bool nothing = first->kind == empty_file || first->kind == no_rows;
  return {nothing ? ErrorKind::no_data : ErrorKind::refused, std::move(message),
          std::string(remedy(first->kind))};
}

std::vector<std::string> Findings::warning_lines(const std::string& file) const {
  std::vector<std::string> lines;
  std::array<bool, std::size(kKinds)> told{};
  for (const Finding& finding : kept_) {
    bool& seen = told[static_cast<std::size_t>(finding.kind)];
    if (seen || severity_of(finding.kind) != warning) continue;
    seen = true;
    std::string line = placed(file, finding);
    if (count(finding.kind) > 1) line += fmt::format(" (and {} more like it)", count(finding.kind) - 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string place_of(const Finding& finding) {
  std::string place;
  if (finding.row != 0) place = fmt::format("row {}", finding.row);
  if (!finding.column.empty()) place += (place.empty() ? "column " : ", column ") + finding.column;
  return place;
}

std::string placed(const std::string& file, const Finding& finding) {
  const std::string place = place_of(finding);
  return file + (place.empty() ? "" : ", ") + place + ": " + finding.message;
}

}  // namespace wattflex::ingest
