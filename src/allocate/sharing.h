// Proportional sharing of a cut: every job gives up watts in proportion to its weight, but never more than
// it has; what does not fit is shared out again among the rest by the same weights.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wattflex::allocate {

// The rule above has one fixed point, found exactly rather than by rounds: cut_j = min(room_j, s weight_j)
// with the one s that makes the cuts add up. Jobs of weight zero give up something only when all others have
// nothing left, and then in proportion to their room. Watts throughout. Sorted once, so that many cuts of
// the same jobs are cheap. Immutable.
class ProportionalSharing {
 public:
  // `rooms` (what each job can give up, >= 0) and `weights` (>= 0, finite) are parallel.
  ProportionalSharing(std::span<const double> rooms, std::span<const double> weights);

  double total_room() const { return total_room_; }
  // Cuts that add up to `cut`, 0 <= cut <= total_room(), written to `cuts` (one a job).
  void share(double cut, std::span<double> cuts) const;

 private:
  // A job in the order in which growing cuts exhaust them.
  struct Step {
    std::size_t job;
    double level;         // s at which the job is exhausted
    double cut_at_level;  // all jobs' cut at that s
  };

  std::vector<double> rooms_;
  std::vector<double> weights_;
  std::vector<Step> steps_;  // weighted jobs, by rising level
  double weighted_room_ = 0;
  double total_room_ = 0;
};

}  // namespace wattflex::allocate
