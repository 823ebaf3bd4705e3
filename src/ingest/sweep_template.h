// The sweep table explained to people: an example with comments, and the reference tables of
// docs/sweep-table.md, all made from the column tables.
#pragma once

#include <string>

namespace wattflex::ingest {

// A small table that the reader accepts without warnings.
std::string sweep_table_template();

// The columns, and the telemetry names beside NVML's and DCGM's, as Markdown.
std::string columns_markdown();
std::string telemetry_markdown();
// Every kind of finding with its remedy, as Markdown.
std::string findings_markdown();

}  // namespace wattflex::ingest
