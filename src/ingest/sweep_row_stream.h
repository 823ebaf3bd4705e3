// The rows of a sweep table from its bytes, read by its header. One pass; make another stream for another.
#pragma once

#include <cassert>
#include <optional>

#include "base/error.h"
#include "ingest/finding.h"
#include "ingest/sweep_columns.h"
#include "ingest/sweep_rows.h"
#include "ingest/table_lines.h"
#include "ingest/text_source.h"

namespace wattflex::ingest {

class SweepRowStream {
 public:
  // Both must outlive the stream.
  SweepRowStream(TextSource& source, Findings& findings) : lines_(source, findings), findings_(findings) {}

  // Reads the header. False when there is none to work with (recorded in the findings).
  Result<bool> open();
  // False at the end; what the whole file showed has then been recorded.
  Result<bool> next(SweepRow& row);

  // After open() gave true.
  const SweepLayout& layout() const {
    assert(layout_);
    return *layout_;
  }
  SweepRowReader& rows() {
    assert(rows_);
    return *rows_;
  }
  // The line `next` read last.
  const Line& line() const { return lines_.line(); }
  std::size_t row_count() const { return row_count_; }

 private:
  void finish();

  TableLines lines_;
  Findings& findings_;
  std::optional<SweepLayout> layout_;
  std::optional<SweepRowReader> rows_;
  std::size_t row_count_ = 0;
};

}  // namespace wattflex::ingest
