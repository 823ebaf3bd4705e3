// What power cuts cost a fleet (or, without one, all groups of a table taken as one job each): throughput
// kept by every policy at every cut. Divides by src/allocate; draws nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocate/fleet_problem.h"
#include "allocate/policy.h"
#include "base/error.h"

namespace wattflex::report {

struct PolicyCost {
  allocate::Policy policy = allocate::Policy::equal;
  std::vector<double> kept;  // share of the uncapped throughput, parallel to CutStudy::cuts
};

struct CutStudy {
  std::string name;  // of the fleet or table
  std::string pedigree;
  int jobs = 0;
  int gpus = 0;
  Power uncapped;
  double asked = 0;                  // the cut the reader asked about
  double deepest = 0;                // largest cut the caps can give
  std::vector<double> cuts;          // rising from 0, 1 % apart, none deeper than `deepest`
  std::vector<PolicyCost> policies;  // equal first, oracle last; without those refused
  std::vector<std::string> refused;  // "dram: needs ..."

  const PolicyCost& equal() const { return policies.front(); }
  const PolicyCost& oracle() const { return policies.back(); }
  // Share kept at a cut, linear between the computed ones; nothing beyond the deepest.
  std::optional<double> kept(const PolicyCost& cost, double cut) const;
};

// `asked` is a share 0..1. The problem's objective must be `normalized` (assertion).
Result<CutStudy> study_cuts(const allocate::FleetProblem& fleet, std::string name, std::string pedigree,
                            double asked);

// How one policy compares with equal sharing over the cuts, in a sentence: "helps up to a 17 % cut and does
// worse beyond". Differences below 0.005 points count as none.
std::string against_equal(const CutStudy& study, const PolicyCost& cost);

// "equal sharing", "Eq. 2, literal", ...
std::string_view display_name(allocate::Policy policy);

// Whether a policy divides every cut as equal sharing does (weights may be all alike).
bool same_as_equal(const CutStudy& study, const PolicyCost& cost);

// The answer in two sentences.
std::vector<std::string> headline_of(const CutStudy& study);

}  // namespace wattflex::report
