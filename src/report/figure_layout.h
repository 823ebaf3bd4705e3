// Settles what a figure leaves open, in data coordinates, so that every renderer draws the same picture:
// ranges, round ticks and where the labels beside the lines go.
#pragma once

#include <string>
#include <vector>

#include "report/figure.h"

namespace wattflex::report {

// Round ticks (1, 2 or 5 times a power of ten apart), at most `most`, the first at or above `low` and the
// last at or below `high`. Needs low < high and most >= 2.
std::vector<Tick> round_ticks(Range range, AxisKind kind, int most);

// Numbers as axes and tables show them: "12.5", "0.0032", "12,000", "25 %"; `step` is the
// distance that must still be seen.
std::string tick_text(double value, double step, AxisKind kind);

inline constexpr int kManyTicks = 7;
inline constexpr int kFewTicks = 4;  // on small panels

// The panel with explicit ranges and ticks on both axes. Samples that are not finite are left out.
Panel laid_out(Panel panel, int most_ticks = kManyTicks);

// A label beside a series' last sample: where the sample is, and at which y the text stands so that no two
// overlap.
struct PlacedLabel {
  std::string text;
  Ink ink = Ink::text;
  double x = 0;
  double y = 0;
  double text_y = 0;
};

// For a panel that is laid_out. `text_height` is a line's height as a share of the y axis; when there are
// more labels than the axis has room for they are spread evenly.
std::vector<PlacedLabel> placed_labels(const Panel& panel, double text_height);

}  // namespace wattflex::report
