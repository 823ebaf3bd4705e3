// One row of a sweep table: cells in, typed values out, each cell judged by itself. What only several rows
// together can show is sweep_groups.h's work.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/csv_cells.h"
#include "ingest/finding.h"
#include "ingest/line_reader.h"
#include "ingest/number_reader.h"
#include "ingest/sweep_columns.h"
#include "model/sweep.h"

namespace wattflex::ingest {

inline constexpr double kMostWattsPerGpu = 10'000;  // no GPU draws more; a larger value is milliwatts
inline constexpr double kLeastWatts = 0.001;        // no GPU draws less; a smaller value is no watts
inline constexpr double kLeastThroughput = 1e-12;   // one unit of work in 30,000 years
inline constexpr double kMostThroughput = 1e24;     // the largest clusters do 1e21 operations a second
inline constexpr int kMostGpus = 10'000'000;        // larger than any cluster
inline constexpr std::size_t kMostNameBytes = 512;

enum class RowUse {
  used,
  left_out,  // a warning says why
  refused,   // an error says why
};

struct SweepRow {
  RowUse use = RowUse::used;
  std::string_view group;  // views are valid until the next row
  std::string_view accelerator;
  std::string_view model;
  Architecture architecture = Architecture::unknown;
  Task task = Task::unknown;
  Pedigree pedigree = Pedigree::measured;
  int gpus = 0;
  SweepPoint point;
};

// How often a telemetry column held an impossible value. Beyond one per cent the column is not trusted.
struct TelemetryCount {
  std::size_t readings = 0;
  std::size_t impossible = 0;
  bool trusted() const { return impossible * 100 <= readings; }
};

class SweepRowReader {
 public:
  // Both must outlive the reader.
  SweepRowReader(const SweepLayout& layout, Findings& findings);

  void read(const Line& line, SweepRow& row);
  // What only the whole file shows; once, after the last row.
  void finish();
  // Parallel to SweepLayout::telemetry.
  const std::vector<TelemetryCount>& telemetry_counts() const { return telemetry_counts_; }

 private:
  // The last text of a vocabulary column and its value: neighbouring rows mostly repeat it.
  template <class Enum>
  struct LastWord {
    std::string text;
    Enum value{};
  };

  std::string_view cell(SweepColumn column) const {
    const auto at = layout_.cell_of(column);
    return at ? splitter_.cells()[*at] : std::string_view();
  }
  void read_cells(SweepRow& row);
  void read_unterminated(const Line& line, bool split, SweepRow& row);
  std::string_view last_column() const;
  void read_identity(SweepRow& row);
  void read_required(SweepRow& row);
  void read_optional(SweepRow& row);
  void read_telemetry(SweepRow& row);
  double read_positive(SweepColumn column, SweepRow& row);
  std::optional<double> read_optional_number(SweepColumn column, double least, SweepRow& row);
  template <class Enum, class Parse>
  Enum read_word(SweepColumn column, LastWord<Enum>& last, Enum unknown, Parse parse);
  void refuse(SweepRow& row, FindingKind kind, std::string_view column, std::string_view cell,
              std::string_view problem);
  void refuse_cell_count(SweepRow& row);
  void refuse_outside(SweepRow& row, SweepColumn column, double value, double least, double most);
  void refuse_number(SweepRow& row, NumberFault fault, std::string_view column, std::string_view cell);
  std::string_view read_name(SweepColumn column, std::string& last_good, SweepRow& row);
  void note_power(const SweepRow& row);

  const SweepLayout& layout_;
  Findings* findings_;
  CellSplitter splitter_;
  NumberReader numbers_;
  bool has_optional_numbers_;
  std::size_t row_number_ = 0;
  std::size_t first_doubtful_row_ = 0;
  LastWord<Architecture> architecture_;
  LastWord<Task> task_;
  LastWord<Pedigree> pedigree_;
  LastWord<PowerKind> power_kind_;
  LastWord<Limiter> limiter_;
  std::string good_group_;  // last names that passed: neighbouring rows mostly repeat them
  std::string good_accelerator_;
  std::string good_model_;
  std::vector<TelemetryCount> telemetry_counts_;
};

}  // namespace wattflex::ingest
