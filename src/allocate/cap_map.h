// What a cap may make a job draw and lose, from every sound row of its sweep. The throughput curve leaves
// rows out that nobody would run at; here they count, because a cap that was once seen to draw more, or to
// give less, may do so again. This, not the throughput curve, is what keeps a plan's caps within its budget
// and its promises.
#pragma once

#include <span>
#include <vector>

#include "base/quantity.h"

namespace wattflex::allocate {

// One row: cap per GPU, draw and throughput of the whole job.
struct MeasuredCap {
  Power cap;
  Power draw;
  double throughput = 0;
};

// Draw over cap: the running maximum over rising caps, linear between them; throughput over cap: the running
// minimum over falling caps. So neither falls with a rising cap, the draw is never below the line through the
// rows themselves, and the throughput never above it. Immutable, safe to share between threads.
class CapMap {
 public:
  // In any order; at least one row, no cap twice (assertions).
  explicit CapMap(std::vector<MeasuredCap> rows);

  // The rows by rising cap, as measured.
  std::span<const MeasuredCap> rows() const { return rows_; }
  Power lowest_cap() const { return rows_.front().cap; }
  Power largest_cap() const { return rows_.back().cap; }
  // What the lowest cap may draw: no cap is known to do better.
  Power lowest_draw() const { return limits_.front().draw; }

  // Caps outside the measured ones count as the nearer end.
  Power draw_at(Power cap) const;
  // What the cap is sure to give.
  double throughput_at(Power cap) const;
  // The least cap that is sure to give as much; the largest one when none is.
  Power cap_that_gives(double throughput) const;
  // The largest cap that draws no more than `draw`; the lowest one when none does.
  Power cap_for(Power draw) const;

  // The same job on `ratio` times as many GPUs.
  CapMap scaled(double ratio) const;

 private:
  std::vector<MeasuredCap> rows_;
  std::vector<MeasuredCap> limits_;  // rows_ with the running maximum of draw and minimum of throughput
};

}  // namespace wattflex::allocate
