#include "report/text_table.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <span>

#include "report/display_text.h"

namespace wattflex::report {
namespace {

using Widths = std::vector<std::size_t>;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kGap = 2;  // between columns

std::string padded(std::string_view text, std::size_t width, Align align) {
  const std::string fill(width - std::min(width, character_count(text)), ' ');
  return align == Align::left ? std::string(text) + fill : fill + std::string(text);
}

std::size_t longest_of(const std::vector<std::string>& lines) {
  std::size_t longest = 0;
  for (const std::string& line : lines) longest = std::max(longest, character_count(line));
  return longest;
}

std::size_t longest_word(std::string_view text) {
  return longest_of(wrapped(text, 1));
}

// The least width at which `text` needs no more than `lines` lines.
std::size_t width_in_lines(std::string_view text, std::size_t lines) {
  std::size_t width = longest_word(text);
  while (wrapped(text, width).size() > lines) ++width;
  return width;
}

std::size_t total(std::span<const std::size_t> widths) {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) + kGap * (widths.size() - 1);
}

// Chooses the widths of columns so that a line has at most `most` characters, if that can be.
class Fitting {
 public:
  Fitting(const std::vector<Column>& columns, const Rows& rows, std::size_t most)
      : columns_(columns), rows_(rows), most_(most) {}

  Widths widths() const {
    Widths widths;
    for (std::size_t lines = 1; lines <= kMostTitleLines; ++lines) {
      widths = with_titles_in(lines);
      if (total(widths) <= most_) return widths;
    }
    narrow(widths);
    return total(widths) <= most_ ? widths : for_blocks();
  }

 private:
  static constexpr std::size_t kMostTitleLines = 4;
  static constexpr std::size_t kLeastWidth = 12;  // a cell broken more finely is hard to read

  Widths with_titles_in(std::size_t lines) const {
    Widths widths;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::size_t width = width_in_lines(columns_[c].title, lines);
      for (const auto& row : rows_) width = std::max(width, character_count(row[c]));
      widths.push_back(width);
    }
    return widths;
  }

  Widths least_widths(const Widths& widths) const {
    Widths least = widths;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].align != Align::left) continue;
      least[c] = std::max(kLeastWidth, longest_word(columns_[c].title));
      for (const auto& row : rows_) least[c] = std::max(least[c], longest_word(row[c]));
      least[c] = std::min(least[c], widths[c]);
    }
    return least;
  }

  // Takes from the widest column of text, character by character, down to its longest word.
  void narrow(Widths& widths) const {
    const Widths least = least_widths(widths);
    while (total(widths) > most_) {
      std::size_t* widest = nullptr;
      for (std::size_t c = 0; c < widths.size(); ++c) {
        if (widths[c] > least[c] && (widest == nullptr || widths[c] > *widest)) widest = &widths[c];
      }
      if (widest == nullptr) return;
      --*widest;
    }
  }

  // Every column beside the first one, which leaves it half the line.
  Widths for_blocks() const {
    Widths widths = with_titles_in(2);
    const Widths least = least_widths(widths);
    widths[0] = std::clamp(widths[0], least[0], std::max(least[0], most_ / 2));
    const std::size_t room = most_ > widths[0] + kGap ? most_ - widths[0] - kGap : 1;
    for (std::size_t c = 1; c < widths.size(); ++c)
      widths[c] = std::clamp(widths[c], least[c], std::max(least[c], room));
    return widths;
  }

  const std::vector<Column>& columns_;
  const Rows& rows_;
  std::size_t most_;
};

// The columns that stand side by side, and how wide each is.
struct Block {
  std::vector<Column> columns;
  Widths widths;
};

enum class RowKind { titles, bold_titles, values };

// One row of cells over as many lines as its longest cell needs; titles stand on the last of their lines.
std::string lines_of(std::span<const std::string> cells, const Block& block, RowKind kind) {
  const Widths& widths = block.widths;
  std::vector<std::vector<std::string>> parts;
  std::size_t height = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const bool whole = character_count(cells[c]) <= widths[c];
    parts.push_back(whole ? std::vector{cells[c]} : wrapped(cells[c], widths[c]));
    height = std::max(height, parts.back().size());
  }
  std::string out;
  for (std::size_t l = 0; l < height; ++l) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::size_t skipped = kind != RowKind::values ? height - parts[c].size() : 0;
      const std::string part =
          l < skipped || l - skipped >= parts[c].size() ? std::string() : parts[c][l - skipped];
      const std::string cell = padded(part, widths[c], block.columns[c].align);
      line += (c == 0 ? "" : std::string(kGap, ' ')) +
              (kind == RowKind::bold_titles ? "\x1b[1m" + cell + "\x1b[0m" : cell);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  assert(cells.size() <= columns_.size());
  cells.resize(columns_.size());
  std::ranges::transform(cells, cells.begin(), terminal_text);
  rows_.push_back(std::move(cells));
}

std::string TextTable::to_text(Style style) const {
  const Widths widths = Fitting(columns_, rows_, style.width).widths();
  std::string out;
  for (std::size_t first = 1; first == 1 || first < columns_.size();) {
    // A block: column 0 and as many of the rest as a line holds, at least one.
    Block block = {{columns_.front()}, {widths.front()}};
    std::size_t end = first;
    for (; end < columns_.size(); ++end) {
      if (end > first && total(block.widths) + kGap + widths[end] > style.width) break;
      block.widths.push_back(widths[end]);
      block.columns.push_back(columns_[end]);
    }
    const auto cells_of = [&](const auto& text_of_column) {
      std::vector<std::string> cells = {text_of_column(0)};
      for (std::size_t c = first; c < end; ++c) cells.push_back(text_of_column(c));
      return cells;
    };
    if (first > 1) out += '\n';
    out += lines_of(cells_of([&](std::size_t c) { return columns_[c].title; }), block,
                    style.bold_headers ? RowKind::bold_titles : RowKind::titles);
    for (const auto& row : rows_) {
      const auto here = std::span(row).subspan(first, end - first);
      if (first > 1 && std::ranges::all_of(here, &std::string::empty)) continue;
      out += lines_of(cells_of([&](std::size_t c) { return row[c]; }), block, RowKind::values);
    }
    first = std::max(end, first + 1);
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
