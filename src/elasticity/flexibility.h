// The Power Flexibility Index of a sweep group: how much power a job gives up per throughput it loses, as the
// paper publishes it and in forms that survive noise. Not a model of the job: that is the power curve.
//
// Sums run over capped points i, (P0, T0) is the uncapped point, c_i = 1 - P_i/P0 and l_i = 1 - T_i/T0
// (arXiv:2609.11542, PFI definition and Appendix A; docs/math/pfi.md):
//   published   mean of c_i/l_i over all sound points; a point with T_i exactly T0 has no ratio and is left
//               out. Sound: the cap was in force and nothing else held the job back (verdict.h, Fault), as
//               the paper's protocol demands; verdicts about noise play no part.
//   guarded     the same mean over points with the verdict `used`, that is with both losses resolved.
//   pooled      sum c_i / sum l_i over the points with the verdict `used`: a mean weighted by l_i, so that
//               the noisiest ratios count least.
//   area        1/2 sum (t_i + t_{i-1})(p_i - p_{i-1}) - 1/2, t = T/T0, p = P/P0, over (0,0) and all sound
//               points by rising cap, the uncapped one last. Zero: proportional.
//   elasticity  1 - a, a the least squares slope of log T on log P over all sound points, the uncapped one
//               included. None when all draws are equal.
// The first three: 1 is proportional, above 1 throughput falls more slowly than power. Guarded and pooled
// need two used points: one ratio is a point of a curve, not an index of it. Without a sound uncapped point
// there is no index at all.
//
// Intervals come from the points' errors (index_interval.h). Where the points scatter about their power curve
// more than these errors explain, every interval is widened by that scatter (power_curve.h), as the curve's
// are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "elasticity/index_interval.h"
#include "elasticity/verdict.h"
#include "model/sweep.h"

namespace wattflex::elasticity {

// An index. Never a number that is not finite: `reason` says why there is no value, or no interval.
struct Estimate {
  std::optional<double> value;
  std::optional<Interval> ci95;
  std::string reason;
};

struct FlexibilityOptions {
  DefaultNoise noise = DefaultNoise::run_to_run;
  int resamples = 10'000;  // 0: no intervals
  std::uint64_t seed = 1;
};

struct Flexibility {
  Estimate published;
  Estimate guarded;
  Estimate pooled;
  Estimate area;        // without interval
  Estimate elasticity;  // without interval
  int n_used = 0;
  int n_refused = 0;    // all others but the uncapped reference
  double widening = 1;  // of the intervals, by the points' scatter about the power curve; 1 without intervals
  std::string ci_source;
  std::vector<JudgedPoint> points;    // by falling cap
  std::vector<std::string> warnings;  // about the group as a whole, without its name
};

// Measures any number of groups, reusing one set of random draws. A group's result depends on the group and
// the options alone. Not thread-safe.
class FlexibilityMeter {
 public:
  explicit FlexibilityMeter(const FlexibilityOptions& options)
      : options_(options), resampler_(options.resamples, options.seed) {}

  Flexibility measure(const SweepGroup& group);

 private:
  FlexibilityOptions options_;
  IndexResampler resampler_;
};

// For a single group.
Flexibility measure_flexibility(const SweepGroup& group, const FlexibilityOptions& options = {});

}  // namespace wattflex::elasticity
