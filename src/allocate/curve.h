// What a job yields at a draw, as the allocator sees it: a piecewise-linear curve with the cap that gives
// each draw. Where the curve comes from (measured, predicted) is the caller's business.
#pragma once

#include <span>
#include <vector>

#include "allocate/cap_map.h"
#include "base/quantity.h"

namespace wattflex::allocate {

// Draw and throughput are the whole job's, the cap is per GPU.
struct CurvePoint {
  Power draw;
  double throughput = 0;
  Power cap;
};

// Throughput over draw, linear between points; the last point is the uncapped one. Need not be concave.
// Immutable, safe to share between threads.
class Curve {
 public:
  // At least one point, draws strictly rising, throughput never falling and positive at the end (assertions).
  // `caps` holds every sound row of the sweep, also those that `points` leaves out; without it the points
  // stand for themselves.
  explicit Curve(std::vector<CurvePoint> points, std::vector<MeasuredCap> caps = {});

  std::span<const CurvePoint> points() const { return points_; }
  Power lowest_draw() const { return points_.front().draw; }
  Power uncapped_draw() const { return points_.back().draw; }
  double uncapped_throughput() const { return points_.back().throughput; }
  const CapMap& caps() const { return caps_; }
  // The least draw that a cap is known to hold the job to: not below lowest_draw().
  Power least_capped_draw() const;

  // Draws outside the measured range count as its nearest end.
  double throughput_at(Power draw) const;
  // Least draw that gives at least this throughput; the uncapped draw when none does.
  Power draw_for(double throughput) const;

  // The same job on `ratio` times as many GPUs: draw and throughput scale, caps per GPU do not.
  Curve scaled(double ratio) const;

 private:
  Curve(std::vector<CurvePoint> points, CapMap caps);

  std::vector<CurvePoint> points_;
  CapMap caps_;
};

}  // namespace wattflex::allocate
