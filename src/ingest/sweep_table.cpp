#include "ingest/sweep_table.h"

#include "ingest/finding.h"
#include "ingest/sweep_check.h"
#include "ingest/sweep_groups.h"
#include "ingest/sweep_row_stream.h"
#include "ingest/text_source.h"

namespace wattflex {
namespace {

using ingest::Findings;
using ingest::LoneRow;
using ingest::TextSource;

Result<SweepTable> read_whole(TextSource source, LoneRow lone_row) {
  Findings findings;
  SweepTable table;
  table.name = ingest::table_name(source.name());
  ingest::SweepRowStream stream(source, findings);
  const auto usable = stream.open();
  if (!usable) return std::unexpected(usable.error());
  ingest::GroupCollector collector(table.name, lone_row);
  for (ingest::SweepRow row; *usable;) {
    const auto more = stream.next(row);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    collector.add(row, findings);
  }
  if (!*usable) return std::unexpected(findings.to_error(source.name()));
  if (collector.has_split_groups()) ingest::note_split_groups(findings);
  table.groups = collector.take(findings);
  table.dropped = collector.dropped();
  ingest::TableSurvey survey;
  for (SweepGroup& group : table.groups) {
    ingest::drop_untrusted_telemetry(group, stream.rows().telemetry_counts());
    survey.add(group);
  }
  survey.finish(findings);
  if (findings.errors() == 0 && table.groups.empty()) {
    findings.add(ingest::FindingKind::no_rows, 0, "", [&] { return ingest::none_usable(table.dropped); });
  }
  if (findings.errors() > 0) return std::unexpected(findings.to_error(source.name()));
  for (const auto& column : stream.layout().telemetry)
    table.telemetry_columns.emplace_back(column.name->name);
  table.warnings = findings.warning_lines(source.name());
  return table;
}

}  // namespace

Result<SweepTable> read_sweep_table(const std::string& path) {
  auto source = TextSource::open(path);
  if (!source) return std::unexpected(source.error());
  return read_whole(*std::move(source), LoneRow::refused);
}

Result<SweepTable> read_uncapped_table(const std::string& path) {
  auto source = TextSource::open(path);
  if (!source) return std::unexpected(source.error());
  return read_whole(*std::move(source), LoneRow::accepted);
}

Result<SweepTable> parse_sweep_table(std::string_view text, const std::string& name) {
  return read_whole(TextSource::of_text(text, name), LoneRow::refused);
}

}  // namespace wattflex
