// Figures with made-up values for the tests of the renderers.
#pragma once

#include <cmath>
#include <string>

#include "report/figure.h"

namespace wattflex::report {

// A text with everything that breaks gnuplot, HTML, SVG or JavaScript when it is not escaped.
inline const std::string kHostileText =
    "</script><script>x()</script> `touch hacked` $(id) @a \"q\" 'r' {/b} %s \\ \n&amp; system('id')";

inline Figure lines_example(const std::string& name) {
  Figure figure{
      .id = "lines", .title = name + " keeps more", .subtitle = "Share kept, by share cut", .pedigree = name};
  Panel panel{.title = name,
              .x = {.title = "Power cut", .kind = AxisKind::share, .low = 0, .high = 0.4},
              .y = {.title = "Throughput kept", .kind = AxisKind::share}};
  const auto line = [](double slope, double bend) {
    std::vector<Sample> samples;
    for (int i = 0; i <= 10; ++i) {
      const double x = 0.04 * i;
      samples.push_back({.x = x, .y = 1 - slope * x - bend * x * x});
    }
    return samples;
  };
  panel.series = {
      {.name = "proportional",
       .ink = Ink::muted,
       .stroke = Stroke::dashed,
       .samples = line(1, 0),
       .label = "proportional"},
      {.name = name, .ink = Ink::blue, .samples = line(0.3, 0.5), .label = "equal sharing"},
      {.name = "optimum", .ink = Ink::vermillion, .samples = line(0.25, 0.45), .label = "optimum"},
      {.name = "Eq. 2",
       .mark = Mark::line_and_points,
       .ink = Ink::green,
       .samples = line(0.28, 0.6),
       .label = "Eq. 2"}};
  Series band{.name = "band", .mark = Mark::band, .ink = Ink::blue};
  for (Sample sample : line(0.3, 0.5)) {
    sample.y_range = Range{sample.y - 0.02, sample.y + 0.02};
    band.samples.push_back(sample);
  }
  panel.series.insert(panel.series.begin(), band);
  figure.panels = {panel};
  return figure;
}

// One row an entry, with intervals.
inline Figure rows_example(int rows, const std::string& name) {
  Figure figure{.id = "rows",
                .title = "Index by group",
                .subtitle = "Dot: index; line: 95 % interval",
                .pedigree = "measured"};
  Panel panel{.x = {.title = "PFI"}, .y = {.title = "", .low = -0.7, .high = rows - 0.3}};
  Series dots{.name = "PFI", .mark = Mark::points};
  for (int i = 0; i < rows; ++i) {
    panel.y.ticks.push_back({double(i), name + " " + std::to_string(i)});
    const double value = 1 + 0.2 * i;
    dots.samples.push_back({.x = value, .y = double(i), .x_range = Range{value - 0.1, value + 0.15}});
  }
  panel.series = {{.name = "proportional",
                   .ink = Ink::muted,
                   .stroke = Stroke::dashed,
                   .samples = {{.x = 1, .y = -0.7}, {.x = 1, .y = rows - 0.3}}},
                  dots};
  figure.panels = {panel};
  return figure;
}

inline Figure multiples_example(int panels) {
  Figure figure{.id = "multiples",
                .title = "Every job on its own axes",
                .subtitle = "Throughput by draw",
                .pedigree = "measured"};
  figure.columns = 4;
  for (int i = 0; i < panels; ++i) {
    Panel panel{
        .title = "group " + std::to_string(i), .x = {.title = "Draw (W)"}, .y = {.title = "tokens/s"}};
    Series series{.name = "points", .mark = Mark::line_and_points};
    for (int k = 1; k < 7; ++k)
      series.samples.push_back({.x = 100.0 * k * (i + 1), .y = 10 * std::sqrt(k) * (i + 1)});
    panel.series = {series};
    figure.panels.push_back(panel);
  }
  return figure;
}

}  // namespace wattflex::report
