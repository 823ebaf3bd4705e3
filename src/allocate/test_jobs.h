// Small jobs for tests: a curve written as (draw, throughput) pairs.
#pragma once

#include <deque>
#include <initializer_list>
#include <utility>
#include <vector>

#include "allocate/problem.h"
#include "base/random.h"

namespace wattflex::allocate {

inline Power watts(double value) {
  return Power::from_watts(value);
}

// Keeps the curves its problem points to.
class TestFleet {
 public:
  explicit TestFleet(Objective objective = Objective::normalized) { problem.objective = objective; }

  Job& add(const std::vector<std::pair<double, double>>& points, int gpus = 1, double value = 1) {
    std::vector<CurvePoint> curve;
    for (const auto& [draw, throughput] : points) {
      curve.push_back({Power::from_watts(draw), throughput, Power::from_watts(draw / gpus)});
    }
    curves_.emplace_back(std::move(curve));
    problem.jobs.push_back({.name = "job " + std::to_string(problem.jobs.size()),
                            .curve = &curves_.back(),
                            .gpus = gpus,
                            .value = value});
    return problem.jobs.back();
  }

  // `jobs` random jobs of `points` points each; rarely concave.
  void add_random(RandomStream& random, int jobs, int points) {
    for (int j = 0; j < jobs; ++j) {
      std::vector<std::pair<double, double>> curve;
      double draw = 50 + 100 * random.uniform();
      double throughput = random.uniform();
      for (int k = 0; k < points; ++k) {
        curve.emplace_back(draw, throughput);
        draw += 10 + 100 * random.uniform();
        throughput += 0.01 + random.uniform();
      }
      add(curve, 1 + static_cast<int>(random.below(4)), 0.5 + random.uniform());
    }
  }

  Problem problem;

 private:
  std::deque<Curve> curves_;
};

}  // namespace wattflex::allocate
