// A result as rows and columns, for the terminal and as CSV: one source for both. Not for numbers that
// programs should read back exactly; those go out as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wattflex::report {

enum class Align { left, right };

struct Column {
  std::string key;    // CSV header, stable
  std::string title;  // terminal header, with the unit
  Align align = Align::right;
};

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Missing trailing cells are empty; cells beyond the columns are a bug. What could drive a terminal is made
  // harmless (terminal_text).
  void add_row(std::vector<std::string> cells);
  std::size_t size() const { return rows_.size(); }

  struct Style {
    bool bold_headers = false;
    std::size_t width = kUnbroken;  // most characters a line
  };
  static constexpr std::size_t kUnbroken = static_cast<std::size_t>(-1);

  // Aligned columns, widths counted in code points. What is wider than the style allows is fitted, nothing
  // left out: titles are broken at spaces, then the cells of the widest columns aligned to the left, and
  // where even that is too wide the columns go on in further blocks that repeat the first one, without rows
  // that are empty there. Only a word longer than a line ever stands out.
  std::string to_text(Style style) const;
  std::string to_text() const { return to_text({}); }
  // RFC 4180 with "\n" line ends.
  std::string to_csv() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Quotes a CSV cell when it holds a comma, quote or line break.
std::string csv_cell(std::string_view text);

}  // namespace wattflex::report
