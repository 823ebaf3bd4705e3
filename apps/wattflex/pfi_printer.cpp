#include "apps/wattflex/pfi_printer.h"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/wattflex/dropped_groups.h"
#include "elasticity/group_name.h"

namespace wattflex::app {
namespace {

using elasticity::Estimate;
using elasticity::Flexibility;
using elasticity::JudgedPoint;
using elasticity::Verdict;
using nlohmann::ordered_json;
using report::Align;

constexpr std::size_t kPageGroups = 500;

ordered_json to_json(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json to_json(const std::optional<elasticity::Interval>& interval) {
  if (!interval) return nullptr;
  return ordered_json::array({to_json(interval->low), to_json(interval->high)});
}

ordered_json reason_json(const Estimate& estimate) {
  return estimate.reason.empty() ? ordered_json(nullptr) : ordered_json(estimate.reason);
}

ordered_json to_json(const JudgedPoint& judged) {
  return {{"cap_w", judged.point.cap.watts()},
          {"power_w", judged.point.power.watts()},
          {"throughput", judged.point.throughput},
          {"power_cut", to_json(judged.power_cut)},
          {"throughput_loss", to_json(judged.throughput_loss)},
          {"ratio", to_json(judged.ratio)},
          {"verdict", to_string(judged.verdict)},
          {"reason", judged.reason}};
}

ordered_json to_json(const SweepGroup& group, const Flexibility& flexibility) {
  ordered_json caps = ordered_json::array();
  ordered_json points = ordered_json::array();
  for (const JudgedPoint& judged : flexibility.points) {
    caps.push_back(judged.point.cap.watts());
    points.push_back(to_json(judged));
  }
  return {{"table", group.id.table},
          {"group", group.id.group},
          {"accelerator", group.id.accelerator},
          {"task", to_string(group.task)},
          {"gpus", group.gpus},
          {"pedigree", to_string(group.pedigree)},
          {"n_points", group.points.size()},
          {"cap_grid_w", std::move(caps)},
          {"pfi", to_json(flexibility.published.value)},
          {"pfi_ci95", to_json(flexibility.published.ci95)},
          {"pfi_reason", reason_json(flexibility.published)},
          {"pfi_guarded", to_json(flexibility.guarded.value)},
          {"pfi_guarded_ci95", to_json(flexibility.guarded.ci95)},
          {"pfi_guarded_reason", reason_json(flexibility.guarded)},
          {"pfi_pooled", to_json(flexibility.pooled.value)},
          {"pfi_pooled_ci95", to_json(flexibility.pooled.ci95)},
          {"pfi_pooled_reason", reason_json(flexibility.pooled)},
          {"pfi_area", to_json(flexibility.area.value)},
          {"pfi_elasticity", to_json(flexibility.elasticity.value)},
          {"ci_source", flexibility.ci_source},
          {"n_used", flexibility.n_used},
          {"n_refused", flexibility.n_refused},
          {"points", std::move(points)}};
}

std::string one_line(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// The elements of an array one level deep, a line each.
std::string lines_of(const ordered_json& array) {
  std::string text;
  for (const ordered_json& element : array) text += (text.empty() ? "\n    " : ",\n    ") + one_line(element);
  return text.empty() ? text : text + "\n  ";
}

// As an element of an array two levels deep.
std::string indented(const ordered_json& document) {
  std::string text = "    ";
  for (const char c : document.dump(2, ' ', false, ordered_json::error_handler_t::replace)) {
    text += c;
    if (c == '\n') text += "    ";
  }
  return text;
}

std::string exact(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}

constexpr const char* kCsvHeader =
    "table,group,accelerator,task,gpus,pedigree,n_points,n_used,n_refused,pfi,pfi_low,pfi_high,pfi_guarded,"
    "pfi_guarded_low,pfi_guarded_high,pfi_pooled,pfi_pooled_low,pfi_pooled_high,pfi_area,pfi_elasticity,"
    "ci_source,reason\n";

std::string csv_row(const SweepGroup& group, const Flexibility& flexibility) {
  std::string row = fmt::format("{},{},{},{},{},{},{},{},{}", report::csv_cell(group.id.table),
                                report::csv_cell(group.id.group), report::csv_cell(group.id.accelerator),
                                to_string(group.task), group.gpus, to_string(group.pedigree),
                                group.points.size(), flexibility.n_used, flexibility.n_refused);
  for (const Estimate* const estimate : {&flexibility.published, &flexibility.guarded, &flexibility.pooled}) {
    row += ',' + exact(estimate->value);
    row += ',' + (estimate->ci95 ? exact(estimate->ci95->low) : "");
    row += ',' + (estimate->ci95 ? exact(estimate->ci95->high) : "");
  }
  row += ',' + exact(flexibility.area.value) + ',' + exact(flexibility.elasticity.value);
  row += ',' + report::csv_cell(flexibility.ci_source) + ',' + report::csv_cell(flexibility.guarded.reason);
  return row + '\n';
}

std::string shown(const Estimate& estimate) {
  if (!estimate.value) return "none";
  if (!estimate.ci95)
    return fmt::format("{:.2f}{}", *estimate.value, estimate.reason.empty() ? "" : " (none)");
  return fmt::format("{:.2f} ({:.2f}..{:.2f})", *estimate.value, estimate.ci95->low, estimate.ci95->high);
}

std::string shown_plainly(const Estimate& estimate) {
  return estimate.value ? fmt::format("{:.3f}", *estimate.value) : "none";
}

// "2 cap not binding, 1 below resolution"
std::string refused_summary(const Flexibility& flexibility) {
  std::map<Verdict, int> counts;
  for (const JudgedPoint& judged : flexibility.points) ++counts[judged.verdict];
  std::string summary;
  for (const auto& [verdict, count] : counts) {
    if (verdict == Verdict::uncapped || verdict == Verdict::used) continue;
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, to_string(verdict));
  }
  return summary;
}

bool shows(const PfiSettings& settings, Definition definition) {
  return settings.definition == definition || settings.definition == Definition::all;
}

report::TextTable empty_page(const PfiSettings& settings) {
  std::vector<report::Column> columns;
  // The first column is repeated where the rest goes on below; the indices stand beside it.
  columns.push_back({"group", "Group", Align::left});
  if (settings.several_tables) columns.push_back({"table", "Table", Align::left});
  if (shows(settings, Definition::ratio)) {
    columns.push_back({"pfi", "PFI published", Align::right});
    columns.push_back({"pfi_guarded", "PFI guarded", Align::right});
    columns.push_back({"pfi_pooled", "PFI pooled", Align::right});
  }
  if (shows(settings, Definition::area)) columns.push_back({"pfi_area", "PFI area", Align::right});
  if (shows(settings, Definition::elasticity)) {
    columns.push_back({"pfi_elasticity", "PFI elasticity", Align::right});
  }
  columns.push_back({"used", "Used", Align::right});
  columns.push_back({"accelerator", "Accelerator", Align::left});
  columns.push_back({"gpus", "GPUs", Align::right});
  columns.push_back({"pedigree", "Pedigree", Align::left});
  columns.push_back({"refused", "Points not used", Align::left});
  return report::TextTable(std::move(columns));
}

std::vector<std::string> page_row(const PfiSettings& settings, const SweepGroup& group,
                                  const Flexibility& flexibility) {
  std::vector<std::string> cells = {group.id.group};
  if (settings.several_tables) cells.push_back(group.id.table);
  if (shows(settings, Definition::ratio)) {
    cells.insert(cells.end(),
                 {shown(flexibility.published), shown(flexibility.guarded), shown(flexibility.pooled)});
  }
  if (shows(settings, Definition::area)) cells.push_back(shown_plainly(flexibility.area));
  if (shows(settings, Definition::elasticity)) cells.push_back(shown_plainly(flexibility.elasticity));
  cells.insert(cells.end(),
               {fmt::format("{} of {}", flexibility.n_used, group.points.size() - 1), group.id.accelerator,
                fmt::format("{}", group.gpus), std::string(to_string(group.pedigree))});
  cells.push_back(flexibility.published.value ? refused_summary(flexibility) : flexibility.published.reason);
  return cells;
}

std::string footer(const PfiSettings& settings) {
  std::string text;
  if (shows(settings, Definition::ratio)) {
    text += "\nPFI above 1: the job loses less throughput than power; below 1: more.";
    if (settings.options.resamples > 0) text += " In brackets: 95 % intervals.";
    text +=
        "\npublished: mean ratio over all capped points; guarded: over used points alone, whose cut and loss"
        "\nexceed their noise (none below two); pooled: sum of their cuts over sum of their losses."
        "\n'-o json' gives the reason for every point.";
  }
  if (shows(settings, Definition::area)) {
    text += "\narea: between throughput and power, both as shares; 0 is proportional, above 0 flexible.";
  }
  if (shows(settings, Definition::elasticity)) {
    text += "\nelasticity: 0 is proportional, 1 throughput independent of power.";
  }
  return text;
}

}  // namespace

void PfiPrinter::begin() {
  if (console_.format() == Format::json) console_.out() << "{\n  \"groups\": [";
  if (console_.format() == Format::csv) console_.out() << kCsvHeader;
}

void PfiPrinter::add(const SweepGroup& group, const Flexibility& flexibility) {
  switch (console_.format()) {
    case Format::json:
      console_.out() << (printed_ == 0 ? "\n" : ",\n") << indented(to_json(group, flexibility));
      break;
    case Format::csv:
      console_.out() << csv_row(group, flexibility);
      break;
    case Format::table:
      if (!page_) page_ = empty_page(settings_);
      page_->add_row(page_row(settings_, group, flexibility));
      if (page_->size() == kPageGroups) print_page();
      break;
  }
  ++printed_;
}

void PfiPrinter::finish(const PfiEnd& end) {
  if (console_.format() == Format::json) {
    console_.out() << "\n  ],\n  \"left_out\": [" << lines_of(dropped_json(end.left_out))
                   << "],\n  \"warnings\": [" << lines_of(end.warnings)
                   << "],\n  \"status\": " << one_line(end.status) << "\n}\n";
  }
  print_page();
  say_dropped(end.left_out, console_);
  console_.say(footer(settings_));
}

void PfiPrinter::print_page() {
  if (page_) console_.print(*page_);
  page_.reset();
}

}  // namespace wattflex::app
