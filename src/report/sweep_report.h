// Puts a report together: from the evidence and the studies to the document, in the order a reader asks.
// Knows no HTML.
#pragma once

#include <string>
#include <vector>

#include "report/cut_study.h"
#include "report/document.h"
#include "report/evidence.h"
#include "report/signal_study.h"

namespace wattflex::report {

struct ReportParts {
  const Evidence& evidence;
  std::vector<CutStudy> studies;      // one a table, or the fleet's
  std::vector<SignalStudy> signals;   // of tables with telemetry
  std::vector<std::string> warnings;  // about tables and fleet
};

Document sweep_report(const ReportParts& parts);

}  // namespace wattflex::report
