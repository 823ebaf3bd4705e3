// A document as one HTML file that needs nothing else: no network, no other file, light and dark. Every text
// is escaped by the template engine for the place it stands in.
#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "report/document.h"
#include "report/gnuplot.h"

namespace wattflex::report {

// Whether this build carries the chart library; without it pages show the drawings given to them.
bool has_chart_library();

enum class FigureStyle { charts, drawings };

struct PageOptions {
  std::string version;
  FigureStyle style = FigureStyle::charts;
  // Of all figures in order; for FigureStyle::drawings, empty when there are none.
  std::span<const Drawing> drawings;
  std::string why_no_drawings;  // shown in their place
};

Result<std::string> html_page(const Document& document, const PageOptions& options);

// All figures of a document, in order.
std::vector<Figure> figures_of(const Document& document);

}  // namespace wattflex::report
