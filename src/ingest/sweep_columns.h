// The columns of a sweep table, and where a given file has them. The table here is what --template and
// docs/sweep-table.md are made from.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/finding.h"
#include "ingest/telemetry_names.h"

namespace wattflex::ingest {

enum class SweepColumn : std::uint8_t {
  group,
  gpus,
  cap,
  power,
  throughput,
  accelerator,
  architecture,
  task,
  model,
  power_stderr,
  throughput_stderr,
  power_kind,
  requested,
  enforced,
  limited_by,
  pedigree,
  aborted,
  end_  // not a column
};

struct SweepColumnText {
  SweepColumn column;
  std::string_view name;
  bool required;
  std::string_view unit;  // or the words allowed
  std::string_view meaning;
};

// In the order of the enumeration.
std::span<const SweepColumnText> sweep_columns();
std::string_view to_string(SweepColumn column);

struct TelemetryColumn {
  std::size_t at;  // which cell
  const TelemetryName* name;
};

// Where a file has which column.
struct SweepLayout {
  char separator = ',';
  std::size_t cell_count = 0;
  std::array<std::optional<std::size_t>, static_cast<std::size_t>(SweepColumn::end_)> at;
  std::vector<TelemetryColumn> telemetry;

  std::optional<std::size_t> cell_of(SweepColumn column) const {
    return at[static_cast<std::size_t>(column)];
  }
};

// Understands a header line; the separator is the one that gives the most known columns. Nothing when a
// column is missing or doubled (recorded in `findings`).
std::optional<SweepLayout> read_sweep_header(std::string_view line, std::size_t row, Findings& findings);

}  // namespace wattflex::ingest
