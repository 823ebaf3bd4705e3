#include "elasticity/concave_regression.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace wattflex::elasticity {
namespace {

using Points = std::vector<WeightedPoint>;

constexpr double kLeastWeight = 1e-12;  // of the largest weight

// By rising x, points of equal x merged, weights summing to 1, x and y brought to the order of 1.
struct Scaled {
  Points points;
  double x_origin = 0;
  double x_scale = 1;
  double y_scale = 1;
};

Points merged(Points points) {
  std::ranges::sort(points, {}, &WeightedPoint::x);
  Points merged;
  for (const WeightedPoint& point : points) {
    if (merged.empty() || merged.back().x != point.x) {
      merged.push_back(point);
      continue;
    }
    WeightedPoint& last = merged.back();
    const double weight = last.weight + point.weight;
    last.y += (point.y - last.y) * (point.weight / weight);
    last.weight = weight;
  }
  return merged;
}

// Values and weights first, so that nothing overflows while points are merged.
Scaled scale(std::span<const WeightedPoint> points) {
  Scaled scaled{.points = Points(points.begin(), points.end())};
  double largest = 0;
  double heaviest = 0;
  for (const WeightedPoint& point : points) {
    largest = std::max(largest, std::abs(point.y));
    heaviest = std::max(heaviest, point.weight);
  }
  if (largest > 0) scaled.y_scale = largest;
  for (WeightedPoint& point : scaled.points) {
    point.y /= scaled.y_scale;
    point.weight = std::max(point.weight / heaviest, kLeastWeight);
  }
  scaled.points = merged(std::move(scaled.points));
  scaled.x_origin = scaled.points.front().x;
  if (scaled.points.size() > 1) scaled.x_scale = scaled.points.back().x - scaled.x_origin;
  double total_weight = 0;
  for (const WeightedPoint& point : scaled.points) total_weight += point.weight;
  for (WeightedPoint& point : scaled.points) {
    point.x = (point.x - scaled.x_origin) / scaled.x_scale;
    point.weight /= total_weight;
  }
  return scaled;
}

bool is_finite(const WeightedPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.weight) && point.weight > 0;
}

// A knot: the index of its point, and by how much the slope falls there.
struct Knot {
  std::size_t point;
  double bend;
};

// The active set: knots by rising index. The function is constant after the last one.
class ActiveSetFit {
 public:
  explicit ActiveSetFit(const Points& points) : points_(points), fitted_(points.size()) { refit(); }

  // Whether the optimum was reached.
  bool solve() {
    // Every step lowers the sum of squares, so no set comes twice; the bound is for rounding alone.
    const std::size_t most_steps = 20 * points_.size() + 100;
    for (std::size_t step = 0; step < most_steps; ++step) {
      const std::optional<std::size_t> best = steepest_candidate();
      if (!best) return std::ranges::all_of(fitted_, [](double y) { return std::isfinite(y); });
      if (!add(*best)) blocked_.push_back(*best);
    }
    return false;
  }

  ConcaveFunction function(const Scaled& scaled) const {
    std::vector<ConcaveFunction::Node> nodes;
    const auto push = [&](double x, double y) {
      nodes.push_back({scaled.x_origin + x * scaled.x_scale, y * scaled.y_scale});
    };
    push(points_.front().x, fitted_.front());
    for (const Knot& knot : knots_) push(points_[knot.point].x, fitted_[knot.point]);
    const std::size_t last = points_.size() - 1;
    if (last > 0 && (knots_.empty() || knots_.back().point != last)) push(points_[last].x, fitted_[last]);
    return ConcaveFunction(std::move(nodes));
  }

