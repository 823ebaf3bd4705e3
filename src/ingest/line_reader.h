// Cuts a text into lines in bounded memory. A row is always one line: a line break inside a quoted cell is
// refused by csv_cells.h, since in our tables it is an unclosed quote and would swallow the rest of the file.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "ingest/text_source.h"

namespace wattflex::ingest {

// Far above any table (300 columns of 200 characters), small enough that hostile input costs nothing.
inline constexpr std::size_t kMostLineBytes = std::size_t{64} << 10;

struct Line {
  std::string_view text;         // without its line end; valid until the next call
  std::size_t number = 0;        // 1-based
  bool terminated = true;        // false: the file ends here without a newline
  bool carriage_return = false;  // it ended in CR LF
  bool lone_return = false;      // a CR stands inside
  bool has_nul = false;
};

class LineReader {
 public:
  explicit LineReader(TextSource& source);

  // False at the end. A line above kMostLineBytes is an error; reading cannot go on after it, and `line`
  // holds what was read of it.
  Result<bool> next(Line& line);
  // A byte order mark was dropped; known after the first line.
  bool had_byte_order_mark() const { return had_byte_order_mark_; }

 private:
  Result<bool> fill();
  void place(std::string_view text, Line& line) const;
  std::unexpected<Error> too_long(std::string_view text, Line& line) const;

  TextSource& source_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;  // unread part of the buffer
  std::size_t end_ = 0;
  std::size_t number_ = 0;
  bool at_end_ = false;
  bool nul_in_buffer_ = false;
  bool return_in_buffer_ = false;
  bool had_byte_order_mark_ = false;
};

}  // namespace wattflex::ingest
