#include "ingest/sweep_check.h"

#include <algorithm>

namespace wattflex::ingest {
namespace {

// One pass with the groups known to be split so far; the runs it saw go to `runs`.
Result<void> walk(TextSource& source, CheckedTable& checked, SplitGroups* runs) {
  GroupWalker walker({source, table_name(source.name()), checked.split, runs, checked.findings});
  const auto usable = walker.open();
  if (!usable) return std::unexpected(usable.error());
  if (!*usable) return {};
  for (;;) {
    const auto group = walker.next();
    if (!group) return std::unexpected(group.error());
    if (!*group) break;
    checked.survey.add(**group);
  }
  checked.dropped = walker.dropped();
  checked.layout = walker.rows().layout();
  checked.telemetry = walker.rows().rows().telemetry_counts();
  checked.rows = walker.rows().row_count();
  checked.survey.finish(checked.findings);
  return {};
}

}  // namespace

std::vector<std::string> CheckedTable::telemetry_columns() const {
  std::vector<std::string> names;
  if (!layout) return names;
  for (const TelemetryColumn& column : layout->telemetry) names.emplace_back(column.name->name);
  return names;
}

Result<CheckedTable> check_sweep_table(TextSource& source) {
  CheckedTable checked;
  checked.file = source.name();
  SplitGroups runs;
  if (const auto done = walk(source, checked, &runs); !done) return std::unexpected(done.error());
  runs.settle();
  if (!runs.empty()) {
    // What was said about those groups came from pieces of them: walk again, knowing which they are.
    checked = CheckedTable();
    checked.file = source.name();
    checked.split = std::move(runs);
    if (const auto done = walk(source, checked, nullptr); !done) return std::unexpected(done.error());
    note_split_groups(checked.findings);
  }
  if (checked.findings.errors() == 0 && checked.survey.groups() == 0) {
    checked.findings.add(FindingKind::no_rows, 0, "", [&] { return none_usable(checked.dropped); });
  }
  return checked;
}

void drop_untrusted_telemetry(SweepGroup& group, const std::vector<TelemetryCount>& counts) {
  if (std::ranges::all_of(counts, &TelemetryCount::trusted)) return;
  for (SweepPoint& point : group.points) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (!counts[i].trusted()) point.telemetry[i].reset();
    }
  }
}

}  // namespace wattflex::ingest
