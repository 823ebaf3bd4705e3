// The telemetry columns a sweep table may carry: our names, units, physical range, and what NVML, GPM and
// DCGM call the same thing. docs/sweep-table.md is made from this table.
#pragma once

#include <span>
#include <string_view>

namespace wattflex {

struct TelemetryName {
  std::string_view name;  // our column name
  std::string_view unit;  // "ratio", "MHz", "C", ...
  double lowest = 0;      // readings outside lowest..highest are impossible and count as missing
  double highest = 0;
  std::string_view meaning;
};

std::span<const TelemetryName> telemetry_names();
// Null when it is not one of ours.
const TelemetryName* find_telemetry_name(std::string_view name);

}  // namespace wattflex
