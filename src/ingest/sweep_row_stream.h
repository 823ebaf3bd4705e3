// The rows of a sweep table from its bytes: header, comments, blank lines and the file's own oddities are
// dealt with here. One pass; make another stream for another.
#pragma once

#include <optional>

#include "base/error.h"
#include "ingest/finding.h"
#include "ingest/line_reader.h"
#include "ingest/sweep_columns.h"
#include "ingest/sweep_rows.h"
#include "ingest/text_source.h"

namespace wattflex::ingest {

class SweepRowStream {
 public:
  // Both must outlive the stream.
  SweepRowStream(TextSource& source, Findings& findings) : lines_(source), findings_(findings) {}

  // Reads the header. False when there is none to work with (recorded in the findings).
  Result<bool> open();
  // False at the end; what the whole file showed has then been recorded.
  Result<bool> next(SweepRow& row);

  // After open() gave true.
  const SweepLayout& layout() const { return *layout_; }
  SweepRowReader& rows() { return *rows_; }
  // The line `next` read last.
  const Line& line() const { return line_; }
  std::size_t row_count() const { return row_count_; }

 private:
  Result<bool> next_line();
  void finish();

  LineReader lines_;
  Findings& findings_;
  std::optional<SweepLayout> layout_;
  std::optional<SweepRowReader> rows_;
  Line line_;
  std::size_t row_count_ = 0;
  bool carriage_returns_ = false;
};

}  // namespace wattflex::ingest
