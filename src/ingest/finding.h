// What is wrong or odd in a table. Every kind has one severity and one remedy (a table in finding.cpp); the
// collector counts all and keeps the first few of each kind, so that a hostile file cannot fill memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace wattflex::ingest {

enum class Severity { error, warning };

// What the file is, which decides the remedies.
enum class FileKind { sweep, fleet };

enum class FindingKind : std::uint8_t {
  // Errors: the table is refused.
  empty_file,
  no_rows,
  not_text,
  line_too_long,
  old_line_ends,
  no_table,
  too_many_errors,
  wrong_separator,
  missing_column,
  duplicate_column,
  cell_count,
  open_quote,
  missing_value,
  not_a_number,
  not_finite,
  out_of_range,
  decimal_comma,
  thousands_mark,
  unit_in_cell,
  not_positive,
  not_whole,
  cap_too_high,
  power_too_high,
  implausible,
  bad_name,
  unknown_pedigree,
  unexpected_column,
  bad_tier,
  duplicate_job,
  too_many_jobs,
  duplicate_cap,
  two_uncapped_points,
  too_many_points,
  one_point,
  group_differs,
  // Warnings: the table is used.
  byte_order_mark,
  carriage_returns,
  no_last_newline,
  cut_row,
  decimal_commas,
  unknown_column,
  unknown_word,
  unsorted,
  several_accelerators,
  power_not_mean,
  aborted_run,
  group_left_out,
  partial_sweep,
  throughput_above_uncapped,
  cap_not_binding,
  draw_above_cap,
  power_of_one_gpu,
  kilowatts,
  columns_exchanged,
  telemetry_missing,
  telemetry_impossible,
  telemetry_not_trusted,
  profiling_zero,
  count_  // not a kind
};

std::string_view to_string(Severity severity);
std::string_view to_string(FindingKind kind);  // "duplicate_cap"; stable
Severity severity_of(FindingKind kind);
std::string_view remedy_of(FindingKind kind, FileKind file);

struct Finding {
  FindingKind kind;
  std::size_t row = 0;  // line of the file; 0: the file as a whole
  std::string column;   // empty: the row as a whole
  std::string message;  // without file, row and column
};

class Findings {
 public:
  static constexpr std::size_t kMostPerKind = 20;

  explicit Findings(FileKind file = FileKind::sweep) : file_(file) {}

  // `message` is a function returning the text; it is called only when the finding is kept.
  template <class Message>
  void add(FindingKind kind, std::size_t row, std::string_view column, Message message) {
    ++(severity_of(kind) == Severity::error ? errors_ : warnings_);
    if (counts_[static_cast<std::size_t>(kind)]++ >= kMostPerKind) return;
    kept_.push_back({kind, row, std::string(column), message()});
  }

  const std::vector<Finding>& kept() const { return kept_; }
  std::size_t count(FindingKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }
  std::string_view remedy(FindingKind kind) const { return remedy_of(kind, file_); }

  // The first error, naming `file`, with the number of further ones; needs errors() > 0.
  Error to_error(const std::string& file) const;
  // One line for each kind of warning: the first of it, and how many more there are.
  std::vector<std::string> warning_lines(const std::string& file) const;

 private:
  FileKind file_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::array<std::size_t, static_cast<std::size_t>(FindingKind::count_)> counts_{};
  std::vector<Finding> kept_;
};

// "row 7, column power_w"; empty for the file as a whole.
std::string place_of(const Finding& finding);
// "sweep.csv, row 7, column power_w: ..."
std::string placed(const std::string& file, const Finding& finding);

}  // namespace wattflex::ingest
