#include "ingest/sweep_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/counted.h"
#include "ingest/cell_text.h"
#include "ingest/utf8.h"

namespace wattflex::ingest {
namespace {

std::optional<bool> parse_flag(std::string_view text) {
  if (text.empty()) return false;
  for (const char* yes : {"1", "true", "yes", "aborted"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"0", "false", "no"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::optional<Power> watts(std::optional<double> value) {
  return value ? std::optional(Power::from_watts(*value)) : std::nullopt;
}

}  // namespace

SweepRowReader::SweepRowReader(const SweepLayout& layout, Findings& findings)
    : layout_(layout),
      findings_(&findings),
      splitter_(layout.separator),
      numbers_(layout.separator),
      has_optional_numbers_(layout.cell_of(SweepColumn::power_stderr) ||
                            layout.cell_of(SweepColumn::throughput_stderr) ||
                            layout.cell_of(SweepColumn::requested) || layout.cell_of(SweepColumn::enforced)),
      telemetry_counts_(layout.telemetry.size()) {}

void SweepRowReader::refuse(SweepRow& row, FindingKind kind, std::string_view column, std::string_view cell,
                            std::string_view problem) {
  row.use = RowUse::refused;
  findings_->add(kind, row_number_, column, [&] {
    return cell.empty() ? std::string(problem) : fmt::format("'{}' {}", shown(cell), problem);
  });
}

void SweepRowReader::refuse_number(SweepRow& row, NumberFault fault, std::string_view column,
                                   std::string_view cell) {
  const FaultText text = text_of(fault);
  refuse(row, text.kind, column, cell, text.problem);
}

void SweepRowReader::refuse_outside(SweepRow& row, SweepColumn column, double value, double least,
                                    double most) {
  if (value >= least && value <= most) return;
  refuse(row, FindingKind::implausible, to_string(column), cell(column),
         fmt::format("is outside {:g} to {:g}", least, most));
}

void SweepRowReader::read(const Line& line, SweepRow& row) {
  row = SweepRow();
  row_number_ = line.number;
  row.point.row = line.number;
  if (line.has_nul) return refuse(row, FindingKind::not_text, "", "", "holds a NUL byte");
  const bool split = splitter_.split(line.text);
  if (!line.terminated) return read_unterminated(line, split, row);
  if (!split) {
    return refuse(row, FindingKind::open_quote, "", "",
                  "a quote is not closed, or text follows a closing one");
  }
  if (splitter_.cells().size() != layout_.cell_count) return refuse_cell_count(row);
  read_cells(row);
}

void SweepRowReader::refuse_cell_count(SweepRow& row) {
  refuse(row, FindingKind::cell_count, "", "",
         fmt::format("{} for {}", counted(splitter_.cells().size(), "cell"),
                     counted(layout_.cell_count, "column")));
}

// Name of the column the last cell of a row is in, if it is one we read.
std::string_view SweepRowReader::last_column() const {
  const std::size_t last = layout_.cell_count - 1;
  for (const TelemetryColumn& telemetry : layout_.telemetry) {
    if (telemetry.at == last) return telemetry.name->name;
  }
  for (const SweepColumnText& text : sweep_columns()) {
    if (layout_.cell_of(text.column) == last) return text.name;
  }
  return {};
}

// The file ends without a newline: a hand-written table, or one cut while being written. A row with a cell
// missing or its last cell unreadable was cut and is left out; a whole one is used, with a warning, since a
// last number that lost digits cannot be told from a short one.
void SweepRowReader::read_unterminated(const Line& line, bool split, SweepRow& row) {
  Findings trial;
  Findings* const real = std::exchange(findings_, &trial);
  const std::size_t count = splitter_.cells().size();
  bool cut = !split || count < layout_.cell_count;
  if (!cut && count > layout_.cell_count) {
    refuse_cell_count(row);
  } else if (!cut) {
    read_cells(row);
    const auto before_last_cell = [&](const Finding& finding) {
      return severity_of(finding.kind) == Severity::error && finding.column != last_column();
    };
    cut = line.text.ends_with('.') ||
          (trial.errors() > 0 && std::ranges::none_of(trial.kept(), before_last_cell));
  }
  findings_ = real;
  if (cut) {
    row = SweepRow();
    row.use = RowUse::left_out;
    findings_->add(FindingKind::cut_row, row_number_, "",
                   [] { return "the last row is cut and was left out"; });
    return;
  }
  for (const Finding& finding : trial.kept()) {
    findings_->add(finding.kind, finding.row, finding.column, [&] { return finding.message; });
  }
  findings_->add(FindingKind::no_last_newline, row_number_, "", [&] {
    return fmt::format("the file ends without a newline; if it was cut, '{}' is wrong",
                       shown(splitter_.cells().back()));
  });
}

void SweepRowReader::read_cells(SweepRow& row) {
  const bool blank =
      std::ranges::all_of(splitter_.cells(), [](std::string_view text) { return text.empty(); });
  if (blank) {
    row.use = RowUse::left_out;  // spreadsheets pad tables with rows of separators
    return;
  }
  read_identity(row);
  const auto aborted = parse_flag(cell(SweepColumn::aborted));
  if (!aborted) {
    findings_->add(FindingKind::unknown_word, row_number_, to_string(SweepColumn::aborted), [&] {
      return fmt::format("'{}' is neither 0 nor 1; taken as aborted", shown(cell(SweepColumn::aborted)));
    });
  }
  if (!aborted.value_or(true)) {
    read_required(row);
  } else {
    // An aborted run may have no numbers. With them it stays, marked, so that nobody takes it for a
    // reference.
    Findings trial;
    Findings* const real = std::exchange(findings_, &trial);
    read_required(row);
    findings_ = real;
    if (trial.errors() > 0) row.use = RowUse::left_out;
    findings_->add(FindingKind::aborted_run, row_number_, "", [&] {
      return fmt::format("the run at {:g} W was aborted{}", row.point.cap.watts(),
                         row.use == RowUse::left_out ? " and left out" : "");
    });
  }
  read_optional(row);
  if (aborted.value_or(true) && row.point.limited_by == Limiter::unstated)
    row.point.limited_by = Limiter::other;
  read_telemetry(row);
  if (row.use == RowUse::used) note_power(row);
}

std::string_view SweepRowReader::read_name(SweepColumn column, std::string& last_good, SweepRow& row) {
  const std::string_view name = cell(column);
  if (name == last_good) return name;
  if (name.size() > kMostNameBytes || !is_plain_text(name)) {
    refuse(row, FindingKind::bad_name, to_string(column), name, "is no name");
  } else {
    last_good = name;
  }
  return name;
}

void SweepRowReader::read_identity(SweepRow& row) {
  row.group = read_name(SweepColumn::group, good_group_, row);
  if (row.group.empty()) {
    refuse(row, FindingKind::missing_value, to_string(SweepColumn::group), "", "is empty");
  }
  row.accelerator = read_name(SweepColumn::accelerator, good_accelerator_, row);
  row.model = read_name(SweepColumn::model, good_model_, row);
  row.architecture =
      read_word(SweepColumn::architecture, architecture_, Architecture::unknown, parse_architecture);
  row.task = read_word(SweepColumn::task, task_, Task::unknown, parse_task);
  const std::string_view pedigree = cell(SweepColumn::pedigree);
  if (pedigree != pedigree_.text) {
    const auto parsed = parse_pedigree(pedigree);
    if (!parsed) {
      return refuse(row, FindingKind::unknown_pedigree, to_string(SweepColumn::pedigree), pedigree,
                    "is none of the words");
    }
    pedigree_ = {std::string(pedigree), *parsed};
  }
  row.pedigree = pedigree_.value;
}

template <class Enum, class Parse>
Enum SweepRowReader::read_word(SweepColumn column, LastWord<Enum>& last, Enum unknown, Parse parse) {
  const std::string_view text = cell(column);
  if (text == last.text) return last.value;
  const auto parsed = text.size() <= kMostNameBytes ? parse(text) : std::nullopt;
  if (!parsed) {
    findings_->add(FindingKind::unknown_word, row_number_, to_string(column), [&] {
      return fmt::format("'{}' is none of the words; read as {}", shown(text), to_string(unknown));
    });
    return unknown;
  }
  last = {std::string(text), *parsed};
  return *parsed;
}

double SweepRowReader::read_positive(SweepColumn column, SweepRow& row) {
  const std::string_view text = cell(column);
  NumberFault fault = NumberFault::none;
  const bool was_in_doubt = numbers_.comma_in_doubt();
  const double value = numbers_.read(text, fault);
  if (fault != NumberFault::none) {
    refuse_number(row, fault, to_string(column), text);
  } else if (!(value > 0)) {
    refuse(row, FindingKind::not_positive, to_string(column), text, "must be above zero");
  }
  if (!was_in_doubt && numbers_.comma_in_doubt()) first_doubtful_row_ = row_number_;
  return value;
}

void SweepRowReader::read_required(SweepRow& row) {
  const double gpus = read_positive(SweepColumn::gpus, row);
  const double cap = read_positive(SweepColumn::cap, row);
  const double power = read_positive(SweepColumn::power, row);
  row.point.throughput = read_positive(SweepColumn::throughput, row);
  row.point.cap = Power::from_watts(cap);
  row.point.power = Power::from_watts(power);
  if (row.use != RowUse::used) return;
  if (gpus != std::floor(gpus) || gpus > kMostGpus) {
    return refuse(row, FindingKind::not_whole, to_string(SweepColumn::gpus), cell(SweepColumn::gpus),
                  "is not a number of GPUs");
  }
  row.gpus = static_cast<int>(gpus);
  refuse_outside(row, SweepColumn::throughput, row.point.throughput, kLeastThroughput, kMostThroughput);
  if (cap > kMostWattsPerGpu) {
    refuse(row, FindingKind::cap_too_high, to_string(SweepColumn::cap), cell(SweepColumn::cap),
           "is above 10 kW per GPU; milliwatts?");
  } else {
    refuse_outside(row, SweepColumn::cap, cap, kLeastWatts, kMostWattsPerGpu);
  }
  if (power > kMostWattsPerGpu * gpus) {
    refuse(row, FindingKind::power_too_high, to_string(SweepColumn::power), cell(SweepColumn::power),
           "is above 10 kW per GPU; milliwatts?");
  } else {
    refuse_outside(row, SweepColumn::power, power, kLeastWatts, kMostWattsPerGpu * gpus);
  }
}

// Empty cells and missing readings are nothing; a reading that is NaN or infinite counts as missing, with a
// warning; anything else unreadable is refused.
std::optional<double> SweepRowReader::read_optional_number(SweepColumn column, double least, SweepRow& row) {
  const std::string_view text = cell(column);
  if (text.empty()) return std::nullopt;
  NumberFault fault = NumberFault::none;
  const double value = numbers_.read(text, fault);
  if (fault == NumberFault::not_available) return std::nullopt;
  if (fault == NumberFault::not_finite) {
    findings_->add(FindingKind::telemetry_missing, row_number_, to_string(column),
                   [&] { return fmt::format("'{}' counts as missing", shown(text)); });
    return std::nullopt;
  }
  if (fault != NumberFault::none) {
    refuse_number(row, fault, to_string(column), text);
    return std::nullopt;
  }
  if (value < least) {
    refuse(row, FindingKind::not_positive, to_string(column), text, "must not be negative");
    return std::nullopt;
  }
  return value;
}

void SweepRowReader::read_optional(SweepRow& row) {
  row.point.power_kind =
      read_word(SweepColumn::power_kind, power_kind_, PowerKind::instant, parse_power_kind);
  row.point.limited_by = read_word(SweepColumn::limited_by, limiter_, Limiter::other, parse_limiter);
  if (!has_optional_numbers_) return;
  row.point.power_stderr = watts(read_optional_number(SweepColumn::power_stderr, 0, row));
  row.point.throughput_stderr = read_optional_number(SweepColumn::throughput_stderr, 0, row);
  row.point.requested = watts(read_optional_number(SweepColumn::requested, 0, row));
  row.point.enforced = watts(read_optional_number(SweepColumn::enforced, 0, row));
  // A larger error says that the value may be anything; a row that is not used has no value to compare with.
  const bool used = row.use == RowUse::used;
  if (used && row.point.power_stderr) {
    refuse_outside(row, SweepColumn::power_stderr, row.point.power_stderr->watts(), 0,
                   row.point.power.watts());
  }
  if (used && row.point.throughput_stderr) {
    refuse_outside(row, SweepColumn::throughput_stderr, *row.point.throughput_stderr, 0,
                   row.point.throughput);
  }
  for (const auto& [column, limit] : {std::pair(SweepColumn::requested, row.point.requested),
                                      std::pair(SweepColumn::enforced, row.point.enforced)}) {
    if (limit && limit->watts() > kMostWattsPerGpu) {
      refuse(row, FindingKind::cap_too_high, to_string(column), cell(column),
             "is above 10 kW per GPU; milliwatts?");
    }
  }
}

void SweepRowReader::read_telemetry(SweepRow& row) {
  if (layout_.telemetry.empty()) return;
  row.point.telemetry.reserve(layout_.telemetry.size());
  for (std::size_t i = 0; i < layout_.telemetry.size(); ++i) {
    const TelemetryName& name = *layout_.telemetry[i].name;
    const std::string_view text = splitter_.cells()[layout_.telemetry[i].at];
    std::optional<double>& reading = row.point.telemetry.emplace_back();
    if (text.empty()) continue;
    NumberFault fault = NumberFault::none;
    const double value = numbers_.read(text, fault);
    ++telemetry_counts_[i].readings;
    if (fault == NumberFault::not_finite || fault == NumberFault::not_available) {
      findings_->add(FindingKind::telemetry_missing, row_number_, name.name,
                     [&] { return fmt::format("'{}' counts as missing", shown(text)); });
    } else if (fault != NumberFault::none) {
      refuse_number(row, fault, name.name, text);
    } else if (value < name.lowest || value > name.highest) {
      ++telemetry_counts_[i].impossible;
      findings_->add(FindingKind::telemetry_impossible, row_number_, name.name, [&] {
        return fmt::format("{} is outside {:g} to {:g} {}", shown(text), name.lowest, name.highest,
                           name.unit);
      });
    } else {
      reading = value;
    }
  }
}

// Odd readings one row can show.
void SweepRowReader::note_power(const SweepRow& row) {
  if (row.point.power_kind != PowerKind::mean) {
    findings_->add(FindingKind::power_not_mean, row_number_, to_string(SweepColumn::power_kind), [&] {
      return fmt::format("power_w is the {}, not the mean", to_string(row.point.power_kind));
    });
  }
  bool profiled = false;
  bool all_zero = true;
  for (std::size_t i = 0; i < row.point.telemetry.size(); ++i) {
    const std::optional<double>& reading = row.point.telemetry[i];
    if (!layout_.telemetry[i].name->profiling || !reading) continue;
    profiled = true;
    all_zero = all_zero && *reading == 0;
  }
  if (profiled && all_zero) {
    findings_->add(FindingKind::profiling_zero, row_number_, "",
                   [] { return "every profiling counter reads 0 while the job ran"; });
  }
}

void SweepRowReader::finish() {
  if (numbers_.comma_in_doubt()) {
    findings_->add(FindingKind::thousands_mark, first_doubtful_row_, "", [] {
      return "numbers like '1,234': thousands mark or decimal comma? Nothing in the file tells";
    });
  } else if (numbers_.uses_decimal_comma()) {
    findings_->add(FindingKind::decimal_commas, 0, "", [] { return "numbers have decimal commas"; });
  }
  for (std::size_t i = 0; i < telemetry_counts_.size(); ++i) {
    const TelemetryCount& count = telemetry_counts_[i];
    if (count.trusted()) continue;
    findings_->add(FindingKind::telemetry_not_trusted, 0, layout_.telemetry[i].name->name, [&] {
      return fmt::format("{} of {} readings are impossible, so none is trusted", count.impossible,
                         count.readings);
    });
  }
}

}  // namespace wattflex::ingest
