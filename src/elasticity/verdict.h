// What each point of a sweep is worth: one verdict a point, with the reason in plain words. An index built
// from points that say nothing is noise, so nothing is used without a verdict. Computes no index itself.
//
// With (P0, T0) the uncapped point, cut = 1 - P/P0 and loss = 1 - T/T0. Their standard errors carry the
// point's own error and the uncapped point's (relative errors e, first order):
//   sigma_cut  = P/P0 sqrt(e_P^2 + e_P0^2),   sigma_loss = T/T0 sqrt(e_T^2 + e_T0^2).
// A change counts when it exceeds 2 sigma (docs/math/pfi.md, Verdicts; order as there):
//   not_enforced     the limit in force differs from the one asked for by 0.5 W or more: the row does not
//                    show the cap it names. enforced_w against requested_w, cap_w standing in for a missing
//                    one.
//   other_limiter    heat or another limiter held the job back, not the cap (limited_by).
//   cap_not_binding  the job draws what it draws uncapped (|cut| <= 2 sigma_cut) and that is more than 5 %
//                    below its cap, so the cap had nothing to do; or limited_by says `none`. A binding cap
//                    is seen at 98.5..99.5 % of its value (docs/math/pfi.md), sensors differ by 2 %, so 5 %
//                    is out of reach for one. Throughput plays no part: a cap acts on the draw. When
//                    limited_by says `power_cap`, the driver's word stands and the cap does bind.
//   above_uncapped   draws or computes more than uncapped: cut < -2 sigma_cut or loss < -2 sigma_loss.
//   below_resolution cut or loss is not above 2 sigma: their ratio would be noise.
//   used             both are.
// The uncapped point is the row with the largest cap. When it is itself not_enforced or other_limiter there
// is no reference: other sound points are `no_reference` and get no cut and no loss.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "elasticity/noise.h"
#include "model/sweep.h"

namespace wattflex::elasticity {

enum class Verdict {
  uncapped,  // the reference
  used,
  not_enforced,
  other_limiter,
  cap_not_binding,
  above_uncapped,
  below_resolution,
  no_reference,
};

// "uncapped", "used", "not enforced", "thermal or other limiter", "cap not binding", ...
std::string_view to_string(Verdict verdict);

struct JudgedPoint {
  SweepPoint point;
  Verdict verdict = Verdict::used;
  std::string reason;
  RelativeError error;
  std::optional<double> power_cut;        // 1 - P/P0; none for the uncapped point or without reference
  std::optional<double> throughput_loss;  // 1 - T/T0; likewise
  std::optional<double> ratio;            // power_cut / throughput_loss; none when T equals T0
};

// A point that shows something else than its cap, whatever the other points say: not_enforced or
// other_limiter.
struct Fault {
  Verdict verdict = Verdict::not_enforced;
  std::string reason;
};
std::optional<Fault> fault_of(const SweepPoint& point);

// In the order of `group.points`.
std::vector<JudgedPoint> judge(const SweepGroup& group, DefaultNoise noise);

}  // namespace wattflex::elasticity
