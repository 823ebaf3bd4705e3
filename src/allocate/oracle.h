// The optimal division of a budget over piecewise-linear curves, concave or not, with a certificate.
//
//     maximise  sum_j w_j T_j(x_j)   subject to   l_j <= x_j <= u_j,   sum_j x_j <= B
//
// Method (docs/math/allocation.md): replace each curve by its concave envelope; the relaxed problem is solved
// exactly by filling pieces in order of slope, which gives an upper bound and a point at which at most one
// job lies strictly inside a gap between curve and envelope. Where that job costs more than the tolerance,
// branch and bound on that job: the jobs of its kind are split by whether they draw more or less than a
// breakpoint in the gap. Identical jobs are counted, not enumerated, so symmetry does not multiply the tree.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "allocate/problem.h"

namespace wattflex::allocate {

struct OracleOptions {
  double tolerance = 1e-9;  // largest gap wanted, as a share of the uncapped objective
  long long effort =
      20'000'000;  // envelope pieces looked at before giving up on the tolerance; bounds the time
};

struct Optimum {
  std::vector<double> draws;  // watts, one a job
  double objective = 0;       // of these draws
  double bound = 0;           // no division can exceed this; bound - objective is the certificate
  int nodes = 0;              // subproblems solved
};

// Prepared once per problem, so that many budgets of the same jobs are cheap; keeps a copy of what
// it needs of the problem. `solve` may be called from several threads; copies share what was prepared.
class Oracle {
 public:
  explicit Oracle(const Problem& problem);

  // `budget` in watts, at least the sum of least draws (assertion).
  Optimum solve(double budget, const OracleOptions& options = {}) const;

 private:
  class Search;
  struct Prepared;
  std::shared_ptr<const Prepared> prepared_;
};

}  // namespace wattflex::allocate
