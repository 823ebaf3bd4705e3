// Checks a whole sweep table without keeping it: everything that is wrong or odd, in bounded memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/finding.h"
#include "ingest/group_walker.h"
#include "ingest/sweep_columns.h"
#include "ingest/sweep_groups.h"
#include "ingest/sweep_rows.h"
#include "ingest/text_source.h"

namespace wattflex::ingest {

struct CheckedTable {
  std::string file;
  Findings findings;
  std::optional<SweepLayout> layout;  // nothing when the header is unusable
  SplitGroups split;
  TableSurvey survey;                     // of the usable groups
  std::vector<DroppedGroup> dropped;      // the first thousand
  std::vector<TelemetryCount> telemetry;  // parallel to layout->telemetry
  std::size_t rows = 0;

  std::vector<std::string> telemetry_columns() const;
};

// An error only when the bytes cannot be read; what is wrong with the table is in the findings.
Result<CheckedTable> check_sweep_table(TextSource& source);

// Makes readings of columns that are not trusted missing.
void drop_untrusted_telemetry(SweepGroup& group, const std::vector<TelemetryCount>& counts);

}  // namespace wattflex::ingest
