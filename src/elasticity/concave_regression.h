// The non-decreasing, concave function nearest to weighted observations.
//
//   minimise  sum_i w_i (y_i - f(x_i))^2   over all f non-decreasing and concave
//
// Such an f may be taken piecewise linear with knots at observed x, f(x) = c + sum_j b_j min(x, x_j) with c
// free and every b_j >= 0, which makes the problem a non-negative least squares one: strictly convex in the
// fitted values, so these are unique. Solved exactly (to rounding) by active sets (Lawson and Hanson,
// "Solving Least Squares Problems", 1974, ch. 23; as "support reduction" Groeneboom, Jongbloed and Wellner,
// Scand. J. Stat. 35, 2008). The reduced problem is a spline with given knots, tridiagonal in its values at
// the knots, so a step is O(n) and a thousand observations cost milliseconds.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/error.h"

namespace wattflex::elasticity {

struct WeightedPoint {
  double x = 0;
  double y = 0;
  double weight = 1;  // > 0: 1 / variance of y
};

// A continuous piecewise-linear function, concave and non-decreasing. Outside its nodes the end pieces go on.
class ConcaveFunction {
 public:
  struct Node {
    double x;
    double y;
  };

  // At least one node; x strictly rising.
  explicit ConcaveFunction(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}

  double at(double x) const;
  // Slope of the piece that ends at or contains x: what the next step down costs. 0 for a single node.
  double slope_below(double x) const;
  // Slope of the piece that starts at or contains x.
  double slope_above(double x) const;
  // Ends of the pieces: the smallest x, every x where the slope falls, and the largest x.
  std::span<const Node> nodes() const { return nodes_; }

 private:
  double slope(std::size_t piece) const;

  std::vector<Node> nodes_;
};

// `points` in any order, at least one. Points of equal x count as one at their weighted mean; a weight below
// 1e-12 of the largest counts as that, beyond it the normal equations lose the point to rounding. Magnitudes
// play no part: all is scaled before it is squared. Fails (no_data) when a value, or the range of x, is not
// finite, or when rounding keeps the active sets from settling.
Result<ConcaveFunction> fit_concave(std::span<const WeightedPoint> points);

}  // namespace wattflex::elasticity
