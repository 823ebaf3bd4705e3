// How allocation studies are shown: as JSON, as CSV rows and as tables on the terminal.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/wattflex/console.h"
#include "study/allocation_study.h"

namespace wattflex::app {

struct StudyReport {
  const SweepTable& table;
  study::StudyOptions options;  // the mix aside, the same for all studies
  std::vector<std::pair<study::Mix, study::AllocationStudy>> studies;
  std::vector<std::string> warnings;
};

// Whether any workload can be cut by any of the cuts.
bool any_met(const StudyReport& report);

nlohmann::json to_json(const StudyReport& report);
// One row a mix, policy and cut.
void print_csv(const StudyReport& report, Console& console);
void print_tables(const StudyReport& report, Console& console);

}  // namespace wattflex::app
