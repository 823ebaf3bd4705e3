#include "allocate/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "allocate/allocation.h"
#include "allocate/envelope.h"
#include "allocate/test_jobs.h"

namespace wattflex::allocate {
namespace {

// The optimum by trying everything: with piecewise-linear curves some optimum has at most one job that is not
// at a breakpoint (move two such jobs against each other, the objective is linear until one arrives).
class EveryDivision {
 public:
  explicit EveryDivision(const Problem& problem) : problem_(problem), weights_(objective_weights(problem)) {}

  double best(double budget) {
    best_ = -1;
    for (std::size_t free = 0; free < problem_.jobs.size(); ++free) descend(0, free, budget, 0);
    return best_;
  }

 private:
  void descend(std::size_t j, std::size_t free, double left, double yield) {
    if (j == problem_.jobs.size()) return finish(free, left, yield);
    if (j == free) return descend(j + 1, free, left, yield);
    const Job& job = problem_.jobs[j];
    for (const CurvePoint& point : job.curve->points()) {
      if (point.draw < job.least_draw()) continue;
      descend(j + 1, free, left - point.draw.watts(), yield + weights_[j] * point.throughput);
    }
    const Power least = job.least_draw();
    descend(j + 1, free, left - least.watts(), yield + weights_[j] * job.curve->throughput_at(least));
  }

  void finish(std::size_t free, double left, double yield) {
    const Job& job = problem_.jobs[free];
    if (left < job.least_draw().watts() - 1e-9) return;
    const Power draw = std::min(Power::from_watts(left), job.uncapped_draw());
    best_ = std::max(best_, yield + weights_[free] * job.curve->throughput_at(draw));
  }

