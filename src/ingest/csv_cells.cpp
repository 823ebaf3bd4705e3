#include "ingest/csv_cells.h"

namespace wattflex::ingest {

bool CellSplitter::split(std::string_view line) {
  cells_.clear();
  bool quoted = false;
  const char* first = line.data();
  const char* const end = first + line.size();
  // Cells are short, so a plain loop beats a memchr for each.
  for (const char* at = first; at != end; ++at) {
    if (*at == separator_) {
      cells_.push_back(trimmed({first, static_cast<std::size_t>(at - first)}));
      first = at + 1;
    } else if (*at == '"') {
      quoted = true;
      break;
    }
  }
  if (quoted) return split_quoted(line);
  cells_.push_back(trimmed({first, static_cast<std::size_t>(end - first)}));
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
