#include "report/text_table.h"

#include <algorithm>
#include <cassert>

namespace wattflex::report {
namespace {

// Code points, which for the letters and signs we print is the width on a terminal.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width, Align align) {
  const std::string fill(width - std::min(width, width_of(text)), ' ');
  return align == Align::left ? std::string(text) + fill : fill + std::string(text);
}

void append_line(std::string& out, const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : "  ") + cell;
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  assert(cells.size() <= columns_.size());
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::to_text(bool bold_headers) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = width_of(columns_[c].title);
    for (const auto& row : rows_) width = std::max(width, width_of(row[c]));
    widths.push_back(width);
  }
  std::string out;
  std::vector<std::string> cells(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    cells[c] = padded(columns_[c].title, widths[c], columns_[c].align);
    if (bold_headers) cells[c] = "\x1b[1m" + cells[c] + "\x1b[0m";
  }
  append_line(out, cells);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < columns_.size(); ++c) cells[c] = padded(row[c], widths[c], columns_[c].align);
    append_line(out, cells);
  }
  return out;
}

std::string TextTable::to_csv() const {
  std::string out;
  for (const Column& column : columns_) out += (out.empty() ? "" : ",") + csv_cell(column.key);
  out += '\n';
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) out += (c == 0 ? "" : ",") + csv_cell(row[c]);
    out += '\n';
  }
  return out;
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace wattflex::report
