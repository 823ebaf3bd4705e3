#include "ingest/csv_cells.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace wattflex::ingest {
namespace {

constexpr std::uint64_t kEach = 0x0101010101010101U;  // times a byte: that byte in all eight places
constexpr std::uint64_t kLow = 0x7F * kEach;

// Eight bytes of text, the first one lowest.
std::uint64_t eight_at(const char* text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return std::endian::native == std::endian::little ? word : std::byteswap(word);
}

// The top bit of each byte of `word` that is the one in `bytes`.
std::uint64_t equal_bytes(std::uint64_t word, std::uint64_t bytes) {
  const std::uint64_t differing = word ^ bytes;
  return ~(((differing & kLow) + kLow) | differing | kLow);
}

}  // namespace

// Cells are short: a memchr for each would cost more than looking at eight bytes at a time.
bool CellSplitter::split(std::string_view line) {
  cells_.clear();
  const std::uint64_t separators = kEach * static_cast<unsigned char>(separator_);
  const char* first = line.data();
  const char* at = first;
  const char* const end = at + line.size();
  const auto end_cell = [&](const char* last) {
    cells_.push_back(trimmed({first, static_cast<std::size_t>(last - first)}));
    first = last + 1;
  };
  for (; end - at >= 8; at += 8) {
    const std::uint64_t word = eight_at(at);
    if (equal_bytes(word, kEach * '"') != 0) return split_quoted(line);
    std::uint64_t ends = equal_bytes(word, separators);
    for (; ends != 0; ends &= ends - 1) end_cell(at + std::countr_zero(ends) / 8);
  }
  for (; at != end; ++at) {
    if (*at == '"') return split_quoted(line);
    if (*at == separator_) end_cell(at);
  }
  end_cell(end);
  return cells_.size() <= kMostCells;
}

bool CellSplitter::split_quoted(std::string_view line) {
  cells_.clear();
  unquoted_.clear();
  unquoted_.reserve(line.size());  // never reallocated below: the cells point into it
  std::size_t at = 0;
  while (cells_.size() <= kMostCells) {
    while (at < line.size() && line[at] == ' ') ++at;
    if (at == line.size() || line[at] != '"') {
      const std::size_t end = std::min(line.find(separator_, at), line.size());
      cells_.push_back(trimmed(line.substr(at, end - at)));
      at = end;
    } else {
      const std::size_t begin = unquoted_.size();
      for (++at;; ++at) {
        if (at == line.size()) return false;
        if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        unquoted_ += line[at];
      }
      cells_.push_back(std::string_view(unquoted_).substr(begin));
      ++at;
      while (at < line.size() && line[at] == ' ') ++at;
      if (at < line.size() && line[at] != separator_) return false;  // text behind a closing quote
    }
    if (at == line.size()) return cells_.size() <= kMostCells;
    ++at;
  }
  return false;
}

}  // namespace wattflex::ingest
