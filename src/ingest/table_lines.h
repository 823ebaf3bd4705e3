// The header and rows of a CSV file as lines, without blank ones and comments. What the bytes themselves show
// (binary data, line ends, a byte order mark) is judged here while they come, so that input that is endless
// or no text is refused at once. What the cells mean is for others.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"
#include "ingest/finding.h"
#include "ingest/line_reader.h"
#include "ingest/text_source.h"

namespace wattflex::ingest {

class TableLines {
 public:
  // Nobody repairs more errors than this at a time; ends the reading of endless nonsense.
  static constexpr std::size_t kMostErrors = 10'000;
  // Blank lines and comments in a row: far above any file's introduction.
  static constexpr std::size_t kMostSkippedLines = 100'000;

  // Both must outlive the lines.
  TableLines(TextSource& source, Findings& findings) : lines_(source), findings_(findings) {}

  // Reads the header. False when no line can be one (recorded in the findings).
  Result<bool> open();
  // False at the end, and where reading cannot go on (recorded).
  Result<bool> next();
  // The line read last.
  const Line& line() const { return line_; }
  // Records what the whole file showed.
  void finish();

 private:
  bool stop(FindingKind kind, const std::string& message);
  bool stop_at_unreadable_line();

  LineReader lines_;
  Findings& findings_;
  Line line_;
  bool carriage_returns_ = false;
};

}  // namespace wattflex::ingest
