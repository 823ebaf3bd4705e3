#include "ingest/table_lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "ingest/csv_cells.h"
#include "ingest/utf8.h"

namespace wattflex::ingest {
namespace {

bool starts_like_utf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

bool is_binary(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return is_control(c) && c != '\t'; });
}

}  // namespace

bool TableLines::stop(FindingKind kind, const std::string& message) {
  findings_.add(kind, line_.number, "", [&] { return message; });
  return false;
}

bool TableLines::stop_at_unreadable_line() {
  if (starts_like_utf16(line_.text)) return stop(FindingKind::not_text, "this is UTF-16, not UTF-8");
  if (line_.has_nul) return stop(FindingKind::not_text, "holds a NUL byte");
  if (line_.lone_return) return stop(FindingKind::old_line_ends, "lines end in CR alone");
  return stop(FindingKind::line_too_long, "the row is longer than 64 KiB");
}

Result<bool> TableLines::open() {
  const auto more = next();
  if (more && !*more && findings_.errors() == 0)
    findings_.add(FindingKind::empty_file, 0, "", [] { return "the file is empty"; });
  if (!more || !*more) return more;
  if (line_.has_nul || starts_like_utf16(line_.text)) return stop_at_unreadable_line();
  if (is_binary(line_.text)) return stop(FindingKind::not_text, "holds control characters");
  return true;
}

Result<bool> TableLines::next() {
  for (std::size_t skipped = 0; skipped <= kMostSkippedLines; ++skipped) {
    const auto more = lines_.next(line_);
    if (!more && more.error().kind == ErrorKind::refused) return stop_at_unreadable_line();
    if (!more || !*more) return more;
    if (line_.lone_return) return stop_at_unreadable_line();
    carriage_returns_ = carriage_returns_ || line_.carriage_return;
    if (trimmed(line_.text).empty() || line_.text.front() == '#') continue;
    // A group of one point may get its others later: while rows of many groups alternate, that is no error
    // yet.
    if (findings_.errors() - findings_.count(FindingKind::one_point) < kMostErrors) return true;
    return stop(FindingKind::too_many_errors,
                fmt::format("reading stopped here, after {} errors", kMostErrors));
  }
  return stop(FindingKind::no_table,
              fmt::format("more than {} lines in a row are blank or comments", kMostSkippedLines));
}

void TableLines::finish() {
  if (lines_.had_byte_order_mark()) {
    findings_.add(FindingKind::byte_order_mark, 0, "",
                  [] { return "the file starts with a byte order mark"; });
  }
  if (carriage_returns_) {
    findings_.add(FindingKind::carriage_returns, 0, "", [] { return "lines end in CR LF"; });
  }
}

}  // namespace wattflex::ingest
