#include "report/gnuplot_script.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/display_text.h"
#include "report/drawing_page.h"
#include "report/figure_layout.h"
#include "report/palette.h"

namespace wattflex::report {
namespace {

std::string colour(Ink ink, double opacity = 1) {
  const auto transparent = static_cast<int>(std::lround((1 - opacity) * 255));
  return fmt::format("rgb '#{:02x}{}'", transparent, shade(ink).light.substr(1));
}

std::string font(double size, bool bold = false) {
  return fmt::format("font 'sans-serif{},{}'", bold ? ":Bold" : "", size);
}

// gnuplot reads axis texts as printf formats.
std::string tick_string(const std::string& text) {
  std::string doubled;
  for (const char c : display_text(text, kMostLabel)) doubled += c == '%' ? "%%" : std::string(1, c);
  return gnuplot_string(doubled);
}

std::string ticks(char axis, const std::vector<Tick>& list) {
  std::string out;
  for (const Tick& tick : list) {
    out += fmt::format("{}{} {:.17g}", out.empty() ? "" : ", ", tick_string(tick.text), tick.at);
  }
  return list.empty()
             ? fmt::format("unset {}tics\n", axis)
             : fmt::format("set {}tics ({}) nomirror out scale 0.4 tc {}\n", axis, out, colour(Ink::muted));
}

// `width` in CSS pixels, at font size 12: what does not fit is left out.
std::string screen_text(std::string_view text, double x, double y, double width, const std::string& look) {
  const std::string fitting =
      display_text(text, static_cast<std::size_t>(std::max(4.0, width / kCharacterWidth)));
  return fmt::format("set label {} at screen {:.6f},{:.6f} left {}\n", gnuplot_string(fitting), x, y, look);
}

// One data block a series; the columns are x, y, and the ends of both intervals.
std::string data_block(const Series& series, std::string_view name) {
  std::string out = fmt::format("{} << EOD\n", name);
  for (const Sample& sample : series.samples) {
    const Range x = sample.x_range.value_or(Range{sample.x, sample.x});
    const Range y = sample.y_range.value_or(Range{sample.y, sample.y});
    out += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}\n", sample.x, sample.y, x.low, x.high,
                       y.low, y.high);
  }
  return out + "EOD\n";
}

std::string line_look(const Series& series) {
  const char* const dash = series.stroke == Stroke::dashed   ? "(7,5)"
                           : series.stroke == Stroke::dotted ? "(2,4)"
                                                             : "1";
  const double width = series.stroke == Stroke::thin || series.ink == Ink::faint ? 0.8 : 2;
  return fmt::format("lc {} lw {} dt {}", colour(series.ink), width, dash);
}

// The plot elements of one series, each with a trailing comma.
std::string elements(const Series& series, std::string_view name) {
  const std::string ink = colour(series.ink);
  std::string out;
  if (series.mark == Mark::band) {
    return fmt::format("{} using 1:5:6 with filledcurves fs solid noborder fc {} notitle, ", name,
                       colour(series.ink, 0.18));
  }
  if (series.mark == Mark::stems) {
    out += fmt::format("{} using (0):2:1:(0) with vectors nohead lc {} lw 4 notitle, ", name, ink);
  }
  if (series.mark == Mark::line || series.mark == Mark::line_and_points) {
    out += fmt::format("{} using 1:2 with lines {} notitle, ", name, line_look(series));
  }
  if (series.mark == Mark::points || series.mark == Mark::line_and_points) {
    const auto any = [&](auto member) {
      return std::ranges::any_of(series.samples, [&](const Sample& s) { return (s.*member).has_value(); });
    };
    if (any(&Sample::x_range)) {
      out += fmt::format("{} using 3:2:($4-$3):(0) with vectors nohead lc {} lw 1.6 notitle, ", name, ink);
    }
    if (any(&Sample::y_range)) {
      out += fmt::format("{} using 1:5:(0):($6-$5) with vectors nohead lc {} lw 1.2 notitle, ", name, ink);
    }
    out += fmt::format("{} using 1:2 with points pt 7 ps {} lc {} notitle, ", name,
                       series.ink == Ink::faint ? 0.35 : 0.55, ink);
  }
  return out;
}

std::string labels(const Panel& panel, double axes_height) {
  std::string out;
  for (const PlacedLabel& label : placed_labels(panel, kLineHeight / axes_height)) {
    // Inside the panel a label stands above its line, beyond the axis beside it.
    out += fmt::format("set label {} at first {:.10g},{:.10g} left offset 0.8,{} tc {} {}\n",
                       gnuplot_string(display_text(label.text, kMostLabel)), label.x, label.text_y,
                       label.x < *panel.x.high ? 0.5 : 0, colour(label.ink), font(12));
  }
  return out;
}

