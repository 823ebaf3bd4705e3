// 95 % intervals of the published, guarded and pooled index by resampling (arXiv:2609.11542: 10,000
// Monte Carlo samples, power and throughput resampled). Which points enter an index is decided before, by
// measure; a resample changes their values and never their number.
//
// One resample draws for every point P' = P (1 + e_P z) and T' = T (1 + e_T z'), z and z' independent
// standard normals, e the point's relative standard errors; the uncapped point is drawn once and shared by
// all ratios. The index is computed from the drawn values; the interval is its 2.5th to 97.5th percentile.
// With a = P0'/P0, b = T0'/T0, p = P_i/P0, t = T_i/T0 the ratio of one point is
//   (1 - P_i'/P0') / (1 - T_i'/T0') = (a - p (1 + e_P z)) / (b - t (1 + e_T z')) * b/a,
// one division a point. Where a resampled loss crosses zero the ratio runs through infinity and changes sign;
// such resamples count as they are. The interval of an index with an unresolved point is therefore huge and
// may be all but meaningless: that is what such an index is worth, and what the guarded one is for.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "elasticity/normal_draws.h"
#include "elasticity/verdict.h"

namespace wattflex::elasticity {

struct Interval {
  double low = 0;
  double high = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

// `interval` of a value with all errors multiplied by `factor`, to first order.
Interval widened(double value, const Interval& interval, double factor);

struct IndexIntervals {
  std::optional<Interval> published;  // over all points of `ratio` and better
  std::optional<Interval> guarded;    // over `used` points
  std::optional<Interval> pooled;     // over `used` points
};

// What a point contributes to.
enum class Role { none, ratio, used };

// Working memory is kept between calls. Not thread-safe.
class IndexResampler {
 public:
  IndexResampler(int resamples, std::uint64_t seed) : draws_(resamples, seed) {}

  // `roles` is parallel to `points`; points[0] is the uncapped reference and has no role. An interval is
  // absent when no point plays its role.
  IndexIntervals intervals(std::span<const JudgedPoint> points, std::span<const Role> roles);

 private:
  // What one point adds to every resample.
  struct Term {
    double power = 0;  // p
    double throughput = 0;
    double power_error = 0;  // p e_P
    double throughput_error = 0;
    const float* power_draws = nullptr;
    const float* throughput_draws = nullptr;
    bool used = false;
  };

  void draw_reference(const JudgedPoint& reference);
  void add_points(std::span<const JudgedPoint> points, std::span<const Role> roles);
  void add(std::span<const Term> terms);
  void add_block(const Term& term, std::size_t begin, std::size_t end);
  Interval mean_interval(const std::vector<double>& sums, std::size_t count);
  Interval pooled_interval();
  Interval interval_of_values();

  NormalDraws draws_;
  // One entry a resample.
  std::vector<double> reference_power_;       // a
  std::vector<double> reference_throughput_;  // b
  std::vector<double> scale_;                 // b/a
  std::vector<double> ratio_sum_;             // over points of role `ratio` alone
  std::vector<double> used_ratio_sum_;
  std::vector<double> used_cut_sum_;
  std::vector<double> used_loss_sum_;
  std::vector<double> values_;
  std::vector<double> scratch_;
};

}  // namespace wattflex::elasticity
