#include "elasticity/index_interval.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "stats/percentile_interval.h"

// Wider arithmetic where the processor has it, chosen at start; without fused multiply-add the results are
// the same bit for bit. Needs g++ and glibc, and sanitizers run before the choice can be made.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WATTFLEX_WIDE [[gnu::target_clones("avx2", "default")]]
#else
#define WATTFLEX_WIDE
#endif

namespace wattflex::elasticity {
namespace {

constexpr double kCoverage = 0.95;
// Resamples worked on at a time: all sums of a block stay in the first-level cache over all points.
constexpr std::size_t kBlock = 512;

// 0/0 in a resample carries no sign and no size; infinity is the honest end of the scale.
double without_nan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

Interval widened(double value, const Interval& interval, double factor) {
  return {value - factor * (value - interval.low), value + factor * (interval.high - value)};
}

void IndexResampler::draw_reference(const JudgedPoint& reference) {
  const auto [power, throughput] = draws_.of(0);
  const std::size_t count = draws_.count();
  reference_power_.resize(count);
  reference_throughput_.resize(count);
  scale_.resize(count);
  for (std::size_t s = 0; s < count; ++s) {
    reference_power_[s] = 1 + reference.error.power * power[s];
    reference_throughput_[s] = 1 + reference.error.throughput * throughput[s];
    scale_[s] = reference_throughput_[s] / reference_power_[s];
  }
  for (auto* const sums : {&ratio_sum_, &used_ratio_sum_, &used_cut_sum_, &used_loss_sum_}) {
    sums->assign(count, 0);
  }
}

void IndexResampler::add(std::span<const Term> terms) {
  for (std::size_t begin = 0; begin < draws_.count(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, draws_.count());
    for (const Term& term : terms) add_block(term, begin, end);
  }
}

WATTFLEX_WIDE void IndexResampler::add_block(const Term& term, std::size_t begin, std::size_t end) {
  const auto [p, t, p_error, t_error, z_power, z_throughput, used] = term;
  // Plain pointers: through the members the compiler must assume that the arrays overlap.
  const double* __restrict a = reference_power_.data();
  const double* __restrict b = reference_throughput_.data();
  if (!used) {
    double* __restrict sum = ratio_sum_.data();
    for (std::size_t s = begin; s < end; ++s) {
      sum[s] += (a[s] - p - p_error * z_power[s]) / (b[s] - t - t_error * z_throughput[s]);
    }
    return;
  }
  double* __restrict sum = used_ratio_sum_.data();
  double* __restrict cuts = used_cut_sum_.data();
  double* __restrict losses = used_loss_sum_.data();
  for (std::size_t s = begin; s < end; ++s) {
    const double cut = a[s] - p - p_error * z_power[s];
    const double loss = b[s] - t - t_error * z_throughput[s];
    sum[s] += cut / loss;
    cuts[s] += cut;
    losses[s] += loss;
  }
}

Interval IndexResampler::interval_of_values() {
  const auto [low, high] = stats::percentile_interval(values_, kCoverage, scratch_);
  return {low, high};
}

Interval IndexResampler::mean_interval(const std::vector<double>& sums, std::size_t count) {
  values_.resize(sums.size());
  const double share = 1 / static_cast<double>(count);
  for (std::size_t s = 0; s < sums.size(); ++s) {
    values_[s] = without_nan(sums[s] * scale_[s] * share);
  }
  return interval_of_values();
}

Interval IndexResampler::pooled_interval() {
  values_.resize(used_cut_sum_.size());
  for (std::size_t s = 0; s < values_.size(); ++s) {
    values_[s] = without_nan(used_cut_sum_[s] / used_loss_sum_[s] * scale_[s]);
  }
  return interval_of_values();
}

void IndexResampler::add_points(std::span<const JudgedPoint> points, std::span<const Role> roles) {
  const SweepPoint& reference = points.front().point;
  std::vector<Term> terms;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (roles[i] == Role::none) continue;
    const double p = points[i].point.power / reference.power;
    const double t = points[i].point.throughput / reference.throughput;
    const auto [power_draws, throughput_draws] = draws_.of(i);
    const Term term{p,
                    t,
                    p * points[i].error.power,
                    t * points[i].error.throughput,
                    power_draws.data(),
                    throughput_draws.data(),
                    roles[i] == Role::used};
    if (i < NormalDraws::kKeptPoints) {
      terms.push_back(term);
    } else {
      add(std::span(&term, 1));  // before the next point's draws replace these
    }
  }
  add(terms);
}

IndexIntervals IndexResampler::intervals(std::span<const JudgedPoint> points, std::span<const Role> roles) {
  assert(points.size() == roles.size());
  draw_reference(points.front());
  add_points(points, roles);
  const auto used = static_cast<std::size_t>(std::ranges::count(roles, Role::used));
  const auto others = static_cast<std::size_t>(std::ranges::count(roles, Role::ratio));
  IndexIntervals result;
  if (used > 0) {
    result.guarded = mean_interval(used_ratio_sum_, used);
    result.pooled = pooled_interval();
  }
  if (others > 0) {
    for (std::size_t s = 0; s < ratio_sum_.size(); ++s) ratio_sum_[s] += used_ratio_sum_[s];
    result.published = mean_interval(ratio_sum_, used + others);
  } else {
    result.published = result.guarded;
  }
  return result;
}

}  // namespace wattflex::elasticity
