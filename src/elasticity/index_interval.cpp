#include "elasticity/index_interval.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "stats/percentile_interval.h"

namespace wattflex::elasticity {
namespace {

constexpr double kCoverage = 0.95;

// 0/0 in a resample carries no sign and no size; infinity is the honest end of the scale.
double without_nan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

void IndexResampler::draw_reference(const JudgedPoint& reference) {
  const auto [power, throughput] = draws_.of(0);
  const std::size_t count = draws_.count();
  reference_power_.resize(count);
  reference_throughput_.resize(count);
  for (std::size_t s = 0; s < count; ++s) {
    reference_power_[s] = 1 + reference.error.power * power[s];
    reference_throughput_[s] = 1 + reference.error.throughput * throughput[s];
  }
  for (auto* const sums : {&ratio_sum_, &used_ratio_sum_, &used_cut_sum_, &used_loss_sum_}) {
    sums->assign(count, 0);
  }
}

void IndexResampler::add_point(std::size_t index, const JudgedPoint& point, const JudgedPoint& reference,
                               Role role) {
  const double p = point.point.power / reference.point.power;
  const double t = point.point.throughput / reference.point.throughput;
  const double p_error = p * point.error.power;
  const double t_error = t * point.error.throughput;
  const auto [power, throughput] = draws_.of(index);
  const std::size_t count = draws_.count();
  // Plain pointers: through the members the compiler must assume that the arrays overlap.
  const double* __restrict a = reference_power_.data();
  const double* __restrict b = reference_throughput_.data();
  const float* __restrict z_power = power.data();
  const float* __restrict z_throughput = throughput.data();
  if (role == Role::ratio) {
    double* __restrict sum = ratio_sum_.data();
    for (std::size_t s = 0; s < count; ++s) {
      sum[s] += (a[s] - p - p_error * z_power[s]) / (b[s] - t - t_error * z_throughput[s]);
    }
    return;
  }
  double* __restrict sum = used_ratio_sum_.data();
  double* __restrict cuts = used_cut_sum_.data();
  double* __restrict losses = used_loss_sum_.data();
  for (std::size_t s = 0; s < count; ++s) {
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
  for (std::size_t s = 0; s < sums.size(); ++s) {
    values_[s] =
        without_nan(sums[s] * reference_throughput_[s] / (reference_power_[s] * static_cast<double>(count)));
  }
  return interval_of_values();
}

Interval IndexResampler::pooled_interval() {
  values_.resize(used_cut_sum_.size());
  for (std::size_t s = 0; s < values_.size(); ++s) {
    values_[s] =
        without_nan(used_cut_sum_[s] * reference_throughput_[s] / (used_loss_sum_[s] * reference_power_[s]));
  }
  return interval_of_values();
}

IndexIntervals IndexResampler::intervals(std::span<const JudgedPoint> points, std::span<const Role> roles) {
  assert(points.size() == roles.size());
  draw_reference(points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (roles[i] != Role::none) add_point(i, points[i], points.front(), roles[i]);
  }
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
