#include "report/report_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/curve_figures.h"
#include "report/display_text.h"

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

// The optimum first, then equal sharing and the policies that differ from it. Of a lone job all are one.
std::vector<std::size_t> plans_shown(const CutStudy& study) {
  std::vector<std::size_t> shown = {study.plans.size() - 1};
  for (std::size_t p = 0; study.jobs > 1 && p + 1 < study.plans.size(); ++p) {
    if (p == 0 || !same_as_equal(study, study.policies[p])) shown.push_back(p);
  }
  return shown;
}

}  // namespace

Table groups_table(const Evidence& evidence) {
  Table table{.title = "All groups",
              .note =
                  "By the lower end of the guarded index's interval, the surest flexible first. The small "
                  "curve is throughput over draw, both as shares of "
                  "uncapped; brackets are 95 % intervals.",
              .columns = {{"group", "Group", Align::left},
                          {"class", "Class", Align::left},
                          {"kind", "Job", Align::left},
                          {"curve", "Curve"},
                          {"guarded", "PFI, guarded"},
                          {"pfi", "PFI, as published"},
                          {"pooled", "pooled"},
                          {"area", "Area"},
                          {"elasticity", "Elasticity, 1 - a"},
                          {"used", "Points used"},
                          {"gpus", "GPUs"},
                          {"power", "W per GPU"},
                          {"accelerator", "Accelerator", Align::left}}};
  for (const GroupEvidence& each : evidence.groups) {
    const SweepGroup& group = *each.group;
    const elasticity::Flexibility& index = each.flexibility;
    table.rows.push_back({{each.name},
                          {std::string(to_string(each.classification.elasticity))},
                          {kind_of(group)},
                          {.text = "", .curve = spark_of(each)},
                          {with_interval(index.guarded)},
                          {with_interval(index.published)},
                          {number(index.pooled)},
                          {number(index.area, 3)},
                          {number(index.elasticity)},
                          {fmt::format("{} of {}", index.n_used, index.n_used + index.n_refused)},
                          {std::to_string(group.gpus)},
                          {fmt::format("{:.0f}", group.uncapped().power.watts() / group.gpus)},
                          {group.id.accelerator}});
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
  Table table{.title = "Throughput kept, by cut", .note = "", .columns = {{"policy", "Policy", Align::left}}};
  if (study.jobs > 1)
    table.note = "Weighted by GPUs and value. Blue: better than equal sharing; orange: worse.";
  const std::vector<double> cuts = cuts_shown(study);
  for (const double cut : cuts) table.columns.push_back({"kept", cut_text(cut) + " cut"});
  for (const PolicyCost& cost : study.policies) {
    if (study.jobs == 1 && cost.policy != allocate::Policy::oracle) continue;
    std::vector<Cell> row = {{study.jobs == 1 ? "measured curve" : std::string(label(cost.policy))}};
    for (const double cut : cuts) {
      const double kept = study.kept(cost, cut).value_or(0);
      const double gain = kept - study.kept(study.equal(), cut).value_or(0);
      row.push_back(
          {.text = fmt::format("{:.2f} %", 100 * kept), .tint = std::abs(gain) < 5e-5 ? 0 : 100 * gain});
    }
    table.rows.push_back(std::move(row));
  }
  if (study.jobs == 1) return table;
  for (const std::string& refusal : study.refused) table.note += " Not shown, " + refusal + ".";
  return table;
}

Table expectations_table(const CutStudy& study) {
  Table table{.title = fmt::format("What to expect at a {} cut", cut_text(study.asked)),
              .note =
                  "A plan made on noisy curves promises too much: the best of noisy rows is picked. The "
                  "expectation takes that off; brackets are 95 % intervals, from making the plan anew on "
                  "resampled sweeps. A gain whose interval holds 0 shows no difference.",
              .columns = {{"policy", "Policy", Align::left},
                          {"gain", "Gain over equal, points"},
                          {"expected", "To expect"},
                          {"promise", "Curves promise"}}};
  for (const std::size_t p : plans_shown(study)) {
    const PlanAtCut& plan = study.plans[p];
    const auto& [kept, gain, reason] = plan.certainty;
    const bool equal = plan.policy == allocate::Policy::equal;
    const double side = gain && plan.certainty.differs_from_equal() ? (gain->expected > 0 ? 1.0 : -1.0) : 0.0;
    Cell over_equal{.text = equal ? "" : kNone, .tint = side};
    if (gain && !equal) {
      over_equal.text = fmt::format("{} ({}..{})", points_text(gain->expected), points_text(gain->ci95.low),
                                    points_text(gain->ci95.high));
    }
    table.rows.push_back({{std::string(label(plan.policy))},
                          std::move(over_equal),
                          {kept ? fmt::format("{:.1f} % ({:.1f}..{:.1f})", 100 * kept->expected,
                                              100 * kept->ci95.low, 100 * kept->ci95.high)
                                : kNone},
                          {fmt::format("{:.2f} %", 100 * plan.normalized)}});
  }
  if (!study.plans.back().certainty.kept)
    table.note += " None here: " + study.plans.back().certainty.reason + ".";
  return table;
}

Table jobs_table(const CutStudy& study) {
  const bool one = study.jobs == 1;
  Table table{
      .title = one ? fmt::format("The cap for a {} cut", cut_text(study.asked))
                   : fmt::format("Caps at a {} cut", cut_text(study.asked)),
      .note =
          one ? "The cap per GPU in whole watts, and the share of its throughput the job keeps."
              : "Per job and policy: the cap per GPU in whole watts, and the share of its throughput the job "
                "keeps.",
      .columns = {{"job", "Job", Align::left}}};
  const std::vector<std::size_t> shown = plans_shown(study);
  for (const std::size_t p : shown)
    table.columns.push_back({"kept", one ? "Cap, kept" : std::string(label(study.plans[p].policy))});
  table.columns.push_back({"gpus", "GPUs"});
  table.columns.push_back({"tier", "Promise", Align::left});
  table.columns.push_back({"pfi", study.predicted ? "PFI, predicted" : "PFI"});
  bool broken = false;
  for (const JobAtCut& job : study.job_plans) {
    std::vector<Cell> row = {{job.job == job.group ? job.job : fmt::format("{} ({})", job.job, job.group)}};
    for (const std::size_t p : shown) {
      const allocate::PlannedJob& planned = job.planned[p];
      const bool kept = planned.promise_kept.value_or(true);
      broken = broken || !kept;
      row.push_back({.text = fmt::format("{} W, {:.1f} %{}", cap_text(planned.cap), 100 * planned.kept,
                                         kept ? "" : " !")});
    }
    row.push_back({std::to_string(job.gpus)});
    row.push_back({std::string(to_string(job.tier))});
    row.push_back({job.pfi ? fmt::format("{:.2f}", *job.pfi) : kNone});
    table.rows.push_back(std::move(row));
  }
  if (broken) table.note += " An exclamation mark: below the job's promise while the cut lasts.";
  return table;
}

}  // namespace wattflex::report
