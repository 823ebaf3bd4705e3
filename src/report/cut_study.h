// What power cuts cost a fleet (or, without one, all groups of a table taken as one job each): throughput
// kept by every policy at every cut. Divides by src/allocate; draws nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocate/certainty.h"
#include "allocate/fleet_plan.h"
#include "allocate/fleet_problem.h"
#include "allocate/policy.h"
#include "base/error.h"

namespace wattflex::report {

struct PolicyCost {
  allocate::Policy policy = allocate::Policy::equal;
  std::vector<double> kept;  // share of the uncapped throughput, parallel to CutStudy::cuts
};

// What every policy does to one job at the cut asked for.
struct JobAtCut {
  std::string job;
  std::string group;
  int gpus = 0;
  FlexTier tier = FlexTier::none;
  std::optional<double> pfi;
  bool scaled = false;                        // on another GPU count than the group was measured with
  std::vector<allocate::PlannedJob> planned;  // parallel to CutStudy::plans
};

// One policy's answer to the cut asked for.
struct PlanAtCut {
  allocate::Policy policy = allocate::Policy::equal;
  double normalized = 0;
  double tokens = 0;  // raw sum; means something only where all jobs count in one unit
  allocate::Certainty certainty;
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
  std::vector<PlanAtCut> plans;      // at `asked`; empty when the caps cannot give it
  std::vector<JobAtCut> job_plans;
  std::vector<std::string> refused;  // "dram: needs ..."
  bool predicted = false;            // the jobs' indices

  const PolicyCost& equal() const { return policies.front(); }
  const PolicyCost& oracle() const { return policies.back(); }
  // Share kept at a cut, linear between the computed ones; nothing beyond the deepest.
  std::optional<double> kept(const PolicyCost& cost, double cut) const;
};

struct CutQuestion {
  std::string name;                     // of the fleet or table
  std::string pedigree;                 // of its figures
  double cut = 0;                       // share of the uncapped draw, 0..1
  bool predicted = false;               // whether the problem's indices are a model's
  allocate::FleetOptions options = {};  // with which the problem was made
  allocate::CertaintyOptions certainty = {};
};

// `table` is the one the fleet's groups are from; the problem's objective must be `normalized` (assertion).
Result<CutStudy> study_cuts(const allocate::FleetProblem& fleet, const SweepTable& table,
                            CutQuestion question);

// How one policy compares with equal sharing over the cuts, in a sentence: "beats equal sharing up to a
// 17 % cut and does worse from 18 % on". Differences below 0.005 points count as none.
std::string against_equal(const CutStudy& study, const PolicyCost& cost);

// Whether a policy divides every cut as equal sharing does (weights may be all alike).
bool same_as_equal(const CutStudy& study, const PolicyCost& cost);

// The answer in a few sentences.
std::vector<std::string> headline_of(const CutStudy& study);

}  // namespace wattflex::report
