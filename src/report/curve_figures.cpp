#include "report/curve_figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "report/display_text.h"

namespace wattflex::report {
namespace {

using elasticity::JudgedPoint;
using elasticity::Verdict;

constexpr std::array kGroupInks = {Ink::blue,   Ink::vermillion, Ink::green,
                                   Ink::purple, Ink::orange,     Ink::sky};
constexpr std::size_t kMostColoured = kGroupInks.size();
constexpr std::size_t kMostByTask = 24;

bool holds(const JudgedPoint& point) {
  return point.verdict != Verdict::not_enforced && point.verdict != Verdict::other_limiter &&
         point.verdict != Verdict::no_reference;
}

std::string note_on(const GroupEvidence& group, const JudgedPoint& point) {
  return fmt::format("{}, cap {:g} W: {}", display_text(group.name, 50), point.point.cap.watts(),
                     to_string(point.verdict));
}

Series normalised(const GroupEvidence& group, Ink ink, Stroke stroke) {
  Series series{.name = group.name, .mark = Mark::line_and_points, .ink = ink, .stroke = stroke};
  const SweepPoint& uncapped = group.group->uncapped();
  for (const JudgedPoint& point : group.flexibility.points) {
    if (!holds(point)) continue;
    series.samples.push_back({.x = point.point.power / uncapped.power,
                              .y = point.point.throughput / uncapped.throughput,
                              .note = note_on(group, point)});
  }
  std::ranges::sort(series.samples, {}, &Sample::x);
  return series;
}

Series diagonal(double to_x, double to_y) {
  return {.name = "proportional",
          .mark = Mark::line,
          .ink = Ink::muted,
          .stroke = Stroke::dashed,
          .samples = {{.x = 0, .y = 0}, {.x = to_x, .y = to_y}}};
}

std::string indexed(const GroupEvidence& group) {
  const auto& index = group.flexibility.guarded.value;
  const std::string name = display_text(group.name, 24);
  return index ? fmt::format("{}, PFI {:.2f}", name, *index) : name;
}

// Each group in a colour of its own.
void colour_groups(const Evidence& evidence, Figure& figure) {
  for (std::size_t i = 0; i < evidence.groups.size(); ++i) {
    figure.panels[0].series.push_back(normalised(evidence.groups[i], kGroupInks[i], Stroke::solid));
    figure.legend.push_back({kGroupInks[i], indexed(evidence.groups[i])});
  }
}

// One colour a task; false when the tasks do not tell groups apart.
bool colour_tasks(const Evidence& evidence, Figure& figure) {
  std::map<Task, Ink> inks;
  for (const GroupEvidence& each : evidence.groups)
    inks.try_emplace(each.group->task, kGroupInks[inks.size() % kMostColoured]);
  if (inks.size() < 2 || evidence.groups.size() > kMostByTask) return false;
  for (const GroupEvidence& each : evidence.groups) {
    figure.panels[0].series.push_back(normalised(each, inks.at(each.group->task), Stroke::solid));
  }
  for (const auto& [task, ink] : inks) figure.legend.push_back({ink, std::string(to_string(task))});
  return true;
}

// All in the background but the group in the middle of the ranking and those a tenth from either end; the
// ends themselves are often there by noise.
void colour_deciles(const Evidence& evidence, Figure& figure) {
  std::vector<const GroupEvidence*> ranked;
  for (const GroupEvidence& each : evidence.groups) {
    if (each.ranked_by()) ranked.push_back(&each);
    figure.panels[0].series.push_back(normalised(each, Ink::faint, Stroke::thin));
    figure.panels[0].series.back().mark = Mark::line;
  }
  if (ranked.empty()) return;
  const auto show = [&](const char* role, const GroupEvidence& group, Ink ink) {
    figure.panels[0].series.push_back(normalised(group, ink, Stroke::solid));
    figure.legend.push_back({ink, fmt::format("{}: {}", role, indexed(group))});
  };
  figure.subtitle += fmt::format(
      " Ranked by the lower end of the guarded index's interval; in colour three of {}, all others faint.",
      evidence.groups.size());
  const std::size_t last = ranked.size() - 1;
  show("lower tenth", *ranked[last - last / 10], Ink::vermillion);
  show("median", *ranked[last / 2], Ink::purple);
  show("upper tenth", *ranked[last / 10], Ink::blue);
}

// The series of one small panel: the measured points, those refused, and the proportional line.
Panel raw_panel(const GroupEvidence& group) {
  const SweepPoint& uncapped = group.group->uncapped();
  const bool kilowatts = uncapped.power.watts() >= 10'000;
  const double unit = kilowatts ? 1000 : 1;
  Series sound{.name = "measured", .mark = Mark::line_and_points, .ink = Ink::blue};
  Series refused{.name = "not used", .mark = Mark::points, .ink = Ink::vermillion};
  for (const JudgedPoint& point : group.flexibility.points) {
    const Sample sample{
        .x = point.point.power.watts() / unit, .y = point.point.throughput, .note = note_on(group, point)};
    if (holds(point)) sound.samples.push_back(sample);
    if (point.verdict != Verdict::used && point.verdict != Verdict::uncapped)
      refused.samples.push_back(sample);
  }
  std::ranges::sort(sound.samples, {}, &Sample::x);
  return {.title = group.name,
          .x = {.title = kilowatts ? "Draw (kW)" : "Draw (W)", .low = 0},
          .y = {.title = "Throughput", .low = 0},
          .series = {diagonal(uncapped.power.watts() / unit, uncapped.throughput), sound, refused}};
}

}  // namespace

Figure normalised_curves(const Evidence& evidence) {
  Figure figure{
      .id = "curves",
      .title = "Throughput kept, by draw kept",
      .subtitle =
          "Each line is one job held at one cap after another; the uncapped run is at the top right. "
          "On the dashed line throughput falls as fast as power; the higher above it, the more "
          "flexible the job.",
      .pedigree = evidence.pedigree()};
  figure.panels = {{.x = {.title = "Draw, share of uncapped", .kind = AxisKind::share},
                    .y = {.title = "Throughput, share of uncapped", .kind = AxisKind::share},
                    .series = {diagonal(1, 1)}}};
  if (evidence.groups.size() <= kMostColoured) {
    colour_groups(evidence, figure);
  } else if (!colour_tasks(evidence, figure)) {
    colour_deciles(evidence, figure);
  }
  figure.panel_height = 420;
  return figure;
}

Figure raw_curves(const Evidence& evidence) {
  const std::size_t groups = evidence.groups.size();
  const std::size_t shown = std::min(groups, kMostPanels);
  Figure figure{
      .id = "raw-curves",
      .title = "Each job on its own axes",
      .subtitle =
          "Throughput in the table's own unit over the draw of the whole job, both from zero; dashed: "
          "proportional. By rank: the lower end of the guarded index's interval, highest first.",
      .pedigree = evidence.pedigree(),
      .legend = {{Ink::blue, "measured"}, {Ink::vermillion, "not used for the index (see the verdicts)"}}};
  if (shown < groups)
    figure.title += fmt::format(": {} of {}, taken evenly over the ranking; {} are not drawn", shown, groups,
                                groups - shown);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t pick = shown == 1 ? 0 : i * (groups - 1) / (shown - 1);
    figure.panels.push_back(raw_panel(evidence.groups[pick]));
  }
  figure.columns = shown == 1 ? 1 : shown < 4 ? static_cast<int>(shown) : 4;
  return figure;
}

std::vector<std::pair<double, double>> spark_of(const GroupEvidence& group) {
  std::vector<std::pair<double, double>> curve;
  if (!group.curve) return curve;
  for (const auto& point : group.curve->points()) {
    curve.emplace_back(point.draw / group.curve->uncapped_draw(),
                       point.throughput / group.curve->uncapped_throughput());
  }
  return curve;
}

}  // namespace wattflex::report