 private:
  // The absent knot along which the sum of squares falls fastest; none at the optimum.
  std::optional<std::size_t> steepest_candidate() const {
    constexpr double kTolerance = 1e-13;  // gradients are sums of terms of the order of 1
    double residuals_after = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) residuals_after += residual(i);
    double moment_before = 0;
    double steepest = kTolerance;
    std::optional<std::size_t> best;
    for (std::size_t j = 1; j < points_.size(); ++j) {
      moment_before += residual(j - 1) * points_[j - 1].x;
      residuals_after -= residual(j - 1);
      const double descent = moment_before + points_[j].x * residuals_after;
      if (descent <= steepest || is_knot(j) || is_blocked(j)) continue;
      steepest = descent;
      best = j;
    }
    return best;
  }

  double residual(std::size_t i) const { return points_[i].weight * (points_[i].y - fitted_[i]); }
  bool is_knot(std::size_t j) const { return std::ranges::find(knots_, j, &Knot::point) != knots_.end(); }
  bool is_blocked(std::size_t j) const { return std::ranges::find(blocked_, j) != blocked_.end(); }

  // Adds a knot and walks to the new optimum, dropping knots whose bend would turn negative on the way. False
  // when rounding leaves nothing to gain.
  bool add(std::size_t j) {
    const std::vector<Knot> before = knots_;
    knots_.insert(std::ranges::upper_bound(knots_, j, {}, &Knot::point), Knot{j, 0});
    // Every round but the last drops a knot.
    for (std::size_t most_rounds = knots_.size() + 1; most_rounds > 0; --most_rounds) {
      const std::vector<double> target = refit();
      const std::optional<Vanishing> first = first_to_vanish(target);
      const double step = first ? first->step : 1;
      for (std::size_t k = 0; k < knots_.size(); ++k) knots_[k].bend += step * (target[k] - knots_[k].bend);
      if (!first) {
        blocked_.clear();
        return true;
      }
      knots_[first->knot].bend = 0;
      std::erase_if(knots_, [](const Knot& knot) { return knot.bend <= 0; });
      if (std::ranges::equal(knots_, before, {}, &Knot::point, &Knot::point)) break;
    }
    refit();
    return false;
  }

  // A knot, and the share of the way to the unconstrained optimum at which its bend is zero.
  struct Vanishing {
    std::size_t knot;
    double step;
  };

  // Of the knots whose bend would not stay positive, the one that meets zero first on the way to `target`.
  std::optional<Vanishing> first_to_vanish(const std::vector<double>& target) const {
    std::optional<Vanishing> first;
    for (std::size_t k = 0; k < knots_.size(); ++k) {
      if (target[k] > 0) continue;
      const double bend = knots_[k].bend;
      const double step = bend > 0 ? bend / (bend - target[k]) : 0;
      if (!first || step < first->step) first = {k, step};
    }
    return first;
  }

  // Unconstrained least squares with the present knots: sets the fitted values, returns the bends. The values
  // at the nodes solve tridiagonal normal equations; every node is an observation, so these are well
  // conditioned.
  std::vector<double> refit() {
    const std::size_t nodes = knots_.size() + 1;
    std::vector<double> diagonal(nodes), beside(nodes), right(nodes);
    std::size_t node = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      while (node + 1 < nodes && i >= node_point(node + 1)) ++node;
      const double share = node + 1 < nodes ? share_above(i, node) : 0;
      const double w = points_[i].weight;
      diagonal[node] += w * (1 - share) * (1 - share);
      right[node] += w * (1 - share) * points_[i].y;
      if (share == 0) continue;
      diagonal[node + 1] += w * share * share;
      beside[node] += w * share * (1 - share);
      right[node + 1] += w * share * points_[i].y;
    }
    const std::vector<double> values = solve_tridiagonal(diagonal, beside, right);
    spread(values);
    return bends(values);
  }

  std::size_t node_point(std::size_t node) const { return node == 0 ? 0 : knots_[node - 1].point; }
  double node_x(std::size_t node) const { return points_[node_point(node)].x; }

  // How far point i lies between a node and the next one, 0..1.
  double share_above(std::size_t i, std::size_t node) const {
    return (points_[i].x - node_x(node)) / (node_x(node + 1) - node_x(node));
  }

  static std::vector<double> solve_tridiagonal(std::vector<double>& diagonal,
                                               const std::vector<double>& beside,
                                               std::vector<double>& right) {
    const std::size_t n = diagonal.size();
    for (std::size_t k = 1; k < n; ++k) {
      const double factor = beside[k - 1] / diagonal[k - 1];
      diagonal[k] -= factor * beside[k - 1];
      right[k] -= factor * right[k - 1];
    }
    std::vector<double> values(n);
    values[n - 1] = right[n - 1] / diagonal[n - 1];
    for (std::size_t k = n - 1; k-- > 0;) values[k] = (right[k] - beside[k] * values[k + 1]) / diagonal[k];
    return values;
  }

  void spread(const std::vector<double>& values) {
    std::size_t node = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      while (node + 1 < values.size() && i >= node_point(node + 1)) ++node;
      fitted_[i] = values[node];
      if (node + 1 < values.size()) fitted_[i] += share_above(i, node) * (values[node + 1] - values[node]);
    }
  }

  std::vector<double> bends(const std::vector<double>& values) const {
    std::vector<double> result(knots_.size());
    double slope_after = 0;
    for (std::size_t k = knots_.size(); k-- > 0;) {
      const double slope = (values[k + 1] - values[k]) / (node_x(k + 1) - node_x(k));
      result[k] = slope - slope_after;
      slope_after = slope;
    }
    return result;
  }

  const Points& points_;
  std::vector<double> fitted_;
  std::vector<Knot> knots_;
  std::vector<std::size_t> blocked_;  // candidates that gained nothing since the last step that did
};

}  // namespace

double ConcaveFunction::slope(std::size_t piece) const {
  if (nodes_.size() < 2) return 0;
  piece = std::min(piece, nodes_.size() - 2);
  return (nodes_[piece + 1].y - nodes_[piece].y) / (nodes_[piece + 1].x - nodes_[piece].x);
}

double ConcaveFunction::at(double x) const {
  const auto above = std::ranges::lower_bound(nodes_, x, {}, &Node::x);
  const auto piece = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - nodes_.begin() - 1, 0));
  const Node& node = nodes_[std::min(piece, nodes_.size() - 1)];
  return node.y + slope(piece) * (x - node.x);
}

double ConcaveFunction::slope_below(double x) const {
  const auto above = std::ranges::lower_bound(nodes_, x, {}, &Node::x);
  return slope(static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - nodes_.begin() - 1, 0)));
}

double ConcaveFunction::slope_above(double x) const {
  const auto above = std::ranges::upper_bound(nodes_, x, {}, &Node::x);
  return slope(static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - nodes_.begin() - 1, 0)));
}

Result<ConcaveFunction> fit_concave(std::span<const WeightedPoint> points) {
  assert(!points.empty());
  const auto [least, most] = std::ranges::minmax(points, {}, &WeightedPoint::x);
  if (!std::ranges::all_of(points, is_finite) || !std::isfinite(most.x - least.x)) {
    return fail(ErrorKind::no_data, "a point of the curve is not finite", "correct the rows of the group");
  }
  const Scaled scaled = scale(points);
  ActiveSetFit fit(scaled.points);
  if (!fit.solve()) {
    return fail(ErrorKind::no_data, "no concave curve was found within the rounding of its points",
                "look for values of unlike units among the rows of the group");
  }
  return fit.function(scaled);
}

}  // namespace wattflex::elasticity
