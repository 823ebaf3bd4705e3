// Figures as SVG and PNG, drawn by one gnuplot process. gnuplot is not needed to build, nor for anything but
// this.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/quantity.h"
#include "report/figure.h"

namespace wattflex::report {

struct GnuplotOptions {
  std::string program = "gnuplot";
  bool with_png = true;
  Seconds time_limit{60};
};

// The files' contents. The SVG adapts to a reader's dark theme and has a ground of its own in both.
struct Drawing {
  std::string svg;
  std::string png;  // twice the size of the SVG; empty without with_png
};

// One drawing a figure, in order. `unsupported` when gnuplot is missing.
Result<std::vector<Drawing>> draw_with_gnuplot(std::span<const Figure> figures,
                                               const GnuplotOptions& options = {});

}  // namespace wattflex::report
