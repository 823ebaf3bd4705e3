#include "ingest/logs/step_times.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace wattflex::logs {
namespace {

constexpr int kMantissaBits = StepTimes::kMantissaBits;
constexpr int kSmallestExponent = -20;
constexpr std::size_t kBins = StepTimes::kBlocks << kMantissaBits;

// Readings further from the median than this many standard deviations (as the median deviation gives them)
// are no ordinary steps; never narrower than a share of the median, for logs that print three digits.
constexpr double kMostDeviations = 5;
constexpr double kNormalByMedianDeviation = 1.4826;  // of a normal distribution
constexpr double kLeastShare = 0.02;

// The upper bits of a double are its binary exponent and mantissa: a logarithm without computing one.
std::size_t bin_of(double step_time) {
  const auto bits = std::bit_cast<std::uint64_t>(step_time) >> (52 - kMantissaBits);
  const auto first = static_cast<std::uint64_t>(1023 + kSmallestExponent) << kMantissaBits;
  if (bits < first) return 0;
  return std::min<std::size_t>(bits - first, kBins - 1);
}

std::optional<double> stderr_of(double sum, double squares, std::uint64_t n) {
  if (n < 2) return std::nullopt;
  const auto count = static_cast<double>(n);
  const double variance = std::max(0.0, (squares - sum * sum / count) / (count - 1));
  return std::sqrt(variance / count);
}

}  // namespace

StepTimes::Sums& StepTimes::filled(std::size_t bin) {
  auto& block = blocks_[bin >> kMantissaBits];
  if (!block) block = std::make_unique<Block>();
  return (*block)[bin % block->size()];
}

const StepTimes::Sums& StepTimes::bin(std::size_t number) const {
  static constexpr Sums kEmpty;
  const auto& block = blocks_[number >> kMantissaBits];
  return block ? (*block)[number % block->size()] : kEmpty;
}

StepTimes::Sums& StepTimes::Sums::operator+=(const Sums& other) {
  readings += other.readings;
  steps += other.steps;
  time += other.time;
  step_time += other.step_time;
  step_time_squared += other.step_time_squared;
  token_time += other.token_time;
  tokens += other.tokens;
  sample_time += other.sample_time;
  samples += other.samples;
  return *this;
}

void StepTimes::add(const TimedSteps& steps) {
  if (!(steps.step_time > 0) || !std::isfinite(steps.step_time) || !(steps.steps > 0)) return;
  const std::size_t place = bin_of(steps.step_time);
  const double time = steps.step_time * steps.steps;
  Sums& sums = filled(place);
  ++sums.readings;
  sums.steps += steps.steps;
  sums.time += time;
  sums.step_time += steps.step_time;
  sums.step_time_squared += steps.step_time * steps.step_time;
  if (steps.tokens) {
    sums.token_time += time;
    sums.tokens += *steps.tokens * steps.steps;
  }
  if (steps.samples) {
    sums.sample_time += time;
    sums.samples += *steps.samples * steps.steps;
  }
  if (readings_++ == 0) {
    at_ = place;
    return;
  }
  if (place < at_) ++below_;
  while (2 * below_ > readings_) {
    do --at_;
    while (bin(at_).readings == 0);
    below_ -= bin(at_).readings;
  }
  while (2 * (below_ + bin(at_).readings) < readings_) {
    below_ += bin(at_).readings;
    do ++at_;
    while (bin(at_).readings == 0);
  }
}

void StepTimes::clear() {
  for (auto& block : blocks_) block.reset();
  readings_ = 0;
  at_ = 0;
  below_ = 0;
}

double StepTimes::mean_of(std::size_t number) const {
  return bin(number).step_time / static_cast<double>(bin(number).readings);
}

std::optional<double> StepTimes::running_median() const {
  if (readings_ < 3) return std::nullopt;
  return mean_of(at_);
}

// The median distance from `median`, walking outwards from it on both sides.
double StepTimes::deviation_about(double median) const {
  std::size_t down = at_;
  std::size_t up = at_ + 1;
  std::uint64_t passed = 0;
  double distance = 0;
  const auto skip_empty = [&] {
    while (down < kBins && bin(down).readings == 0) down = down == 0 ? kBins : down - 1;
    while (up < kBins && bin(up).readings == 0) ++up;
  };
  for (skip_empty(); 2 * passed < readings_ && (down < kBins || up < kBins); skip_empty()) {
    const double below = down < kBins ? std::abs(mean_of(down) - median) : INFINITY;
    const double above = up < kBins ? std::abs(mean_of(up) - median) : INFINITY;
    distance = std::min(below, above);
    if (below <= above) {
      passed += bin(down).readings;
      down = down == 0 ? kBins : down - 1;
    } else {
      passed += bin(up).readings;
      ++up;
    }
  }
  return distance;
}

std::optional<TypicalSteps> StepTimes::typical() const {
  if (readings_ == 0) return std::nullopt;
  TypicalSteps result;
  const double median = mean_of(at_);
  result.median_step_time = median;
  const double reach =
      std::max(kMostDeviations * kNormalByMedianDeviation * deviation_about(median), kLeastShare * median);
  Sums kept;
  Sums slow;
  for (std::size_t i = 0; i < kBins; ++i) {
    if (bin(i).readings == 0) continue;
    const double distance = mean_of(i) - median;
    if (std::abs(distance) <= reach) {
      kept += bin(i);
    } else if (distance > 0) {
      slow += bin(i);
    }
  }
  result.readings = kept.readings;
  result.dropped = readings_ - kept.readings;
  result.steps = kept.steps;
  result.step_time = kept.time / kept.steps;
  result.step_time_stderr = stderr_of(kept.step_time, kept.step_time_squared, kept.readings);
  result.dropped_excess_time = std::max(0.0, slow.time - slow.steps * result.step_time);
  const auto relative = [&](double rate) -> std::optional<double> {
    if (!result.step_time_stderr) return std::nullopt;
    return rate * *result.step_time_stderr / result.step_time;
  };
  if (kept.token_time > 0) {
    result.tokens_per_s = kept.tokens / kept.token_time;
    result.tokens_per_s_stderr = relative(*result.tokens_per_s);
  }
  if (kept.sample_time > 0) {
    result.samples_per_s = kept.samples / kept.sample_time;
    result.samples_per_s_stderr = relative(*result.samples_per_s);
  }
  return result;
}

}  // namespace wattflex::logs
