#include "report/index_figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "base/counted.h"
#include "report/display_text.h"
#include "stats/correlation.h"
#include "stats/descriptive.h"

namespace wattflex::report {
namespace {

using elasticity::Estimate;
using elasticity::Flexibility;

std::optional<Range> interval_of(const Estimate& estimate) {
  if (!estimate.ci95) return std::nullopt;
  return Range{estimate.ci95->low, estimate.ci95->high};
}

std::string note_on(const GroupEvidence& group, const Estimate& estimate) {
  const std::string interval =
      estimate.ci95 ? fmt::format(" [{:.2f}, {:.2f}]", estimate.ci95->low, estimate.ci95->high) : "";
  return fmt::format("{}: {:.2f}{}", display_text(group.name, 60), *estimate.value, interval);
}

// Where an axis must end so that a few wild values do not squeeze all others: twice as far out as the outer
// fence of the box plot, which lies three interquartile ranges beyond the quartiles (Tukey, "Exploratory Data
// Analysis", 1977).
Range fenced(std::vector<double> values, double always) {
  if (values.empty()) return {0, 2};
  const double q1 = stats::quantile(values, 0.25);
  const double q3 = stats::quantile(values, 0.75);
  const double fence = 6 * std::max(q3 - q1, 0.1);
  const auto [least, most] = std::ranges::minmax(values);
  const Range range{std::min(always, std::max(least, q1 - fence)),
                    std::max(always, std::min(most, q3 + fence))};
  const double air = 0.05 * (range.high - range.low) + 0.02;
  return {range.low - air, range.high + air};
}

// Moves a sample onto the axis' edge when it lies beyond, and cuts its interval there.

Sample clipped(Sample sample, Range range, double Sample::* value, std::optional<Range> Sample::* interval) {
  const auto inside = [&](double v) { return std::clamp(v, range.low, range.high); };
  if (sample.*value != inside(sample.*value)) sample.note += " (beyond the axis)";
  sample.*value = inside(sample.*value);
  if (sample.*interval)
    sample.*interval = Range{inside((sample.*interval)->low), inside((sample.*interval)->high)};
  return sample;
}

// All values of a definition.
std::vector<double> values_of(const Evidence& evidence, Estimate Flexibility::* definition) {
  std::vector<double> values;
  for (const GroupEvidence& each : evidence.groups) {
    if (const auto& value = (each.flexibility.*definition).value) values.push_back(*value);
  }
  return values;
}

// All values and the ends of their intervals.
std::vector<double> reach_of(const Evidence& evidence, Estimate Flexibility::* definition) {
  std::vector<double> values = values_of(evidence, definition);
  for (const GroupEvidence& each : evidence.groups) {
    const auto& interval = (each.flexibility.*definition).ci95;
    if (interval) values.insert(values.end(), {interval->low, interval->high});
  }
  return values;
}

// Then the guarded index is the published one.
bool nothing_refused(const Evidence& evidence) {
  return std::ranges::all_of(evidence.groups,
                             [](const GroupEvidence& each) { return each.flexibility.n_refused == 0; });
}

Series vertical(double x, std::size_t rows) {
  return {.name = "proportional",
          .mark = Mark::line,
          .ink = Ink::muted,
          .stroke = Stroke::dashed,
          .samples = {{.x = x, .y = -0.7}, {.x = x, .y = static_cast<double>(rows) - 0.3}}};
}

// One row a group, the first at the top.
Series dots(const Evidence& evidence, Estimate Flexibility::* definition, Range range, Ink ink,
            double offset) {
  Series series{.name = "", .mark = Mark::points, .ink = ink};
  for (std::size_t i = 0; i < evidence.groups.size(); ++i) {
    const Estimate& estimate = evidence.groups[i].flexibility.*definition;
    if (!estimate.value) continue;
    const double row = static_cast<double>(evidence.groups.size() - 1 - i) + offset;
    series.samples.push_back(clipped({.x = *estimate.value,
                                      .y = row,
                                      .x_range = interval_of(estimate),
                                      .note = note_on(evidence.groups[i], estimate)},
                                     range, &Sample::x, &Sample::x_range));
  }
  return series;
}

Axis rows_axis(const Evidence& evidence, bool named) {
  const std::size_t rows = evidence.groups.size();
  Axis axis{.title = "", .low = -0.7, .high = static_cast<double>(rows) - 0.3};
  for (std::size_t i = 0; i < rows; ++i) {
    axis.ticks.push_back({static_cast<double>(rows - 1 - i), named ? evidence.groups[i].name : ""});
  }
  return axis;
}

Panel rows_panel(const Evidence& evidence) {
  const bool both = !nothing_refused(evidence);
  std::vector<double> values = reach_of(evidence, &Flexibility::guarded);
  if (both) std::ranges::copy(reach_of(evidence, &Flexibility::published), std::back_inserter(values));
  const Range range = fenced(values, 1);
  Panel panel{.x = {.title = "Power Flexibility Index", .low = range.low, .high = range.high},
              .y = rows_axis(evidence, true),
              .series = {vertical(1, evidence.groups.size())}};
  if (both) panel.series.push_back(dots(evidence, &Flexibility::published, range, Ink::orange, -0.17));
  panel.series.push_back(dots(evidence, &Flexibility::guarded, range, Ink::blue, both ? 0.17 : 0));
  return panel;
}

// All intervals side by side, by rank.
Panel ranked_panel(const Evidence& evidence) {
  const Range range = fenced(reach_of(evidence, &Flexibility::guarded), 1);
  Series guarded{.name = "guarded", .mark = Mark::points, .ink = Ink::blue};
  for (const GroupEvidence& each : evidence.groups) {
    const Estimate& estimate = each.flexibility.guarded;
    if (!estimate.value) continue;
    guarded.samples.push_back(clipped({.x = static_cast<double>(guarded.samples.size() + 1),
                                       .y = *estimate.value,
                                       .y_range = interval_of(estimate),
                                       .note = note_on(each, estimate)},
                                      range, &Sample::y, &Sample::y_range));
  }
  const double end = static_cast<double>(guarded.samples.size()) + 1;
  return {.x = {.title = "Groups by the lower end of their interval, highest first", .low = 0, .high = end},
          .y = {.title = "Power Flexibility Index (guarded)", .low = range.low, .high = range.high},
          .series = {{.name = "proportional",
                      .mark = Mark::line,
                      .ink = Ink::muted,
                      .stroke = Stroke::dashed,
                      .samples = {{.x = 0, .y = 1}, {.x = end, .y = 1}}},
                     guarded}};
}

double rows_height(std::size_t rows) {
  return std::max(60.0, 26.0 * static_cast<double>(rows)) + 50;
}

struct Definition {
  const char* title;
  Estimate Flexibility::* estimate;
  double neutral;  // throughput falls as fast as power
};

constexpr Definition kDefinitions[] = {{"Ratio (published index)", &Flexibility::published, 1},
                                       {"Area", &Flexibility::area, 0},
                                       {"Constant elasticity, 1 - a", &Flexibility::elasticity, 0}};

Panel definition_panel(const Evidence& evidence, const Definition& definition, bool named) {
  const Range range = fenced(reach_of(evidence, definition.estimate), definition.neutral);
  return {.x = {.title = definition.title, .low = range.low, .high = range.high},
          .y = rows_axis(evidence, named),
          .series = {vertical(definition.neutral, evidence.groups.size()),
                     dots(evidence, definition.estimate, range, Ink::blue, 0)}};
}

// Spearman's rho between two definitions over the groups that have both.
std::optional<double> agreement(const Evidence& evidence, const Definition& a, const Definition& b) {
  std::vector<double> x, y;
  for (const GroupEvidence& each : evidence.groups) {
    const auto& first = (each.flexibility.*a.estimate).value;
    const auto& second = (each.flexibility.*b.estimate).value;
    if (!first || !second) continue;
    x.push_back(*first);
    y.push_back(*second);
  }
  if (x.size() < 3) return std::nullopt;
  const auto rank = stats::spearman(x, y);
  return rank ? std::optional(rank->rho) : std::nullopt;
}

// How alike the definitions order the groups; nothing where there are too few to speak of an order.
std::string agreements(const Evidence& evidence) {
  const auto area = agreement(evidence, kDefinitions[0], kDefinitions[1]);
  const auto elasticity = agreement(evidence, kDefinitions[0], kDefinitions[2]);
  if (!area || !elasticity) return "";
  return fmt::format(
      " Area ranks the groups like the ratio with Spearman's rho {:.2f}, elasticity with {:.2f} (1: the same "
      "order).",
      *area, *elasticity);
}

Panel scatter_panel(const Evidence& evidence, const Definition& a, const Definition& b) {
  const Range x = fenced(values_of(evidence, a.estimate), a.neutral);
  const Range y = fenced(values_of(evidence, b.estimate), b.neutral);
  Series series{.name = "", .mark = Mark::points, .ink = Ink::blue};
  for (const GroupEvidence& each : evidence.groups) {
    const Estimate& first = each.flexibility.*a.estimate;
    const Estimate& second = each.flexibility.*b.estimate;
    if (!first.value || !second.value) continue;
    const Sample sample{.x = *first.value, .y = *second.value, .note = display_text(each.name, 60)};
    series.samples.push_back(
        clipped(clipped(sample, x, &Sample::x, &Sample::x_range), y, &Sample::y, &Sample::y_range));
  }
  return {.x = {.title = a.title, .low = x.low, .high = x.high},
          .y = {.title = b.title, .low = y.low, .high = y.high},
          .series = {series}};
}

// " Not drawn, as they have no such index: 3 of 41 groups."
std::string not_drawn(const Evidence& evidence, const std::function<bool(const GroupEvidence&)>& drawn) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(evidence.groups, std::not_fn(drawn)));
  if (count == 0) return "";
  return fmt::format(" Not drawn, as they have no such index: {} of {}.", count,
                     counted(evidence.groups.size(), "group"));
}