// A row of names in their colours; what does not fit is left out.
std::string legend(const Figure& figure, const DrawingPage& page) {
  std::string out;
  double left = kPageMargin;
  for (const LegendEntry& entry : figure.legend) {
    const std::string text = "● " + display_text(entry.text, kMostLegend);
    const double width = static_cast<double>(character_count(text)) * kCharacterWidth;
    if (left + width > kPageWidth) break;
    out += screen_text(text, left / kPageWidth, 1 - page.legend_middle() / page.height(), width * 1.1,
                       "tc " + colour(entry.ink));
    left += width + 14;
  }
  return out;
}

std::string panel_script(const Figure& figure, const DrawingPage& page, std::size_t index) {
  const Panel panel = laid_out(figure.panels[index], figure.columns > 1 ? kFewTicks : kManyTicks);
  const AxesBox box = page.axes(figure, index, panel);
  const double axes_height = (box.top - box.bottom) * page.height();
  std::string out, plot;
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    if (panel.series[s].samples.empty()) continue;
    const std::string name = fmt::format("$p{}s{}", index, s);
    out += data_block(panel.series[s], name);
    plot += elements(panel.series[s], name);
  }
  out += fmt::format("set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n", box.left, box.right);
  out += fmt::format("set bmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n", box.bottom, box.top);
  out += fmt::format("set xrange [{:.17g}:{:.17g}]\nset yrange [{:.17g}:{:.17g}]\n", *panel.x.low,
                     *panel.x.high, *panel.y.low, *panel.y.high);
  out += ticks('x', panel.x.ticks) + ticks('y', panel.y.ticks);
  out += fmt::format("set xlabel {} offset 0,0.3 tc {}\n", gnuplot_string(display_text(panel.x.title)),
                     colour(Ink::muted));
  // The y axis' title stands level above it: nobody should have to tilt the head.
  const double left = box.left - (tick_width(panel) + 4) / kPageWidth;
  const double width = kPageWidth / figure.columns - 20;
  out += screen_text(panel.y.title, left, box.top + 12 / page.height(), width, "tc " + colour(Ink::muted));
  if (!panel.title.empty()) {
    out += screen_text(panel.title, left, box.top + 27 / page.height(), width,
                       "tc " + colour(Ink::text) + " " + font(12, true));
  }
  out += labels(panel, axes_height);
  out += "plot " + plot + "NaN with lines lc " + colour(Ink::faint) + " notitle\n";
  return out + "unset label\n";
}

// Title, subtitle and, at the foot, pedigree.
std::string surrounding_texts(const Figure& figure, const DrawingPage& page) {
  constexpr double kWidth = kPageWidth - 2 * kPageMargin;
  const auto line = [&](const std::string& text, double from_top, double width, const std::string& look) {
    return screen_text(text, kPageMargin / kPageWidth, 1 - from_top / page.height(), width, look);
  };
  std::string out = line(figure.title, 20, kWidth * 0.75, "tc " + colour(Ink::text) + " " + font(16, true));
  for (std::size_t i = 0; i < page.subtitle().size(); ++i) {
    out += line(page.subtitle()[i], 42 + kLineHeight * static_cast<double>(i), kWidth * 1.15,
                "tc " + colour(Ink::muted));
  }
  for (std::size_t i = 0; i < page.pedigree().size(); ++i) {
    const auto from_end = static_cast<double>(page.pedigree().size() - i);
    out += line(page.pedigree()[i], page.height() - 13 * from_end + 3, kWidth * 1.4,
                "tc " + colour(Ink::muted) + " " + font(10));
  }
  return out;
}

std::string terminal(ImageFormat format, const DrawingPage& page) {
  if (format == ImageFormat::svg) {
    return fmt::format("set terminal svg size {},{} dynamic noenhanced {} background '{}'\n", kPageWidth,
                       page.height(), font(12), kLightGround);
  }
  return fmt::format(
      "set terminal pngcairo size {},{} noenhanced {} fontscale 1.5 linewidth 2 pointscale 2 "
      "background '{}'\n",
      2 * kPageWidth, 2 * page.height(), font(12), kLightGround);
}

}  // namespace

std::string gnuplot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    // Not digits: gnuplot would read one that follows an octal escape as part of it.
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
    out += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return out + '"';
}

std::string gnuplot_script(const Figure& figure, ImageFormat format, std::string_view path) {
  const DrawingPage page(figure);
  std::string out = "reset\nset encoding utf8\n" + terminal(format, page);
  out += fmt::format("set output {}\nset multiplot\nset border 3 lc {} lw 1\nset key off\n",
                     gnuplot_string(path), colour(Ink::faint));
  out += fmt::format("set grid xtics ytics lt 1 lc {} lw 0.6\n", colour(Ink::faint, 0.55));
  out += surrounding_texts(figure, page) + legend(figure, page);
  for (std::size_t index = 0; index < figure.panels.size(); ++index) out += panel_script(figure, page, index);
  return out + "unset multiplot\nunset output\n";
}

}  // namespace wattflex::report
