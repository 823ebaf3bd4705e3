#include "report/report_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/curve_figures.h"

namespace wattflex::report {
namespace {

using elasticity::Estimate;

constexpr const char* kNone = "none";

std::string number(const Estimate& estimate, int decimals = 2) {
  return estimate.value ? fmt::format("{:.{}f}", *estimate.value, decimals) : kNone;
}

std::string with_interval(const Estimate& estimate) {
  if (!estimate.value || !estimate.ci95) return number(estimate);
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", *estimate.value, estimate.ci95->low, estimate.ci95->high);
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "";
}

std::string kind_of(const SweepGroup& group) {
  std::string kind;
  if (group.architecture != Architecture::unknown) kind = std::string(to_string(group.architecture)) + " ";
  if (group.task != Task::unknown) kind += to_string(group.task);
  return kind;
}

std::vector<double> cuts_shown(const CutStudy& study) {
  std::vector<double> cuts = {0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.40, study.asked};
  std::ranges::sort(cuts);
  const auto same = std::ranges::unique(cuts, [](double a, double b) { return std::abs(a - b) < 1e-9; });
  cuts.erase(same.begin(), same.end());
  std::erase_if(cuts, [&](double cut) { return cut <= 0 || cut > study.cuts.back() + 1e-9; });
  return cuts;
}

}  // namespace

Table groups_table(const Evidence& evidence) {
  Table table{
      .title = "All groups",
      .note =
          "From the most flexible to the least. The small curve is throughput over draw, both as shares of "
          "uncapped; brackets are 95 % intervals.",
      .columns = {{"group", "Group", Align::left},
                  {"kind", "Job", Align::left},
                  {"accelerator", "Accelerator", Align::left},
                  {"gpus", "GPUs"},
                  {"power", "Draw per GPU, W"},
                  {"curve", "Curve"},
                  {"pfi", "PFI as published"},
                  {"guarded", "guarded"},
                  {"pooled", "pooled"},
                  {"area", "Area"},
                  {"elasticity", "1 - a"},
                  {"used", "Points used"},
                  {"class", "Class", Align::left}}};
  for (const GroupEvidence& each : evidence.groups) {
    const SweepGroup& group = *each.group;
    const elasticity::Flexibility& index = each.flexibility;
    table.rows.push_back({{each.name},
                          {kind_of(group)},
                          {group.id.accelerator},
                          {std::to_string(group.gpus)},
                          {fmt::format("{:.0f}", group.uncapped().power.watts() / group.gpus)},
                          {.text = "", .curve = spark_of(each)},
                          {with_interval(index.published)},
                          {with_interval(index.guarded)},
                          {number(index.pooled)},
                          {number(index.area, 3)},
                          {number(index.elasticity)},
                          {fmt::format("{} of {}", index.n_used, index.n_used + index.n_refused)},
                          {std::string(to_string(each.classification.elasticity))}});
  }
  return table;
}

Table verdicts_table(const Evidence& evidence) {
  Table table{.title = "Every point and its verdict",
              .note = "A point counts for the guarded index when both its losses exceed twice their error.",
              .columns = {{"group", "Group", Align::left},
                          {"cap_w", "Cap, W"},
                          {"power_w", "Draw, W"},
                          {"throughput", "Throughput"},
                          {"power_cut", "Draw cut"},
                          {"throughput_loss", "Throughput lost"},
                          {"ratio", "Ratio"},
                          {"verdict", "Verdict", Align::left},
                          {"reason", "Reason", Align::left}},
              .folded = true};
  for (const GroupEvidence& each : evidence.groups) {
    for (const elasticity::JudgedPoint& point : each.flexibility.points) {
      if (table.rows.size() == kMostPointRows) {
        table.note += fmt::format(" The first {} points; 'wattflex pfi -o json' has all.", kMostPointRows);
        return table;
      }
      table.rows.push_back({{each.name},
                            {fmt::format("{:g}", point.point.cap.watts())},
                            {fmt::format("{:.1f}", point.point.power.watts())},
                            {fmt::format("{:.5g}", point.point.throughput)},
                            {percent(point.power_cut)},
                            {percent(point.throughput_loss)},
                            {point.ratio ? fmt::format("{:.2f}", *point.ratio) : ""},
                            {std::string(to_string(point.verdict))},
                            {point.reason}});
    }
  }
  return table;
}

Table policies_table(const CutStudy& study) {
  Table table{.title = "Throughput kept, by policy and cut",
              .note = "Weighted by GPUs and value. Blue: better than equal sharing; orange: worse.",
              .columns = {{"policy", "Policy", Align::left}}};
  const std::vector<double> cuts = cuts_shown(study);
  for (const double cut : cuts) {
    table.columns.push_back({"kept", fmt::format("{:g} % cut", std::round(1e4 * cut) / 100)});
  }
  for (const PolicyCost& cost : study.policies) {
    std::vector<Cell> row = {{std::string(display_name(cost.policy))}};
    for (const double cut : cuts) {
      const double kept = study.kept(cost, cut).value_or(0);
      const double gain = kept - study.kept(study.equal(), cut).value_or(0);
      row.push_back(
          {.text = fmt::format("{:.2f} %", 100 * kept), .tint = std::abs(gain) < 5e-5 ? 0 : 100 * gain});
    }
    table.rows.push_back(std::move(row));
  }
  for (const std::string& refusal : study.refused) table.note += " Not shown, " + refusal + ".";
  return table;
}

}  // namespace wattflex::report
