#include "ingest/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

#include "base/parse.h"
#include "ingest/telemetry_names.h"

namespace wattflex {
namespace {

using Cells = std::map<std::string, std::string, std::less<>>;

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

class Row {
 public:
  Row(std::string place, Cells cells) : place_(std::move(place)), cells_(std::move(cells)) {}

  std::string_view text(std::string_view column) const {
    const auto found = cells_.find(column);
    return found == cells_.end() ? std::string_view() : found->second;
  }
  Result<double> positive(std::string_view column) const {
    const auto value = parse_number(text(column));
    if (!value || *value <= 0) {
      return fail(ErrorKind::refused,
                  fmt::format("{}, column {}: '{}' is not a positive number", place_, column, text(column)),
                  "write a plain decimal number, e.g. 412.5");
    }
    return *value;
  }
  std::optional<double> optional(std::string_view column) const { return parse_number(text(column)); }

 private:
  std::string place_;
  Cells cells_;
};

std::optional<Power> watts(std::optional<double> value) {
  return value ? std::optional(Power::from_watts(*value)) : std::nullopt;
}

Result<SweepPoint> point_of(const Row& row, const std::vector<std::string>& telemetry) {
  const auto cap = row.positive("cap_w");
  if (!cap) return std::unexpected(cap.error());
  const auto power = row.positive("power_w");
  if (!power) return std::unexpected(power.error());
  const auto throughput = row.positive("throughput");
  if (!throughput) return std::unexpected(throughput.error());
  SweepPoint point;
  point.cap = Power::from_watts(*cap);
  point.power = Power::from_watts(*power);
  point.throughput = *throughput;
  point.power_stderr = watts(row.optional("power_stderr"));
  point.throughput_stderr = row.optional("throughput_stderr");
  point.requested = watts(row.optional("requested_w"));
  point.enforced = watts(row.optional("enforced_w"));
  point.limited_by = parse_limiter(row.text("limited_by")).value_or(Limiter::other);
  point.power_kind = parse_power_kind(row.text("power_kind")).value_or(PowerKind::instant);
  for (const std::string& column : telemetry) point.telemetry.push_back(row.optional(column));
  return point;
}

SweepGroup& group_of(SweepTable& table, const Row& row) {
  const GroupId id{table.name, std::string(row.text("group")), std::string(row.text("accelerator"))};
  const auto found = std::ranges::find(table.groups, id, &SweepGroup::id);
  if (found != table.groups.end()) return *found;
  SweepGroup group;
  group.id = id;
  group.architecture = parse_architecture(row.text("arch")).value_or(Architecture::unknown);
  group.task = parse_task(row.text("task")).value_or(Task::unknown);
  group.model = row.text("model");
  group.pedigree = parse_pedigree(row.text("pedigree")).value_or(Pedigree::measured);
  group.gpus = static_cast<int>(row.optional("gpus").value_or(1));
  table.groups.push_back(std::move(group));
  return table.groups.back();
}

}  // namespace

Result<SweepTable> parse_sweep_table(std::string_view text, const std::string& name) {
  SweepTable table;
  table.name = std::filesystem::path(name).stem().string();
  std::istringstream lines{std::string(text)};
  std::vector<std::string> header;
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    const auto cells = split(line);
    if (header.empty()) {
      header = cells;
      for (const std::string& column : header) {
        if (find_telemetry_name(column) != nullptr) table.telemetry_columns.push_back(column);
      }
      continue;
    }
    const std::string place = fmt::format("{}, row {}", name, number);
    if (cells.size() != header.size()) {
      return fail(ErrorKind::refused,
                  fmt::format("{}: {} cells for {} columns", place, cells.size(), header.size()),
                  "separate cells by commas, with a point as decimal mark");
    }
    Cells named;
    for (std::size_t i = 0; i < cells.size(); ++i) named[header[i]] = cells[i];
    const Row row(place, std::move(named));
    auto point = point_of(row, table.telemetry_columns);
    if (!point) return std::unexpected(point.error());
    point->row = number;
    group_of(table, row).points.push_back(*std::move(point));
  }
  if (table.groups.empty())
    return fail(ErrorKind::no_data, name + ": no rows", "see 'wattflex check --template'");
  for (SweepGroup& group : table.groups) {
    std::ranges::stable_sort(group.points, std::greater(), &SweepPoint::cap);
  }
  return table;
}

Result<SweepTable> read_sweep_table(const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return fail(ErrorKind::io, path + ": cannot be opened", "check the path");
  }
  std::istream& in = path == "-" ? std::cin : file;
  return parse_sweep_table(std::string(std::istreambuf_iterator<char>(in), {}), path == "-" ? "stdin" : path);
}

}  // namespace wattflex
