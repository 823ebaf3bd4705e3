#include "ingest/sweep_row_stream.h"

namespace wattflex::ingest {

Result<bool> SweepRowStream::open() {
  const auto usable = lines_.open();
  if (!usable || !*usable) return usable;
  layout_ = read_sweep_header(line().text, line().number, findings_);
  if (!layout_) return false;
  rows_.emplace(*layout_, findings_);
  return true;
}

Result<bool> SweepRowStream::next(SweepRow& row) {
  const auto more = lines_.next();
  if (!more) return more;
  if (!*more) {
    finish();
    return false;
  }
  ++row_count_;
  rows_->read(line(), row);
  return true;
}

void SweepRowStream::finish() {
  if (row_count_ == 0 && findings_.errors() == 0)
    findings_.add(FindingKind::no_rows, 0, "", [] { return "the table has a header and no rows"; });
  lines_.finish();
  rows_->finish();
}

}  // namespace wattflex::ingest
