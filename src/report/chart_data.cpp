#include "report/chart_data.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "report/display_text.h"
#include "report/drawing_page.h"
#include "report/figure_layout.h"
#include "report/palette.h"

namespace wattflex::report {
namespace {

using nlohmann::json;

constexpr double kLine = 15;  // height of a label in CSS pixels
constexpr double kAxes = 50;  // of the panel's height, taken by the x axis

const char* name_of(Mark mark) {
  switch (mark) {
    case Mark::line:
      return "line";
    case Mark::points:
      return "points";
    case Mark::line_and_points:
      return "line_and_points";
    case Mark::stems:
      return "stems";
    case Mark::band:
      return "band";
  }
  std::unreachable();
}

const char* name_of(Stroke stroke) {
  switch (stroke) {
    case Stroke::solid:
      return "solid";
    case Stroke::dashed:
      return "dashed";
    case Stroke::dotted:
      return "dotted";
    case Stroke::thin:
      return "thin";
  }
  std::unreachable();
}

json axis_json(const Axis& axis) {
  json ticks = json::array();
  for (const Tick& tick : axis.ticks) ticks.push_back({tick.at, display_text(tick.text, kMostLabel)});
  return {{"title", display_text(axis.title)},
          {"share", axis.kind == AxisKind::share},
          {"low", *axis.low},
          {"high", *axis.high},
          {"ticks", ticks}};
}

json sample_json(const Sample& sample) {
  json point = {{"x", sample.x}, {"y", sample.y}};
  if (sample.x_range) point["xr"] = {sample.x_range->low, sample.x_range->high};
  if (sample.y_range) point["yr"] = {sample.y_range->low, sample.y_range->high};
  if (!sample.note.empty()) point["note"] = display_text(sample.note, 200);
  return point;
}

json series_json(const Series& series) {
  json samples = json::array();
  for (const Sample& sample : series.samples) samples.push_back(sample_json(sample));
  return {{"name", display_text(series.name)},
          {"mark", name_of(series.mark)},
          {"ink", shade(series.ink).name},
          {"stroke", name_of(series.stroke)},
          {"samples", samples}};
}

json panel_json(const Figure& figure, const Panel& open) {
  const Panel panel = laid_out(open, figure.columns > 1 ? kFewTicks : kManyTicks);
  json series = json::array();
  for (const Series& each : panel.series) {
    if (!each.samples.empty()) series.push_back(series_json(each));
  }
  json labels = json::array();
  for (const PlacedLabel& label : placed_labels(panel, kLine / (panel_height(figure) - kAxes))) {
    labels.push_back({{"text", display_text(label.text, kMostLabel)},
                      {"ink", shade(label.ink).name},
                      {"x", label.x},
                      {"y", label.text_y}});
  }
  return {{"x", axis_json(panel.x)}, {"y", axis_json(panel.y)}, {"series", series}, {"labels", labels}};
}

}  // namespace

double panel_height(const Figure& figure) {
  if (figure.panel_height > 0) return figure.panel_height;
  return figure.columns > 1 ? 150 : 320;
}

std::string chart_data(std::span<const Figure> figures) {
  json out = json::array();
  for (const Figure& figure : figures) {
    json panels = json::array();
    for (const Panel& panel : figure.panels) panels.push_back(panel_json(figure, panel));
    out.push_back({{"id", figure.id}, {"panels", panels}});
  }
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace wattflex::report
