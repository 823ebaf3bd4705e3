// How one job's sweep differs from another of the same job: before and after a driver, on two boards. Each
// difference with a 95 % interval and a p value; correcting for many tests is the caller's, over all pairs.
//
// With relative errors e (noise.h; widened on the side whose points scatter about its power curve):
//   powers, throughputs, work per joule   relative change B/A - 1, normal in ln(B/A), errors added in
//   squares,
//                                         each side's with the run-to-run part r: sqrt(e^2 + r^2)
//   throughput kept at a common cap       k = T(c)/T(reference), k_B - k_A, sigma_k = k sqrt(e_c^2 + e_ref^2)
//   indices and throughput kept at a cut  B - A from each side's own interval (MOVER: Zou and Donner, Stat.
//   Med.
//                                         27, 2008): low = d - sqrt((b - b_low)^2 + (a_high - a)^2), high
//                                         alike
//   p value                               normal, its sigma from the side of the interval that faces zero
// r is the deviation that all points of a sweep share (nodes, room, sensors). It cancels in every ratio
// within a sweep, so stderr columns need not hold it and indices and throughput kept do without. The default
// errors of separate runs (noise.h) are part of it: where they stand in for a column, r^2 is lessened by
// their squares. Like is compared with like: on one accelerator only the sound caps both sides measured
// count, and the largest of them is the reference of both. An index depends on its caps, so indices are those
// of the common caps. On two accelerators a watt of cap means two things, so each side keeps its own caps and
// reference, and throughput kept is compared at equal cuts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elasticity/flexibility.h"
#include "model/sweep.h"

namespace wattflex::elasticity {

enum class Compared {
  reference_power,       // W per GPU
  reference_throughput,  // per GPU
  reference_efficiency,  // work per joule
  pfi_published,
  pfi_guarded,
  kept_at_cap,
  kept_at_cut,
};

std::string_view to_string(Compared quantity);
// Whether differences of the quantity are relative (B/A - 1) or plain (B - A).
bool is_relative(Compared quantity);

struct Difference {
  struct Tested {
    double difference = 0;
    Interval ci95;
    double p_value = 1;
    double p_adjusted = 1;  // set by adjust()
    bool significant() const { return p_adjusted < 0.05; }
  };
  Compared quantity = Compared::reference_power;
  std::optional<Power> cap;   // kept_at_cap
  std::optional<double> cut;  // kept_at_cut
  std::optional<double> a;
  std::optional<double> b;
  std::optional<Tested> tested;  // none when a side has no value; `reason` says why
  std::string reason;
};

struct GroupComparison {
  GroupId a;
  GroupId b;
  Power reference_cap_a;
  Power reference_cap_b;
  std::vector<Power> common_caps;  // falling; empty on two accelerators
  std::vector<Difference> differences;
  std::vector<std::string> warnings;
  std::string reason;  // why nothing was compared; empty when something was
};

// Relative standard deviation, from sweep to sweep of one job, of a factor common to a whole sweep. The
// default is an assumption: repeats differ by 0.4 % in draw and 0.5 % in throughput (arXiv:2609.11542, 35
// repeated runs), and sensors by 2 % a GPU (twin/measured_run.h), 0.7 % in the sum over a node of eight.
struct RunToRun {
  double power = 0.008;
  double throughput = 0.005;
};

struct ComparisonOptions {
  FlexibilityOptions flexibility;
  RunToRun run_to_run;
  std::vector<double> cuts = {0.05, 0.10, 0.20};  // for two accelerators
};

GroupComparison compare(const SweepGroup& a, const SweepGroup& b, const ComparisonOptions& options);

// Holm's correction over every test of every pair: at most 5 % risk of a single false finding.
void adjust(std::vector<GroupComparison>& comparisons);

}  // namespace wattflex::elasticity