  const Problem& problem_;
  std::vector<double> weights_;
  double best_ = -1;
};

double budget_between(const Problem& problem, double share) {
  const double least = problem.least_draw().watts();
  return least + share * (problem.uncapped_draw().watts() - least);
}

TEST(ConcaveEnvelope, BridgesDipsAndKeepsConcaveStretches) {
  const std::vector<Breakpoint> curve = {{0, 0}, {1, 4}, {2, 5}, {3, 8}, {4, 9}};
  const auto pieces = concave_envelope(curve, 0, 4);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_FALSE(pieces[0].has_gap());
  EXPECT_TRUE(pieces[1].has_gap());  // 1 -> 3 above the dip at 2
  EXPECT_DOUBLE_EQ(pieces[1].slope, 2.0);
  EXPECT_DOUBLE_EQ(pieces[2].slope, 1.0);
}

TEST(Oracle, FindsTheGlobalOptimumOnCurvesThatAreNotConcave) {
  RandomStream random(11);
  for (int trial = 0; trial < 150; ++trial) {
    TestFleet fleet;
    fleet.add_random(random, 2 + static_cast<int>(random.below(4)), 3 + static_cast<int>(random.below(3)));
    const double budget = budget_between(fleet.problem, random.uniform());
    const Optimum optimum = Oracle(fleet.problem).solve(budget);
    EXPECT_NEAR(optimum.objective, EveryDivision(fleet.problem).best(budget), 2e-9) << "trial " << trial;
  }
}

TEST(Oracle, FindsTheGlobalOptimumAboveFloors) {
  RandomStream random(12);
  for (int trial = 0; trial < 50; ++trial) {
    TestFleet fleet;
    fleet.add_random(random, 4, 4);
    for (Job& job : fleet.problem.jobs) {
      job.floor = job.curve->lowest_draw() +
                  0.5 * random.uniform() * (job.uncapped_draw() - job.curve->lowest_draw());
    }
    const double budget = budget_between(fleet.problem, random.uniform());
    const Optimum optimum = Oracle(fleet.problem).solve(budget);
    EXPECT_NEAR(optimum.objective, EveryDivision(fleet.problem).best(budget), 2e-9) << "trial " << trial;
  }
}

TEST(Oracle, FindsTheOptimumOfManyIdenticalJobsWithoutEnumeratingThem) {
  // 40 jobs at 100 W (yield 0) or 200 W (yield 1), worthless in between: with 55.5 jobs' worth of watts for
  // the upper half, 15 jobs run fully and one is left 50 W that yield 0.1.
  TestFleet fleet(Objective::tokens);
  fleet.add({{100, 0}, {190, 0.1}, {200, 1}});
  const Job job = fleet.problem.jobs.front();
  fleet.problem.jobs.assign(40, job);
  const Optimum optimum = Oracle(fleet.problem).solve(4000 + 1550);
  EXPECT_NEAR(optimum.objective, 15 + 0.1 * 50 / 90, 1e-7);
  EXPECT_NEAR(optimum.bound, optimum.objective, 1e-7);
  EXPECT_LT(optimum.nodes, 500);
}

TEST(Oracle, GivesAJobTheSameDrawWhateverTheOrder) {
  TestFleet fleet;
  fleet.add({{100, 1}, {300, 9}, {400, 10}}).name = "a";
  fleet.add({{100, 1}, {300, 9}, {400, 10}}).name = "m";
  fleet.problem.jobs.push_back(fleet.problem.jobs.front());  // of a's kind
  fleet.problem.jobs.back().name = "z";
  Problem turned = fleet.problem;
  std::ranges::reverse(turned.jobs);
  for (const double cut : {50.0, 150.0, 250.0, 500.0}) {
    const auto before = divide_cut(fleet.problem, Policy::oracle, Power::from_watts(cut));
    const auto after = divide_cut(turned, Policy::oracle, Power::from_watts(cut));
    ASSERT_TRUE(before && after);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(before->draws[j].watts(), after->draws[2 - j].watts(), 1e-9)
          << fleet.problem.jobs[j].name << " at " << cut;
    }
  }
}

TEST(Oracle, GivesEverythingWhenThereIsNoCutAndTheLeastWhenThereIsNothingLeft) {
  RandomStream random(13);
  TestFleet fleet;
  fleet.add_random(random, 20, 6);
  EXPECT_DOUBLE_EQ(Oracle(fleet.problem).solve(fleet.problem.uncapped_draw().watts()).objective, 1.0);
  const Optimum least = Oracle(fleet.problem).solve(fleet.problem.least_draw().watts());
  for (std::size_t j = 0; j < least.draws.size(); ++j) {
    EXPECT_NEAR(least.draws[j], fleet.problem.jobs[j].least_draw().watts(), 1e-9);
  }
}

TEST(Oracle, CertifiesTheToleranceItWasAskedFor) {
  RandomStream random(14);
  for (int trial = 0; trial < 20; ++trial) {
    TestFleet fleet;
    fleet.add_random(random, 60, 6);
    const double budget = budget_between(fleet.problem, 0.1 + 0.8 * random.uniform());
    const Optimum loose = Oracle(fleet.problem).solve(budget, {.tolerance = 1e-4});
    const Optimum exact = Oracle(fleet.problem).solve(budget, {.tolerance = 1e-7});
    EXPECT_LE(loose.bound - loose.objective, 1e-4);
    EXPECT_LE(exact.bound - exact.objective, 1e-7);
    // Each certificate must hold for the other's solution.
    EXPECT_GE(loose.bound, exact.objective - 1e-12);
    EXPECT_GE(exact.bound, loose.objective - 1e-12);
    EXPECT_LE(std::accumulate(exact.draws.begin(), exact.draws.end(), 0.0), budget * (1 + 1e-12));
  }
}

TEST(Oracle, SaysHowFarItIsFromTheToleranceWhenEffortRunsOut) {
  RandomStream random(15);
  TestFleet fleet;
  fleet.add_random(random, 12, 8);
  const double budget = budget_between(fleet.problem, 0.43);
  const Optimum rushed = Oracle(fleet.problem).solve(budget, {.tolerance = 0, .effort = 1});
  const Optimum exact = Oracle(fleet.problem).solve(budget);
  EXPECT_EQ(rushed.nodes, 1);
  EXPECT_GE(rushed.bound, exact.objective - 1e-12);
  EXPECT_LE(rushed.objective, exact.objective + 1e-12);
}

}  // namespace
}  // namespace wattflex::allocate
