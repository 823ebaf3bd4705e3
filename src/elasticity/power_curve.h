// One job's throughput as a function of its draw, smoothed: non-decreasing and concave, fitted to the sound
// points of its sweep, with a 95 % interval for anything computed from it. The curve exactly as measured is
// measured_curve.h. docs/math/power-curve.md has the derivation.
//
//   throughput   T(P) = least squares fit of shape concave_regression.h to (P_i, T_i), weights 1 / sigma_i^2,
//                sigma_i^2 = (T_i e_T)^2 + (T'(P_i) P_i e_P)^2   (effective variance: Orear, Am. J. Phys. 50,
//                1982) e_T, e_P the relative errors of noise.h; the slopes T' come from a first fit without
//                them.
//   draw         P(cap) = isotonic regression of P_i on cap_i, linear between caps
//   intervals    from refits to resampled points, T_i and P_i times independent lognormal errors of e_T and
//   e_P;
//                a refit has its own uncapped point, so that error is shared by all ratios. An interval
//                reaches as far to either side as the further of the 2.5th and 97.5th percentile: where the
//                truth is nearly straight the shape pushes fit and refits the same way, and bare percentiles
//                then hold the truth in 80 % of cases instead of 95 (simulated in the tests).
//
// Assumes independent errors, mean draws, and a job free to mix its states in time (then of any two draws the
// achievable curve holds the line between: it is concave). Points with a fault (not_enforced, other_limiter)
// are left out; points whose cap does not bind repeat the uncapped state and count. When the points scatter
// about the fit more than their errors explain (chi^2 test, p < 0.05) all errors are multiplied by
// scatter = sqrt(chi^2 / degrees of freedom), as the Particle Data Group does; the intervals of the index
// widen by the same factor (flexibility.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "base/error.h"
#include "elasticity/concave_regression.h"
#include "elasticity/verdict.h"
#include "model/sweep.h"

namespace wattflex::elasticity {

// A value and its 95 % interval; low <= value <= high.
struct Ranged {
  double value = 0;
  double low = 0;
  double high = 0;
};

// What a quantity can be at all; its interval goes no further.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
constexpr Bounds kShare = {0, 1};
constexpr Bounds kNotNegative = {.least = 0};

// A value type. Draws and throughputs are the whole job's, caps per GPU. Callers stay within the range of
// caps and draws of the best fit; a refit's own range differs by noise, and there its end pieces go on.
class PowerCurve {
 public:
  struct CapDraw {
    Power cap;
    Power draw;
  };

  // `draws` by strictly rising cap, never falling draw, not empty.
  PowerCurve(ConcaveFunction throughput, std::vector<CapDraw> draws);

  Power lowest_cap() const { return draws_.front().cap; }
  Power uncapped_cap() const { return draws_.back().cap; }
  Power lowest_draw() const { return draws_.front().draw; }
  Power uncapped_draw() const { return draws_.back().draw; }
  double uncapped_throughput() const { return throughput_at(uncapped_draw()); }

  // Caps outside the measured range are taken as the nearer end.
  Power draw_at(Power cap) const;
  double throughput_at(Power draw) const { return std::max(0.0, throughput_.at(draw.watts())); }
  // Share of the uncapped throughput, 0..1.
  double kept_at(Power draw) const { return throughput_at(draw) / uncapped_throughput(); }
  // Throughput lost with the next watt taken away.
  double marginal_at(Power draw) const { return throughput_.slope_below(draw.watts()); }
  // Work per joule: throughput over draw.
  double efficiency_at(Power draw) const { return throughput_at(draw) / draw.watts(); }

 private:
  ConcaveFunction throughput_;  // of watts
  std::vector<CapDraw> draws_;
};

// A measured point beside the curve.
struct CurveResidual {
  JudgedPoint judged;
  double fitted = 0;     // throughput of the curve at the point's draw
  double departure = 0;  // (measured - fitted) / sigma, sigma before any widening
};

class PowerCurveFit {
 public:
  struct Options {
    int resamples = 1000;  // 0..100,000; without any, intervals are as wide as their bounds
    std::uint64_t seed = 1;
  };

  // `judged` as judge() gives it. The resamples hang on the seed and the group's name and accelerator alone,
  // not on its place in a table. Fails (no_data) when the uncapped point has a fault, when no other sound
  // point is left, and when no curve can be fitted: values far from finite, or errors, as stated or as
  // widened, above ten times the values.
  static Result<PowerCurveFit> fit(const GroupId& id, std::span<const JudgedPoint> judged,
                                   const Options& options);

  const PowerCurve& curve() const { return curve_; }
  // The sound points, by falling cap.
  std::span<const CurveResidual> residuals() const { return residuals_; }
  // sqrt(chi^2 / degrees of freedom); 0 when the curve goes through every point.
  double scatter() const { return scatter_; }
  bool widened() const { return widened_; }

  // The quantity of the curve, with its interval from the refits.
  Ranged estimate(const std::function<double(const PowerCurve&)>& quantity, const Bounds& bounds = {}) const;

 private:
  explicit PowerCurveFit(PowerCurve curve) : curve_(std::move(curve)) {}

  PowerCurve curve_;
  std::vector<PowerCurve> refits_;
  std::vector<CurveResidual> residuals_;
  double scatter_ = 0;
  bool widened_ = false;
};

}  // namespace wattflex::elasticity
