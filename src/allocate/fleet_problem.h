// From a sweep table and a fleet to the allocator's problem: which curve, floor and index each job has. Says
// what it had to assume. Divides nothing.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/curve.h"
#include "allocate/problem.h"
#include "base/error.h"
#include "model/fleet.h"
#include "model/sweep.h"

namespace wattflex::allocate {

// Whether a flex tier's promise limits how far its job may be cut.
enum class FloorRule { none, tier };

// Where the index in Job::pfi comes from. `neutral`: no usable one, 1 stands in (throughput falls with
// power).
enum class PfiSource { published, guarded, predicted, neutral };

std::string_view to_string(PfiSource source);

struct FleetOptions {
  Objective objective = Objective::normalized;
  FloorRule floor = FloorRule::none;
  // One a group of the table, from a model; empty: the measured index. A group without prediction is neutral.
  std::vector<std::optional<double>> predicted_pfi;
};

struct JobOrigin {
  std::size_t group = 0;  // in the table
  FlexTier tier = FlexTier::none;
  bool scaled = false;  // on another GPU count than the group was measured with
  PfiSource pfi_source = PfiSource::neutral;
  int pfi_points = 0;  // how many measured points the index stands on
};

struct LeftOut {
  GroupId id;
  std::string reason;
};

struct FleetProblem {
  Problem problem;
  std::deque<Curve> curves;        // what the jobs point to; a deque, so that they stay where they are
  std::vector<JobOrigin> origins;  // parallel to problem.jobs
  std::vector<LeftOut> left_out;   // groups that no plan can count with
  std::vector<std::string> warnings;
};

// Without a fleet every group is one job of value 1; groups without a usable curve are then left out with a
// warning. A fleet that names an unknown group, one that exists on several accelerators without saying which,
// or one without a usable curve is refused with its row.
Result<FleetProblem> make_problem(const SweepTable& table, const std::optional<Fleet>& fleet,
                                  const FleetOptions& options);

}  // namespace wattflex::allocate
