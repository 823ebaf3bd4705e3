#include "report/figure_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace wattflex::report {
namespace {

// The smallest range holding every value given to it.
class Extent {
 public:
  void add(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  // With a little air on both sides; 0..1 when nothing was added, and never empty.
  Range padded() const {
    if (low_ > high_) return {0, 1};
    const double width = high_ - low_;
    const double air = width > 0 ? 0.04 * width : std::max(std::abs(low_) * 0.1, 1e-9);
    // Quantities that are not negative do not get a negative axis for the sake of air.
    return {low_ >= 0 ? std::max(0.0, low_ - air) : low_ - air, high_ + air};
  }

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

bool is_finite(const Sample& sample) {
  const auto finite = [](const std::optional<Range>& range) {
    return !range || (std::isfinite(range->low) && std::isfinite(range->high));
  };
  return std::isfinite(sample.x) && std::isfinite(sample.y) && finite(sample.x_range) &&
         finite(sample.y_range);
}

Range range_of(const Panel& panel, double Sample::* value, std::optional<Range> Sample::* interval) {
  Extent extent;
  for (const Series& series : panel.series) {
    for (const Sample& sample : series.samples) {
      extent.add(sample.*value);
      if (!(sample.*interval)) continue;
      extent.add((sample.*interval)->low);
      extent.add((sample.*interval)->high);
    }
  }
  return extent.padded();
}

// "12000" as "12,000": from five digits on, where an eye starts counting.
std::string grouped(std::string digits) {
  const std::size_t end = std::min(digits.find('.'), digits.size());
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  if (end - start < 5) return digits;
  for (std::size_t at = end; at > start + 3;) digits.insert(at -= 3, ",");
  return digits;
}

void settle(Axis& axis, Range fitted, int most_ticks) {
  const double low = axis.low.value_or(fitted.low);
  double high = axis.high.value_or(fitted.high);
  if (high <= low) high = low + std::max(1e-9, std::abs(low) * 0.1);
  axis.low = low;
  axis.high = high;
  if (axis.ticks.empty()) axis.ticks = round_ticks({low, high}, axis.kind, most_ticks);
}

// Moves texts, sorted by y, apart to at least `gap`, each as little as possible: isotonic regression of
// y_i - i gap, by pooling adjacent violators.
void spread(std::span<PlacedLabel> labels, Range range, double gap) {
  const auto count = static_cast<double>(labels.size());
  gap = std::min(gap, (range.high - range.low) / count);
  struct Block {
    double sum = 0;
    int size = 0;
    double mean() const { return sum / size; }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    blocks.push_back({labels[i].y - static_cast<double>(i) * gap, 1});
    while (blocks.size() > 1 && blocks.back().mean() < blocks[blocks.size() - 2].mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().sum + last.sum, blocks.back().size + last.size};
    }
  }
  std::size_t i = 0;
  for (const Block& block : blocks) {
    const double most = std::max(range.low, range.high - (count - 1) * gap);
    const double base = std::clamp(block.mean(), range.low, most);
    for (int k = 0; k < block.size; ++k, ++i) labels[i].text_y = base + static_cast<double>(i) * gap;
  }
}

}  // namespace

std::vector<Tick> round_ticks(Range range, AxisKind kind, int most) {
  const double rough = (range.high - range.low) / most;
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = decade;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (step < rough * (1 - 1e-9)) step = factor * decade;
  }
  std::vector<Tick> ticks;
  const double tolerance = 1e-9 * (range.high - range.low);
  const auto first = static_cast<long long>(std::ceil((range.low - tolerance) / step));
  const auto last = static_cast<long long>(std::floor((range.high + tolerance) / step));
  for (long long i = first; i <= last; ++i) {
    const double at = static_cast<double>(i) * step;
    ticks.push_back({at, tick_text(at, step, kind)});
  }
  return ticks;
}

std::string tick_text(double value, double step, AxisKind kind) {
  const double scale = kind == AxisKind::share ? 100 : 1;
  const double magnitude = std::log10(step * scale);
  const int decimals = std::clamp(static_cast<int>(-std::floor(magnitude + 1e-9)), 0, 9);
  const double shown = std::abs(value) < 1e-9 * step ? 0 : value * scale;
  return grouped(fmt::format("{:.{}f}", shown, decimals)) + (kind == AxisKind::share ? " %" : "");
}

Panel laid_out(Panel panel, int most_ticks) {
  for (Series& series : panel.series) {
    std::erase_if(series.samples, [](const Sample& sample) { return !is_finite(sample); });
  }
  settle(panel.x, range_of(panel, &Sample::x, &Sample::x_range), most_ticks);
  settle(panel.y, range_of(panel, &Sample::y, &Sample::y_range), most_ticks);
  return panel;
}

std::vector<PlacedLabel> placed_labels(const Panel& panel, double text_height) {
  std::vector<PlacedLabel> labels;
  for (const Series& series : panel.series) {
    if (series.label.empty() || series.samples.empty()) continue;
    const Sample& last = series.samples.back();
    labels.push_back(
        {series.label, series.ink == Ink::faint ? Ink::muted : series.ink, last.x, last.y, last.y});
  }
  std::ranges::sort(labels, [](const PlacedLabel& a, const PlacedLabel& b) {
    return std::pair(a.x, a.y) < std::pair(b.x, b.y);
  });
  const Range range{panel.y.low.value_or(0), panel.y.high.value_or(1)};
  // Only labels at the same place along x can overlap.
  for (auto first = labels.begin(); first != labels.end();) {
    const auto last = std::find_if(first, labels.end(), [&](const PlacedLabel& l) { return l.x > first->x; });
    spread({first, last}, range, text_height * (range.high - range.low));
    first = last;
  }
  return labels;
}

}  // namespace wattflex::report
