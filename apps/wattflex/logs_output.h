// What `wattflex logs` prints of a log: the summary as text or JSON, steps as rows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/wattflex/console.h"
#include "apps/wattflex/verb.h"
#include "ingest/logs/log_summary.h"

namespace wattflex::app {

struct LogReport {
  std::string file;
  bool framework_given = false;
  logs::LogSummary summary;
};

nlohmann::json to_json(const LogReport& report);
void print_tables(const LogReport& report, Console& console);

std::string step_csv_header();
// One step a line: CSV, JSON (with "event": "step"), or a sentence.
std::string step_line(const logs::StepRecord& record, Format format);

std::vector<JsonField> log_json_fields();

}  // namespace wattflex::app
