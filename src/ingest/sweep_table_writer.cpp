#include "ingest/sweep_table_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace wattflex {
namespace {

std::string quoted(std::string_view text) {
  const bool plain = text.find_first_of(",;\t\"") == std::string_view::npos && !text.starts_with('#') &&
                     !text.starts_with(' ') && !text.ends_with(' ');
  if (plain) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

// The shortest text that reads back as the same double.
std::string number(double value) {
  return fmt::format("{}", value);
}

std::string watts(const std::optional<Power>& power) {
  return power ? number(power->watts()) : "";
}

struct WrittenColumn {
  std::string name;
  std::function<std::string(const SweepGroup&, const SweepPoint&)> cell;
};

using Written = std::vector<WrittenColumn>;

Written required_columns() {
  return {
      {"group", [](const SweepGroup& group, const SweepPoint&) { return quoted(group.id.group); }},
      {"gpus", [](const SweepGroup& group, const SweepPoint&) { return std::to_string(group.gpus); }},
      {"cap_w", [](const SweepGroup&, const SweepPoint& point) { return number(point.cap.watts()); }},
      {"power_w", [](const SweepGroup&, const SweepPoint& point) { return number(point.power.watts()); }},
      {"throughput", [](const SweepGroup&, const SweepPoint& point) { return number(point.throughput); }},
  };
}

Written optional_columns() {
  return {
      {"accelerator",
       [](const SweepGroup& group, const SweepPoint&) { return quoted(group.id.accelerator); }},
      {"arch",
       [](const SweepGroup& group, const SweepPoint&) {
         return group.architecture == Architecture::unknown ? "" : std::string(to_string(group.architecture));
       }},
      {"task",
       [](const SweepGroup& group, const SweepPoint&) {
         return group.task == Task::unknown ? "" : std::string(to_string(group.task));
       }},
      {"model", [](const SweepGroup& group, const SweepPoint&) { return quoted(group.model); }},
      {"pedigree",
       [](const SweepGroup& group, const SweepPoint&) {
         return group.pedigree == Pedigree::measured ? "" : std::string(to_string(group.pedigree));
       }},
      {"power_stderr", [](const SweepGroup&, const SweepPoint& point) { return watts(point.power_stderr); }},
      {"throughput_stderr",
       [](const SweepGroup&, const SweepPoint& point) {
         return point.throughput_stderr ? number(*point.throughput_stderr) : "";
       }},
      {"requested_w", [](const SweepGroup&, const SweepPoint& point) { return watts(point.requested); }},
      {"enforced_w", [](const SweepGroup&, const SweepPoint& point) { return watts(point.enforced); }},
      {"limited_by",
       [](const SweepGroup&, const SweepPoint& point) {
         return point.limited_by == Limiter::unstated ? "" : std::string(to_string(point.limited_by));
       }},
      {"power_kind",
       [](const SweepGroup&, const SweepPoint& point) {
         return point.power_kind == PowerKind::mean ? "" : std::string(to_string(point.power_kind));
       }},
  };
}

bool used(const WrittenColumn& column, const SweepTable& table) {
  return std::ranges::any_of(table.groups, [&](const SweepGroup& group) {
    return std::ranges::any_of(group.points,
                               [&](const SweepPoint& point) { return !column.cell(group, point).empty(); });
  });
}

Written columns_of(const SweepTable& table) {
  Written columns = required_columns();
  for (WrittenColumn& column : optional_columns()) {
    if (used(column, table)) columns.push_back(std::move(column));
  }
  for (std::size_t i = 0; i < table.telemetry_columns.size(); ++i) {
    columns.push_back({table.telemetry_columns[i], [i](const SweepGroup&, const SweepPoint& point) {
                         const bool known = i < point.telemetry.size() && point.telemetry[i];
                         return known ? number(*point.telemetry[i]) : std::string();
                       }});
  }
  return columns;
}

}  // namespace

std::string write_sweep_table(const SweepTable& table) {
  const Written columns = columns_of(table);
  std::string text;
  for (const WrittenColumn& column : columns) text += (text.empty() ? "" : ",") + column.name;
  text += '\n';
  for (const SweepGroup& group : table.groups) {
    for (const SweepPoint& point : group.points) {
      std::string line;
      for (const WrittenColumn& column : columns) {
        if (&column != &columns.front()) line += ',';
        line += column.cell(group, point);
      }
      text += line + '\n';
    }
  }
  return text;
}

}  // namespace wattflex
