// Divides a power cut over the jobs of a problem by a policy, and has the result checked by code of its own
// (verify.h) before anyone sees it.
#pragma once

#include <optional>
#include <vector>

#include "allocate/oracle.h"
#include "allocate/policy.h"
#include "allocate/problem.h"
#include "base/error.h"

namespace wattflex::allocate {

// `infeasible`: the cut exceeds what the jobs may give up; the draws are then the least allowed ones, and
// still `shortfall` too much.
enum class Status { met, infeasible };

constexpr const char* to_string(Status status) {
  return status == Status::met ? "met" : "infeasible";
}

struct Allocation {
  Policy policy = Policy::equal;
  Status status = Status::met;
  Power budget;              // uncapped draw less the cut
  Power shortfall;           // zero when met
  std::vector<Power> draws;  // one a job
  double objective = 0;      // sum of weighted throughput at these draws
  // What no division of this cut can exceed; the oracle's certificate.
  std::optional<double> bound;
};

// `cut` is not negative and not above the uncapped draw (else usage error). Refused when the problem has no
// jobs or a job lacks what the policy weighs by.
Result<Allocation> divide_cut(const Problem& problem, Policy policy, Power cut,
                              const OracleOptions& options = {});

// The objective at these draws.
double objective_at(const Problem& problem, const std::vector<Power>& draws);

}  // namespace wattflex::allocate
