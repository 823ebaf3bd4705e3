// How much of what a plan promises would come true. A plan is made on noisy curves, and the optimum picks the
// rows that noise flattered: what it claims is too good on average, the more so the more alike the jobs are
// ("optimizer's curse": Smith and Winkler, Management Science 52, 2006). Plain error bars around the claim
// miss that. docs/math/allocation.md, "Certainty".
//
// Method, a parametric bootstrap that plans anew: each group's smooth power curve (elasticity/power_curve.h)
// plays the truth. A resample draws every sound row from it with the row's errors, widened by the points'
// scatter, makes the plan from these rows as the real one was made (the same share of the uncapped draw), and
// compares what that plan claims with what the truth yields at its draws:
//     d = claimed - realised,    expected = claim - mean(d),
//     ci95 = expected -+ the further of the 2.5th and 97.5th percentile of d from mean(d)
// likewise for the gain over equal sharing of the same cut.
//
// Assumes errors independent between rows and groups, and jobs that behave as in their sweeps; intervals of
// several policies are each for itself. The draws count as met: that a cap's draw has an error of its own is
// the meter's business, not the curve's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "allocate/fleet_plan.h"
#include "allocate/fleet_problem.h"
#include "base/error.h"
#include "elasticity/index_interval.h"
#include "elasticity/noise.h"
#include "model/sweep.h"

namespace wattflex::allocate {

struct CertaintyOptions {
  elasticity::DefaultNoise noise = elasticity::DefaultNoise::run_to_run;
  int resamples = 400;  // 0: no certainty is asked for
  std::uint64_t seed = 1;
  std::function<void(int)> progress;  // told how many resamples are done
};

// Shares of the uncapped objective (0..1); the gain is a difference of two such shares.
struct Expectation {
  double expected = 0;
  elasticity::Interval ci95;
};

struct Certainty {
  std::optional<Expectation> kept;
  std::optional<Expectation> gain;  // over equal sharing
  std::string reason;               // why there is none

  // Whether the gain's interval lies on one side of zero.
  bool differs_from_equal() const { return gain && (gain->ci95.low > 0 || gain->ci95.high < 0); }
};

struct Certainties {
  std::vector<Certainty> plans;
  std::vector<std::string> warnings;  // groups whose rows scatter more than their errors
};

// One a plan, in their order. `fleet` was made from `table` with `options`; the plans share one cut. None for
// plans that cannot meet it, and where a group's rows leave no smooth curve. Fails only with
// ErrorKind::internal.
Result<Certainties> plan_certainty(const SweepTable& table, const FleetProblem& fleet,
                                   const FleetOptions& options, std::span<const FleetPlan* const> plans,
                                   const CertaintyOptions& how);

// The objective of a plan as a share of what the uncapped fleet yields.
double claimed_share(const Problem& problem, double objective);

}  // namespace wattflex::allocate
