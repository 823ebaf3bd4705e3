#include "ingest/fleet_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <unordered_set>

#include "base/counted.h"
#include "base/parse.h"
#include "ingest/cell_text.h"
#include "ingest/csv_cells.h"
#include "ingest/number_reader.h"
#include "ingest/sweep_rows.h"
#include "ingest/table_lines.h"
#include "ingest/utf8.h"

namespace wattflex {
namespace ingest {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"job", "group", "gpus", "tier", "value", "accelerator"};
constexpr std::size_t kRequired = 3;  // of kNames, from the front

class FleetReader {
 public:
  FleetReader(TextSource& source, Findings& findings) : lines_(source, findings), findings_(findings) {
    fleet_.name = table_name(source.name());
    fleet_.file = source.name();
  }

  Result<Fleet> read();

 private:
  enum FleetColumn : std::uint8_t { job, group, gpus, tier, value, accelerator };  // as in kNames

  bool read_header();
  void read_row();
  std::string_view cell(FleetColumn column) const;
  std::string name(FleetColumn column);
  double number(FleetColumn column, double least, double most);
  void refuse(FindingKind kind, FleetColumn column, std::string_view problem);

  const Line& line() const { return lines_.line(); }

  TableLines lines_;
  Findings& findings_;
  Fleet fleet_;
  std::array<std::optional<std::size_t>, kNames.size()> at_;
  std::size_t cell_count_ = 0;
  std::optional<CellSplitter> splitter_;
  std::optional<NumberReader> numbers_;
  std::unordered_set<std::string> names_;
};

char separator_of(std::string_view header) {
  return std::ranges::max({',', ';', '\t'}, {}, [&](char c) { return std::ranges::count(header, c); });
}

bool FleetReader::read_header() {
  splitter_.emplace(separator_of(line().text));
  numbers_.emplace(separator_of(line().text));
  if (!splitter_->split(line().text)) {
    findings_.add(FindingKind::open_quote, line().number, "",
                  [] { return "a quote in the header is not closed"; });
    return false;
  }
  cell_count_ = splitter_->cells().size();
  for (std::size_t i = 0; i < cell_count_; ++i) {
    const std::string column = lower_case(splitter_->cells()[i]);
    const auto* const known = std::ranges::find(kNames, column);
    if (known == kNames.end()) {
      findings_.add(FindingKind::unexpected_column, line().number, shown(column),
                    [] { return "this column is not part of a fleet"; });
      continue;
    }
    std::optional<std::size_t>& at = at_[static_cast<std::size_t>(known - kNames.begin())];
    if (at) {
      findings_.add(FindingKind::duplicate_column, line().number, column,
                    [] { return "this column is there twice"; });
    }
    at = i;
  }
  for (std::size_t i = 0; i < kRequired; ++i) {
    if (at_[i]) continue;
    findings_.add(FindingKind::missing_column, line().number, kNames[i],
                  [] { return "this column is missing"; });
  }
  return findings_.errors() == 0;
}

std::string_view FleetReader::cell(FleetColumn column) const {
  return at_[column] ? splitter_->cells()[*at_[column]] : std::string_view();
}

void FleetReader::refuse(FindingKind kind, FleetColumn column, std::string_view problem) {
  findings_.add(kind, line().number, kNames[column], [&] {
    return cell(column).empty() ? std::string(problem) : fmt::format("'{}' {}", shown(cell(column)), problem);
  });
}

std::string FleetReader::name(FleetColumn column) {
  const std::string_view text = cell(column);
  if (text.empty() && column != accelerator) refuse(FindingKind::missing_value, column, "is empty");
  if (text.size() > kMostNameBytes || !is_plain_text(text)) {
    refuse(FindingKind::bad_name, column, "is no name");
  }
  return std::string(text);
}

double FleetReader::number(FleetColumn column, double least, double most) {
  NumberFault fault = NumberFault::none;
  const double number = numbers_->read(cell(column), fault);
  if (fault != NumberFault::none) {
    refuse(text_of(fault).kind, column, text_of(fault).problem);
  } else if (!(number > 0)) {
    refuse(FindingKind::not_positive, column, "must be above zero");
  } else if (number < least || number > most) {
    refuse(FindingKind::implausible, column, fmt::format("is outside {:g} to {:g}", least, most));
  }
  return number;
}

void FleetReader::read_row() {
  if (line().has_nul) {
    findings_.add(FindingKind::not_text, line().number, "", [] { return "holds a NUL byte"; });
    return;
  }
  const bool closed = splitter_->split(line().text);
  const std::size_t count = splitter_->cells().size();
  if (!closed || count != cell_count_) {
    findings_.add(closed ? FindingKind::cell_count : FindingKind::open_quote, line().number, "", [&] {
      return closed ? fmt::format("{} for {}", counted(count, "cell"), counted(cell_count_, "column"))
                    : "a quote is not closed";
    });
    return;
  }
  FleetJob entry;
  entry.row = line().number;
  entry.job = name(job);
  entry.group = name(group);
  entry.accelerator = name(accelerator);
  const double gpu_count = number(gpus, 1, kMostGpus);
  if (gpu_count != std::floor(gpu_count)) {
    refuse(FindingKind::not_whole, gpus, "is not a number of GPUs");
  } else if (gpu_count <= kMostGpus) {
    entry.gpus = static_cast<int>(gpu_count);
  }
  if (const auto parsed = parse_flex_tier(cell(tier))) {
    entry.tier = *parsed;
  } else {
    refuse(FindingKind::bad_tier, tier, "is no tier");
  }
  if (!cell(value).empty()) entry.value = number(value, kLeastValue, kMostValue);
  if (!names_.insert(entry.job).second) refuse(FindingKind::duplicate_job, job, "is there twice");
  fleet_.jobs.push_back(std::move(entry));
}

// Every row counts here, the last one too: a fleet with a job missing would be planned wrongly, so a cut last
// row is refused and not left out as in a sweep table.
Result<Fleet> FleetReader::read() {
  const auto usable = lines_.open();
  if (!usable) return std::unexpected(usable.error());
  if (!*usable || !read_header()) return std::move(fleet_);
  for (;;) {
    const auto more = lines_.next();
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    if (fleet_.jobs.size() == kMostFleetJobs) {
      findings_.add(FindingKind::too_many_jobs, line().number, "",
                    [] { return fmt::format("more than {} million jobs", kMostFleetJobs / 1'000'000); });
      break;
    }
    read_row();
  }
  if (fleet_.jobs.empty() && findings_.errors() == 0) {
    findings_.add(FindingKind::no_rows, 0, "", [] { return "the fleet has a header and no jobs"; });
  }
  if (numbers_->comma_in_doubt()) {
    findings_.add(FindingKind::thousands_mark, 0, "", [] {
      return "numbers like '1,234': thousands mark or decimal comma? Nothing in the file tells";
    });
  }
  if (!line().terminated) {
    findings_.add(FindingKind::no_last_newline, line().number, "",
                  [] { return "the file ends without a newline; if it was cut, this row is wrong"; });
  }
  lines_.finish();
  return std::move(fleet_);
}

Result<Fleet> read_whole(TextSource source) {
  Findings findings(FileKind::fleet);
  auto fleet = check_fleet(source, findings);
  if (!fleet) return fleet;
  if (findings.errors() > 0) return std::unexpected(findings.to_error(source.name()));
  fleet->warnings = findings.warning_lines(source.name());
  return fleet;
}

}  // namespace

Result<Fleet> check_fleet(TextSource& source, Findings& findings) {
  return FleetReader(source, findings).read();
}

bool looks_like_fleet(std::string_view header) {
  CellSplitter splitter(separator_of(header));
  if (!splitter.split(header)) return false;
  const auto has = [&](std::string_view column) {
    return std::ranges::any_of(splitter.cells(),
                               [&](std::string_view cell) { return lower_case(cell) == column; });
  };
  return has("job") && !has("cap_w");
}

}  // namespace ingest

Result<Fleet> read_fleet(const std::string& path) {
  auto source = ingest::TextSource::open(path);
  if (!source) return std::unexpected(source.error());
  return ingest::read_whole(*std::move(source));
}

Result<Fleet> parse_fleet(std::string_view text, const std::string& name) {
  return ingest::read_whole(ingest::TextSource::of_text(text, name));
}

}  // namespace wattflex
