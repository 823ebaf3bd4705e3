// A figure as a value: what is drawn, not how. Two renderers take it, gnuplot (SVG and PNG files) and
// Chart.js (the HTML report), and both show the same axes, ticks and labels because figure_layout.h settles
// those first. Texts may be hostile (group names): renderers escape, makers of figures do not.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wattflex::report {

// A colour by its role; palette.h has its shade on light and on dark ground. `faint` is for the many lines
// behind the few that matter, `muted` for references such as a diagonal.
enum class Ink { blue, vermillion, green, purple, orange, sky, muted, faint, text };

enum class Stroke { solid, dashed, dotted, thin };

// How samples are shown. `band` fills between the bounds of y_range; `stems` are bars from 0 to x, one a row;
// points show x_range and y_range as whiskers.
enum class Mark { line, points, line_and_points, stems, band };

struct Range {
  double low = 0;
  double high = 0;

  friend bool operator==(const Range&, const Range&) = default;
};

struct Sample {
  double x = 0;
  double y = 0;
  std::optional<Range> x_range;
  std::optional<Range> y_range;
  std::string note;  // shown when pointed at
};

struct Series {
  std::string name;
  Mark mark = Mark::line;
  Ink ink = Ink::blue;
  Stroke stroke = Stroke::solid;
  std::vector<Sample> samples;
  std::string label;  // written beside the last sample, instead of a legend; empty: none
};

struct Tick {
  double at = 0;
  std::string text;

  friend bool operator==(const Tick&, const Tick&) = default;
};

enum class AxisKind { number, share };  // a share 0..1 is shown in per cent

struct Axis {
  std::string title;  // with its unit: "Draw per GPU (W)"
  AxisKind kind = AxisKind::number;
  std::optional<double> low;  // none: fitted to the samples
  std::optional<double> high;
  std::vector<Tick> ticks;  // none: round numbers; given: names of rows
};

// One pair of axes.
struct Panel {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
};

// What a colour stands for, where lines cannot carry their names.
struct LegendEntry {
  Ink ink = Ink::blue;
  std::string text;
};

struct Figure {
  std::string id;        // file name stem and HTML anchor: lower case letters, digits and '-'
  std::string title;     // the finding, not the axes
  std::string subtitle;  // how to read it
  std::string pedigree;  // measured, predicted or simulated; from what; how many points
  std::vector<LegendEntry> legend;
  std::vector<Panel> panels;
  int columns = 1;          // of panels
  double panel_height = 0;  // in CSS pixels; 0: by custom
};

}  // namespace wattflex::report