// Where the errors come from, and how many intervals are wider than these.
std::string errors_of(const Evidence& evidence) {
  std::vector<double> widenings;
  for (const GroupEvidence& each : evidence.groups) {
    if (each.flexibility.widening > 1) widenings.push_back(each.flexibility.widening);
  }
  const std::string& source = evidence.groups.front().flexibility.ci_source;
  std::string text = "; errors: " + source.substr(0, source.find(", widened"));
  if (widenings.empty()) return text;
  const auto [least, most] = std::ranges::minmax(widenings);
  const std::string lowest = fmt::format("{:.1f}", least);
  const std::string highest = fmt::format("{:.1f}", most);
  return text + fmt::format(", intervals of {} of {} widened {} times by scatter", widenings.size(),
                            counted(evidence.groups.size(), "group"),
                            lowest == highest ? lowest : lowest + " to " + highest);
}

}  // namespace

Figure index_by_group(const Evidence& evidence) {
  const bool named = evidence.groups.size() <= kMostRows;
  Figure figure{
      .id = "index",
      .title = "Power Flexibility Index by group",
      .subtitle =
          "Share of power given up per share of throughput lost, mean over caps. Above 1 throughput "
          "falls more slowly than power. Lines are 95 % intervals; the guarded index uses resolved "
          "points only.",
      .pedigree = evidence.pedigree()};
  if (!evidence.groups.empty()) figure.pedigree += errors_of(evidence);
  figure.panels = {named ? rows_panel(evidence) : ranked_panel(evidence)};
  if (named) {
    figure.legend = {{Ink::blue, "guarded"}, {Ink::orange, "as published"}};
    if (nothing_refused(evidence))
      figure.legend = {{Ink::blue, "guarded and as published: no point was refused"}};
    figure.panel_height = rows_height(evidence.groups.size());
  }
  figure.subtitle += not_drawn(evidence, [&](const GroupEvidence& each) {
    return each.flexibility.guarded.value || (named && each.flexibility.published.value);
  });
  return figure;
}

Figure definitions(const Evidence& evidence) {
  Figure figure{.id = "definitions",
                .title = "Three definitions of the index, side by side",
                .subtitle = (evidence.groups.size() <= kMostRows
                                 ? "On the dashed line throughput falls as fast as power."
                                 : "Each point is one group.") +
                            agreements(evidence),
                .pedigree = evidence.pedigree()};
  if (evidence.groups.size() <= kMostRows) {
    for (const Definition& each : kDefinitions) {
      figure.panels.push_back(definition_panel(evidence, each, figure.panels.empty()));
    }
    figure.columns = 3;
    figure.panel_height = std::max(60.0, 18.0 * static_cast<double>(evidence.groups.size())) + 50;
  } else {
    figure.panels = {scatter_panel(evidence, kDefinitions[0], kDefinitions[1]),
                     scatter_panel(evidence, kDefinitions[0], kDefinitions[2])};
    figure.columns = 2;
    figure.panel_height = 280;
    figure.subtitle += not_drawn(evidence, [](const GroupEvidence& each) {
      return each.flexibility.published.value && each.flexibility.area.value &&
             each.flexibility.elasticity.value;
    });
  }
  return figure;
}

}  // namespace wattflex::report
