// What a job yields at a draw, as the allocator sees it: a piecewise-linear curve with the cap that gives
// each draw. Where the curve comes from (measured, predicted) is the caller's business.
#pragma once

#include <span>
#include <vector>

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
  explicit Curve(std::vector<CurvePoint> points);

  std::span<const CurvePoint> points() const { return points_; }
  Power lowest_draw() const { return points_.front().draw; }
  Power uncapped_draw() const { return points_.back().draw; }
  double uncapped_throughput() const { return points_.back().throughput; }

  // Draws outside the measured range count as its nearest end.
  double throughput_at(Power draw) const;
  Power cap_at(Power draw) const;
  // Least draw that gives at least this throughput; the uncapped draw when none does.
  Power draw_for(double throughput) const;

  // The same job on `ratio` times as many GPUs: draw and throughput scale, caps per GPU do not.
  Curve scaled(double ratio) const;

 private:
  std::vector<CurvePoint> points_;
};

}  // namespace wattflex::allocate
