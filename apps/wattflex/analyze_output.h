// The parts of an analysis as values, and how they are shown: JSON, CSV (one row a statistic; not the
// sub-grids) and terminal tables.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "apps/wattflex/verb.h"
#include "base/error.h"
#include "elasticity/class_comparison.h"
#include "elasticity/grid_sensitivity.h"
#include "elasticity/indexed_groups.h"
#include "elasticity/signal.h"

namespace wattflex::app {

class Console;

// One accelerator's groups. A part that the table does not allow holds the reason instead of a value.
struct Analysis {
  std::string accelerator;
  std::size_t n_groups = 0;
  elasticity::IndexedGroups indexed;
  Result<elasticity::ClassComparison> classes;
  Result<std::vector<elasticity::Signal>> signals;
  Result<std::vector<elasticity::DropStep>> drops;
  Result<std::vector<elasticity::Subgroup>> subgroups;
  Result<elasticity::GridComparison> grid;  // with --grid
  Result<elasticity::GridSummary> grids;    // without
};

struct AnalysisReport {
  std::string table;
  elasticity::Target target = elasticity::Target::published;
  std::string metric;       // of drops and subgroups
  bool grid_asked = false;  // --grid was given
  std::vector<Analysis> analyses;
  std::vector<std::string> warnings;
};

nlohmann::ordered_json to_json(const AnalysisReport& report);
std::vector<JsonField> analysis_json_fields();
void print_csv(const AnalysisReport& report, Console& console);
void print_tables(const AnalysisReport& report, Console& console);

}  // namespace wattflex::app
