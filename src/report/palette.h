// The shades of every ink on light and on dark ground. Hues after Okabe and Ito, "Color Universal Design"
// (2008), which the colour-blind can tell apart; lightness shifted so that each shade has a contrast of at
// least 3:1 with its ground (WCAG 2.1, 1.4.11), which a test computes.
#pragma once

#include <array>
#include <string_view>

#include "report/figure.h"

namespace wattflex::report {

struct Shade {
  std::string_view name;   // of the CSS variable: --ink-<name>
  std::string_view light;  // "#rrggbb"
  std::string_view dark;
};

inline constexpr std::string_view kLightGround = "#ffffff";
inline constexpr std::string_view kDarkGround = "#14171c";

// Indexed by Ink.
inline constexpr std::array<Shade, 9> kShades = {{
    {"blue", "#0072b2", "#56b4e9"},
    {"vermillion", "#d55e00", "#ff8f4a"},
    {"green", "#00835f", "#2fc796"},
    {"purple", "#b0518c", "#e39ac4"},
    {"orange", "#a87400", "#e6a91f"},
    {"sky", "#2b8cc4", "#9ccff0"},
    {"muted", "#6a7079", "#8b929c"},
    {"faint", "#c3c8cf", "#454c57"},
    {"text", "#1b1f24", "#e8eaed"},
}};

constexpr const Shade& shade(Ink ink) {
  return kShades[static_cast<std::size_t>(ink)];
}

}  // namespace wattflex::report
