#include "report/drawing_page.h"

#include <algorithm>

#include "report/display_text.h"
#include "report/figure_layout.h"

namespace wattflex::report {
namespace {

constexpr double kTitle = 36;
constexpr double kLegend = 24;
constexpr double kPanelBottom = 48;  // tick texts and the x axis' title
constexpr double kPedigreeLine = 13;
constexpr double kPanel = 330;
constexpr double kSmallPanel = 140;  // when there are several columns
constexpr std::size_t kSubtitleWidth = 120;
constexpr std::size_t kPedigreeWidth = 150;

double text_width(const std::string& text) {
  return static_cast<double>(character_count(display_text(text, kMostLabel))) * kCharacterWidth;
}

// How far labels reach beyond the axes; one inside the panel has room of its own.
double label_reach(const Figure& figure, const Panel& panel) {
  double reach = 0;
  for (const PlacedLabel& label : placed_labels(panel, 0)) {
    const double inside = (*panel.x.high - label.x) / (*panel.x.high - *panel.x.low);
    reach = std::max(reach, text_width(label.text) - inside * 0.75 * kPageWidth / figure.columns);
  }
  return reach;
}

// Room for the panel's own title and the y axis' title, where any panel has them.
double panel_top(const Figure& figure) {
  const bool titles = std::ranges::any_of(figure.panels, [](const Panel& p) { return !p.title.empty(); });
  const bool axis_titles =
      std::ranges::any_of(figure.panels, [](const Panel& p) { return !p.y.title.empty(); });
  return 6 + (titles ? kLineHeight : 0) + (axis_titles ? kLineHeight : 0);
}

}  // namespace

DrawingPage::DrawingPage(const Figure& figure)
    : panel_top_(panel_top(figure)),
      subtitle_(wrapped(display_text(figure.subtitle, 400), kSubtitleWidth)),
      pedigree_(wrapped(display_text(figure.pedigree, 400), kPedigreeWidth)) {
  const int rows = (static_cast<int>(figure.panels.size()) + figure.columns - 1) / figure.columns;
  const double custom = figure.columns > 1 ? kSmallPanel : kPanel;
  panel_height_ = panel_top_ + (figure.panel_height > 0 ? figure.panel_height : custom) + kPanelBottom;
  header_ =
      kTitle + static_cast<double>(subtitle_.size()) * kLineHeight + (figure.legend.empty() ? 4 : kLegend);
  height_ = header_ + rows * panel_height_ + static_cast<double>(pedigree_.size()) * kPedigreeLine + 6;
}

AxesBox DrawingPage::axes(const Figure& figure, std::size_t index, const Panel& panel) const {
  const auto columns = static_cast<std::size_t>(figure.columns);
  const double width = kPageWidth / figure.columns;
  const double left = static_cast<double>(index % columns) * width;
  const std::size_t row = index / columns;
  const double top = header_ + static_cast<double>(row) * panel_height_;
  return {.left = (left + kPageMargin + tick_width(panel)) / kPageWidth,
          .right = (left + width - 18 - label_reach(figure, panel)) / kPageWidth,
          .bottom = 1 - (top + panel_height_ - kPanelBottom) / height_,
          .top = 1 - (top + panel_top_) / height_};
}

double tick_width(const Panel& panel) {
  double width = 0;
  for (const Tick& tick : panel.y.ticks) width = std::max(width, text_width(tick.text));
  return width;
}

}  // namespace wattflex::report
