#include "report/cut_figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/counted.h"

namespace wattflex::report {
namespace {

using allocate::Policy;

Ink ink_of(Policy policy) {
  switch (policy) {
    case Policy::equal:
      return Ink::text;
    case Policy::moe_ft:
      return Ink::purple;
    case Policy::pfi:
      return Ink::vermillion;
    case Policy::pfi_scaled:
      return Ink::orange;
    case Policy::dram:
      return Ink::green;
    case Policy::oracle:
      return Ink::blue;
  }
  std::unreachable();
}

std::string pedigree_of(const CutStudy& study) {
  return fmt::format(
      "{}; throughput under a cut is read from each job's measured curve; promises of tiers are not enforced",
      study.pedigree);
}

Axis cut_axis(const CutStudy& study) {
  return {.title = "Power cut, share of the uncapped draw",
          .kind = AxisKind::share,
          .low = 0,
          .high = study.cuts.back()};
}

Series line_of(const CutStudy& study, const PolicyCost& cost) {
  Series series{.name = std::string(label(cost.policy)), .mark = Mark::line, .ink = ink_of(cost.policy)};
  if (cost.policy != Policy::equal && cost.policy != Policy::oracle) series.stroke = Stroke::thin;
  series.label = series.name;
  for (std::size_t i = 0; i < study.cuts.size(); ++i)
    series.samples.push_back({.x = study.cuts[i], .y = cost.kept[i]});
  return series;
}

// Worth a line of its own: equal sharing itself, and what differs from it.
bool is_shown(const CutStudy& study, const PolicyCost& cost) {
  return cost.policy == Policy::equal || !same_as_equal(study, cost);
}

// From the asked cut up to the curve and across to the axis, as on a nomogram.
Series reading(const CutStudy& study, double kept, double floor) {
  return {.name = "asked for",
          .mark = Mark::line,
          .ink = Ink::blue,
          .stroke = Stroke::dotted,
          .samples = {{.x = study.asked, .y = floor}, {.x = study.asked, .y = kept}, {.x = 0, .y = kept}}};
}

// The lowest point of the figure: of the proportional line, or of a policy that does still worse.
double least_shown(const CutStudy& study) {
  double least = 1 - study.cuts.back();
  for (const PolicyCost& cost : study.policies) {
    if (is_shown(study, cost)) least = std::min(least, std::ranges::min(cost.kept));
  }
  return std::max(0.0, least);
}

}  // namespace

Figure cost_of_cuts(const CutStudy& study) {
  const auto best = study.kept(study.oracle(), study.asked);
  const double floor = std::floor(20 * least_shown(study)) / 20;
  Figure figure{
      .id = "cost-of-cuts",
      .title = study.jobs == 1 ? fmt::format("What a power cut costs this {}-GPU job", study.gpus)
                               : fmt::format("What a power cut costs {} on {}", counted(study.jobs, "job"),
                                             counted(study.gpus, "GPU")),
      .subtitle = fmt::format(
          "Share of throughput kept when less than the uncapped {:.1f} kW may be drawn{}. "
          "Dashed: throughput falls as fast as power.",
          study.uncapped.watts() / 1000, study.jobs == 1 ? "" : ", by the policy that divides the cut"),
      .pedigree = pedigree_of(study),
      .panel_height = 400};
  Panel panel{
      .x = cut_axis(study),
      .y = {.title = study.jobs == 1 ? "Throughput kept" : "Throughput kept, weighted by GPUs and value",
            .kind = AxisKind::share,
            .low = floor,
            .high = 1}};
  panel.series.push_back({.name = "proportional",
                          .mark = Mark::line,
                          .ink = Ink::muted,
                          .stroke = Stroke::dashed,
                          .samples = {{.x = 0, .y = 1}, {.x = study.cuts.back(), .y = 1 - study.cuts.back()}},
                          .label = "proportional"});
  if (best) panel.series.push_back(reading(study, *best, floor));
  for (const PolicyCost& cost : study.policies) {
    if (study.jobs > 1 ? is_shown(study, cost) : cost.policy == Policy::oracle)
      panel.series.push_back(line_of(study, cost));
  }
  if (study.jobs == 1) panel.series.back().label = "measured curve";
  if (best) {
    panel.series.push_back({.name = "at the cut asked for",
                            .mark = Mark::points,
                            .ink = Ink::blue,
                            .samples = {{.x = study.asked, .y = *best}},
                            .label = fmt::format("{:g} % less power, {:.1f} % less work",
                                                 std::round(1e4 * study.asked) / 100, 100 * (1 - *best))});
  }
  figure.panels = {panel};
  return figure;
}

Figure gain_over_equal(const CutStudy& study) {
  Figure figure{
      .id = "gain-over-equal",
      .title = "Against equal sharing, in points of throughput",
      .subtitle =
          "Above zero a policy keeps more throughput than cutting every job by the same share. Nothing can "
          "rise above the optimum, which knows every curve.",
      .pedigree = pedigree_of(study),
      .panel_height = 280};
  Panel panel{.x = cut_axis(study), .y = {.title = "Points of throughput kept, against equal sharing"}};
  for (const PolicyCost& cost : study.policies) {
    if (!is_shown(study, cost)) continue;
    Series series = line_of(study, cost);
    series.stroke = cost.policy == Policy::equal ? Stroke::dashed : Stroke::solid;
    for (std::size_t i = 0; i < study.cuts.size(); ++i)
      series.samples[i].y = 100 * (cost.kept[i] - study.equal().kept[i]);
    panel.series.push_back(std::move(series));
  }
  figure.panels = {panel};
  return figure;
}

}  // namespace wattflex::report
