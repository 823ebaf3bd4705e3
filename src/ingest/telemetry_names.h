// The telemetry columns a sweep table may carry: our names, units, physical range, and what NVML, GPM and
// DCGM call the same thing. docs/sweep-table.md is made from this table.
#pragma once

#include <span>
#include <string_view>

namespace wattflex {

struct TelemetryName {
  std::string_view name;  // our column name
  std::string_view unit;  // "ratio", "MHz", ...
  double lowest = 0;      // readings outside lowest..highest are impossible and count as missing
  double highest = 0;
  bool profiling = false;     // a profiling counter: these can stop at 0 while the GPU is busy (DCGM#303)
  std::string_view dcgm;      // DCGM before 4.6
  std::string_view dcgm_4_6;  // DCGM 4.6 and later; empty: the same
  int dcgm_id = 0;            // 0: none
  std::string_view nvml;      // NVML call or GPM metric
  double nvml_factor = 1;     // ours = factor x theirs (0.01: they give percent)
  std::string_view meaning;
};

std::span<const TelemetryName> telemetry_names();
// Null when it is not one of ours.
const TelemetryName* find_telemetry_name(std::string_view name);
// By a DCGM name, old or new, or an NVML one; letter case aside.
const TelemetryName* find_foreign_telemetry_name(std::string_view name);

}  // namespace wattflex
