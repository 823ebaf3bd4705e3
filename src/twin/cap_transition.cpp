#include "twin/cap_transition.h"

#include <algorithm>
#include <cmath>

namespace wattflex::twin {
namespace {

constexpr double kLowerStart = 0.020;
constexpr double kLowerEnd = 0.050;
constexpr double kRecovery = 0.040;  // time constant
constexpr double kRaiseStart = 0.100;
// 2 % is left half a second after the start: 0.5 s / ln 50.
const double kRaise = 0.5 / std::log(50.0);

// An exponential from 1 at 0 that is exactly 0 at `end`.
struct Decay {
  double constant;
  double end;

  double rest() const { return std::exp(-end / constant); }
  double at(double since) const {
    return since >= end ? 0 : (std::exp(-since / constant) - rest()) / (1 - rest());
  }
  double integral(double since) const {
    const double t = std::min(since, end);
    return (constant * (1 - std::exp(-t / constant)) - rest() * t) / (1 - rest());
  }
};

Decay recovery() {
  return {kRecovery, kTransitionTime.count() - kLowerEnd};
}

Decay rise() {
  return {kRaise, kTransitionTime.count() - kRaiseStart};
}

double lower_at(double t) {
  if (t < kLowerStart) return 1;
  if (t < kLowerEnd) return 1 - (1 + kUndershoot) * (t - kLowerStart) / (kLowerEnd - kLowerStart);
  return -kUndershoot * recovery().at(t - kLowerEnd);
}

double lower_integral(double t) {
  double area = std::min(t, kLowerStart);
  const double line = std::clamp(t, kLowerStart, kLowerEnd) - kLowerStart;
  area += line - (1 + kUndershoot) * line * line / (2 * (kLowerEnd - kLowerStart));
  return t <= kLowerEnd ? area : area - kUndershoot * recovery().integral(t - kLowerEnd);
}

}  // namespace

double remaining(Transition transition, Seconds since) {
  const double t = since.count();
  switch (transition) {
    case Transition::none:
      return 0;
    case Transition::lower:
      return lower_at(t);
    case Transition::raise:
      break;
  }
  return t < kRaiseStart ? 1 : rise().at(t - kRaiseStart);
}

double remaining_integral(Transition transition, Seconds until) {
  const double t = until.count();
  switch (transition) {
    case Transition::none:
      return 0;
    case Transition::lower:
      return lower_integral(t);
    case Transition::raise:
      break;
  }
  return t <= kRaiseStart ? t : kRaiseStart + rise().integral(t - kRaiseStart);
}

Seconds pace_lag(Transition transition) {
  return Seconds(remaining_integral(transition, kTransitionTime));
}

}  // namespace wattflex::twin
