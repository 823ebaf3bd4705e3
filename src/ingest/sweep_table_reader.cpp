#include "ingest/sweep_table_reader.h"

#include <utility>

#include "ingest/finding.h"
#include "ingest/group_walker.h"
#include "ingest/sweep_check.h"
#include "ingest/text_source.h"

namespace wattflex {

struct SweepTableReader::State {
  State(ingest::TextSource text, ingest::CheckedTable table)
      : source(std::move(text)),
        checked(std::move(table)),
        name(ingest::table_name(source.name())),
        telemetry_columns(checked.telemetry_columns()),
        warnings(checked.findings.warning_lines(source.name())),
        walker({source, name, checked.split, nullptr, second}) {}

  ingest::TextSource source;
  ingest::CheckedTable checked;
  std::string name;
  std::vector<std::string> telemetry_columns;
  std::vector<std::string> warnings;
  ingest::Findings second;  // of the second reading; errors here mean that the file changed
  ingest::GroupWalker walker;
};

namespace {

std::unexpected<Error> changed(const std::string& file) {
  return fail(ErrorKind::io, file + ": changed while it was read", "run again when nobody writes to it");
}

}  // namespace

SweepTableReader::SweepTableReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
SweepTableReader::SweepTableReader(SweepTableReader&&) noexcept = default;
SweepTableReader& SweepTableReader::operator=(SweepTableReader&&) noexcept = default;
SweepTableReader::~SweepTableReader() = default;

Result<SweepTableReader> SweepTableReader::open(const std::string& path) {
  auto source = ingest::TextSource::open(path);
  if (!source) return std::unexpected(source.error());
  return check(*std::move(source));
}

Result<SweepTableReader> SweepTableReader::of_text(std::string_view text, const std::string& name) {
  return check(ingest::TextSource::of_text(text, name));
}

Result<SweepTableReader> SweepTableReader::check(ingest::TextSource source) {
  auto checked = ingest::check_sweep_table(source);
  if (!checked) return std::unexpected(checked.error());
  if (checked->findings.errors() > 0) return std::unexpected(checked->findings.to_error(source.name()));
  auto state = std::make_unique<State>(std::move(source), *std::move(checked));
  const auto usable = state->walker.open();
  if (!usable) return std::unexpected(usable.error());
  if (!*usable) return changed(state->source.name());
  return SweepTableReader(std::move(state));
}

const std::string& SweepTableReader::name() const {
  return state_->name;
}
const std::vector<std::string>& SweepTableReader::telemetry_columns() const {
  return state_->telemetry_columns;
}
const std::vector<std::string>& SweepTableReader::warnings() const {
  return state_->warnings;
}
const std::vector<DroppedGroup>& SweepTableReader::dropped() const {
  return state_->checked.dropped;
}
std::size_t SweepTableReader::group_count() const {
  return state_->checked.survey.groups();
}

Result<std::optional<SweepGroup>> SweepTableReader::next() {
  State& state = *state_;
  auto group = state.walker.next();
  if (!group) return group;
  const bool at_end = !*group;
  const bool same_rows = !at_end || state.walker.rows().row_count() == state.checked.rows;
  if (state.second.errors() > 0 || !same_rows) return changed(state.source.name());
  if (!at_end) ingest::drop_untrusted_telemetry(**group, state.checked.telemetry);
  return group;
}

}  // namespace wattflex
