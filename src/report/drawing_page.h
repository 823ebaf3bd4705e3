// Where things stand on a drawn figure: sizes in CSS pixels for gnuplot, which would otherwise place titles
// and labels by font metrics it does not have. The HTML page lays itself out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/figure.h"

namespace wattflex::report {

inline constexpr double kPageWidth = 860;
inline constexpr double kPageMargin = 14;
inline constexpr double kLineHeight = 16;
inline constexpr double kCharacterWidth = 7.3;  // mean, at font size 12
inline constexpr std::size_t kMostLabel = 40;   // characters beside a line, or of a row's name
inline constexpr std::size_t kMostLegend = 48;

// Axes as shares of the page, from its lower left corner.
struct AxesBox {
  double left = 0;
  double right = 0;
  double bottom = 0;
  double top = 0;
};

// The lines of text around the panels, broken to fit, and the heights that follow.
class DrawingPage {
 public:
  explicit DrawingPage(const Figure& figure);

  double height() const { return height_; }
  // Distance of the legend's middle from the top.
  double legend_middle() const { return header_ - 12; }
  const std::vector<std::string>& subtitle() const { return subtitle_; }
  const std::vector<std::string>& pedigree() const { return pedigree_; }

  // `panel` is the figure's panel `index`, laid out.
  AxesBox axes(const Figure& figure, std::size_t index, const Panel& panel) const;

 private:
  double height_ = 0;
  double header_ = 0;
  double panel_top_ = 0;
  double panel_height_ = 0;
  std::vector<std::string> subtitle_;
  std::vector<std::string> pedigree_;
};

// Of the texts left of the axes.
double tick_width(const Panel& panel);

}  // namespace wattflex::report
