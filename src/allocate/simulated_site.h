// For tests only: sites whose jobs have a known law, seen through sweeps with errors, and what a plan of them
// is judged to be worth.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "allocate/certainty.h"
#include "base/random.h"

namespace wattflex::allocate {

inline constexpr double kTop = 8 * 700 * 0.95;  // watts of an uncapped job

// A job whose throughput is the draw to this power: concave below 1.
struct PowerLaw {
  double exponent = 1;
  double kept_at(Power draw) const { return std::pow(std::min(1.0, draw.watts() / kTop), exponent); }
};

// Its sweep at seven caps with relative errors of `scale` times the run-to-run default, which it states.
inline SweepGroup sweep_of(const PowerLaw& law, const std::string& name, double scale, RandomStream& random) {
  SweepGroup group;
  group.id = {"table", name, "H200"};
  group.gpus = 8;
  for (int k = 0; k < 7; ++k) {
    const Power cap = Power::from_watts(700 - 75 * k);
    const Power draw = cap * (8 * 0.95);
    SweepPoint point{.cap = cap,
                     .power = draw * (1 + 0.004 * scale * random.normal()),
                     .throughput = 100 * law.kept_at(draw) * (1 + 0.005 * scale * random.normal())};
    point.power_stderr = point.power * (0.004 * scale);
    point.throughput_stderr = point.throughput * (0.005 * scale);
    group.points.push_back(std::move(point));
  }
  return group;
}

struct Site {
  std::vector<PowerLaw> laws;
  SweepTable table;

  // A job that is not cut keeps all, whatever its sweep took its uncapped draw to be.
  double kept(std::span<const Power> draws) const {
    double sum = 0;
    for (std::size_t j = 0; j < laws.size(); ++j) {
      const bool uncut = draws[j] >= table.groups[j].uncapped().power * (1 - 1e-9);
      sum += uncut ? 1 : laws[j].kept_at(draws[j]);
    }
    return sum / static_cast<double>(laws.size());
  }
};

// Eight jobs, exponents `spread` around one half.
inline Site site(double spread, double scale, std::uint64_t seed) {
  RandomStream random(seed, 1);
  Site made;
  made.table.name = "table";
  for (int g = 0; g < 8; ++g) {
    made.laws.push_back({std::clamp(0.5 + spread * (2 * random.uniform() - 1), 0.02, 0.98)});
    made.table.groups.push_back(sweep_of(made.laws.back(), std::to_string(g), scale, random));
  }
  return made;
}

struct Judged {
  FleetPlan plan;
  FleetPlan equal;
  Certainty certainty;
};

inline Judged judged(const SweepTable& table, Policy policy, double cut_share, const CertaintyOptions& how) {
  const auto fleet = make_problem(table, std::nullopt, {});
  const Power cut = fleet->problem.uncapped_draw() * cut_share;
  auto plan = plan_fleet(*fleet, policy, cut);
  auto equal = plan_fleet(*fleet, Policy::equal, cut);
  const FleetPlan* const asked = &*plan;
  auto certainties = plan_certainty(table, *fleet, {}, {&asked, 1}, how);
  EXPECT_TRUE(certainties.has_value());
  return {std::move(*plan), std::move(*equal), certainties->plans.front()};
}

}  // namespace wattflex::allocate
