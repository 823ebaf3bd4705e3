#include "ingest/sweep_row_stream.h"

namespace wattflex::ingest {
namespace {

bool starts_like_utf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

}  // namespace

// The next line that is neither blank nor a comment.
Result<bool> SweepRowStream::next_line() {
  for (;;) {
    const auto more = lines_.next(line_);
    if (!more && more.error().kind == ErrorKind::refused) {
      findings_.add(FindingKind::line_too_long, line_.number + 1, "",
                    [] { return "the row is longer than 64 KiB"; });
      return false;
    }
    if (!more || !*more) return more;
    carriage_returns_ = carriage_returns_ || line_.carriage_return;
    if (!line_.text.empty() && line_.text.front() != '#') return true;
  }
}

Result<bool> SweepRowStream::open() {
  const auto more = next_line();
  if (!more) return more;
  if (!*more) {
    if (findings_.errors() == 0)
      findings_.add(FindingKind::empty_file, 0, "", [] { return "the file is empty"; });
    return false;
  }
  if (line_.has_nul || starts_like_utf16(line_.text)) {
    findings_.add(FindingKind::not_text, line_.number, "", [&] {
      return starts_like_utf16(line_.text) ? "this is UTF-16, not UTF-8" : "holds a NUL byte";
    });
    return false;
  }
  layout_ = read_sweep_header(line_.text, line_.number, findings_);
  if (!layout_) return false;
  rows_.emplace(*layout_, findings_);
  return true;
}

Result<bool> SweepRowStream::next(SweepRow& row) {
  const auto more = next_line();
  if (!more) return more;
  if (!*more) {
    finish();
    return false;
  }
  ++row_count_;
  rows_->read(line_, row);
  return true;
}

void SweepRowStream::finish() {
  if (row_count_ == 0 && findings_.errors() == 0)
    findings_.add(FindingKind::no_rows, 0, "", [] { return "the table has a header and no rows"; });
  if (lines_.had_byte_order_mark()) {
    findings_.add(FindingKind::byte_order_mark, 0, "",
                  [] { return "the file starts with a byte order mark"; });
  }
  if (carriage_returns_) {
    findings_.add(FindingKind::carriage_returns, 0, "", [] { return "lines end in CR LF"; });
  }
  rows_->finish();
}

}  // namespace wattflex::ingest
