// Figures as JSON for the script of the HTML report (report.js), which hands them to Chart.js. Colours go by
// name, so that the page can change them with the reader's theme.
#pragma once

#include <span>
#include <string>

#include "report/figure.h"

namespace wattflex::report {

// One JSON array, an element a figure, compact. Not yet safe inside <script>: see json_for_script.
std::string chart_data(std::span<const Figure> figures);

// Height of a panel's drawing in CSS pixels.
double panel_height(const Figure& figure);

}  // namespace wattflex::report
