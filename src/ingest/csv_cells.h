// Splits a line of CSV into cells: any separator, RFC 4180 quotes, blanks around unquoted cells dropped.
// Our own loop: libcsv calls back once per cell and copies each byte (docs/performance.md has both speeds),
// and it can tell neither the line of an unclosed quote nor whether a cell was quoted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wattflex::ingest {

// More columns than any table has; bounds what one line can make us keep.
inline constexpr std::size_t kMostCells = 1000;

class CellSplitter {
 public:
  explicit CellSplitter(char separator) : separator_(separator) {}

  // False when a quote is not closed or there are more than kMostCells cells.
  bool split(std::string_view line);
  // Views into the last line, or into this object where quotes were undone; valid until the next split.
  const std::vector<std::string_view>& cells() const { return cells_; }

 private:
  bool split_quoted(std::string_view line);

  char separator_;
  std::vector<std::string_view> cells_;
  std::string unquoted_;
};

// Inline, since every cell goes through it.
inline std::string_view trimmed(std::string_view text) {
  const auto is_above_blank = [](char c) { return static_cast<unsigned char>(c) > ' '; };
  if (!text.empty() && is_above_blank(text.front()) && is_above_blank(text.back())) return text;
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace wattflex::ingest
