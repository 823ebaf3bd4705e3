// The problem every policy answers: jobs with curves share one power cut.
//
//     maximise  sum_j w_j T_j(x_j)   subject to   l_j <= x_j <= u_j,   sum_j x_j <= sum_j u_j - cut
//
// x_j is job j's draw in watts, T_j its curve, u_j its uncapped draw, l_j the largest of its lowest measured
// draw and its floor. docs/math/allocation.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/curve.h"
#include "base/quantity.h"
#include "model/sweep.h"

namespace wattflex::allocate {

// What is summed. `normalized`: sum(value GPUs T/Tmax) / sum(value GPUs), so that 1 is the uncapped fleet.
// `tokens`: sum of T, whatever the value; it means something only where all jobs count in one unit.
enum class Objective { normalized, tokens };

std::string_view to_string(Objective objective);
std::optional<Objective> parse_objective(std::string_view text);

struct Job {
  std::string name;
  const Curve* curve = nullptr;  // not owned; jobs of one kind share one curve
  int gpus = 0;
  double value = 1;  // per GPU
  Power floor;       // the draw a promise needs; zero: no promise
  // What the index policies weigh by; a policy that needs a missing one is refused.
  std::optional<double> pfi;
  std::optional<double> dram_copy_product;
  std::string dram_reason;  // without it: why
  Architecture architecture = Architecture::unknown;
  Task task = Task::unknown;

  Power uncapped_draw() const { return curve->uncapped_draw(); }
  // The least this job may draw.
  Power least_draw() const;
};

struct Problem {
  std::vector<Job> jobs;
  Objective objective = Objective::normalized;

  Power uncapped_draw() const;
  Power least_draw() const;
};

// w_j of every job.
std::vector<double> objective_weights(const Problem& problem);

}  // namespace wattflex::allocate
