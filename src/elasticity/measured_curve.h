// Throughput of one job as a function of its draw, exactly as measured: straight lines between the points
// that a job would ever be run at. Not a fit; the smooth concave curve is power_curve.h. Not what a cap
// draws: that needs every row, also those dropped here (allocate/cap_map.h).
//
// Rule (docs/math/power-curve.md, As measured): points sorted by draw, upper monotone envelope, anchored at
// the uncapped point (P0, T0), linear between.
//  * A point that does not show its cap (not_enforced, other_limiter in verdict.h) is dropped.
//  * A point that draws as much as the uncapped one or more is dropped: the curve ends at (P0, T0).
//  * A point faster than the uncapped one is kept at T0: capping gains no speed, yet the draw is real, and
//    dropping it would hide the most flexible jobs.
//  * A point no faster than one that draws less is dropped: nobody would run there.
// The result does not depend on the order of rows. The draw is the whole job's, the cap per GPU.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/sweep.h"

namespace wattflex::elasticity {

struct CurvePoint {
  Power draw;
  double throughput = 0;
  Power cap;

  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

struct DroppedPoint {
  Power cap;
  std::string reason;
};

// A value; safe to read from several threads.
class MeasuredCurve {
 public:
  // Fails (no_data) when the uncapped point is not a sound reference. A group left with its uncapped point
  // alone gives a curve of one point: a job that cannot be cut.
  static Result<MeasuredCurve> from(const SweepGroup& group);

  Power lowest_draw() const { return points_.front().draw; }
  Power uncapped_draw() const { return points_.back().draw; }
  double uncapped_throughput() const { return points_.back().throughput; }

  // Draws outside lowest..uncapped are taken as the nearer end.
  double throughput_at(Power draw) const;

  // By rising draw and throughput (only the last two may tie in throughput); the last is the uncapped one.
  std::span<const CurvePoint> points() const { return points_; }
  std::span<const DroppedPoint> dropped() const { return dropped_; }

 private:
  explicit MeasuredCurve(const SweepPoint& uncapped);

  void drop_dominated();

  std::vector<CurvePoint> points_;  // never empty
  std::vector<DroppedPoint> dropped_;
};

}  // namespace wattflex::elasticity
