#include "twin/draw_segment.h"

#include <algorithm>
#include <cmath>

#include "twin/telemetry.h"

namespace wattflex::twin {
namespace {

constexpr double kThermalLag = 40;

double level_at(const StepDraw& step, double phase) {
  if (phase < step.hot_until) return step.hot_w;
  return phase < step.cool_until ? step.cool_w : step.wait_w;
}

// Integral over the phase from 0, in watts times steps.
double level_integral(const StepDraw& step, double phase) {
  const double whole = std::floor(phase);
  const double part = phase - whole;
  const double hot = std::min(part, step.hot_until);
  const double cool = std::clamp(part, step.hot_until, step.cool_until) - step.hot_until;
  const double wait = std::max(part, step.cool_until) - step.cool_until;
  return whole * mean_draw(step).watts() + hot * step.hot_w + cool * step.cool_w + wait * step.wait_w;
}

// Where the level next changes, after `phase`.
double next_edge(const StepDraw& step, double phase) {
  const double whole = std::floor(phase);
  for (const double edge : {step.hot_until, step.cool_until}) {
    if (whole + edge > phase) return whole + edge;
  }
  return whole + 1;
}

// Integral of wave times `remaining` over the first `span` seconds: the wave is constant between its edges.
double transition_joules(const DrawSegment& segment, double span) {
  if (segment.offset == 0) return 0;
  const double since = segment.start_s - segment.changed_s;  // of the write, at the segment's start
  const auto done = [&](double time) {
    return remaining_integral(segment.transition, Seconds(since + time));
  };
  const double end = std::min(span, kTransitionTime.count() - since);
  double from = 0;
  double joules = 0;
  while (from < end) {
    const double phase = segment.phase + from / segment.step.step_s;
    // Rounding must not hold us on an edge.
    const double edge = (next_edge(segment.step, phase) - segment.phase) * segment.step.step_s;
    const double to = std::min(end, std::max(edge, from + 1e-6));
    const double middle = segment.phase + (from + to) / 2 / segment.step.step_s;
    joules += level_at(segment.step, middle - std::floor(middle)) * (done(to) - done(from));
    from = to;
  }
  return joules * segment.offset;
}

}  // namespace

Power mean_draw(const StepDraw& step) {
  return Power::from_watts(step.hot_until * step.hot_w + (step.cool_until - step.hot_until) * step.cool_w +
                           (1 - step.cool_until) * step.wait_w);
}

double phase_at(const DrawSegment& segment, Seconds time) {
  const double phase = segment.phase + (time.count() - segment.start_s) / segment.step.step_s;
  return phase - std::floor(phase);
}

Power draw_at(const DrawSegment& segment, Seconds time) {
  const Seconds since = time - Seconds(segment.changed_s);
  const double level = level_at(segment.step, phase_at(segment, time));
  return Power::from_watts(level * (1 + segment.offset * remaining(segment.transition, since)));
}

Energy energy_until(const DrawSegment& segment, Seconds time) {
  const double span = std::max(0.0, time.count() - segment.start_s);
  const double end = segment.phase + span / segment.step.step_s;
  const double steady =
      (level_integral(segment.step, end) - level_integral(segment.step, segment.phase)) * segment.step.step_s;
  return Energy::from_joules(steady + transition_joules(segment, span));
}

double temperature_at(const DrawSegment& segment, Seconds time) {
  const double span = time.count() - segment.start_s;
  if (span <= 0) return segment.temperature_c;
  const double settled = steady_temperature_c(energy_until(segment, time) / Seconds(span));
  return settled + (segment.temperature_c - settled) * std::exp(-span / kThermalLag);
}

DrawSegment continued(const DrawSegment& earlier, Seconds time, const StepDraw& step,
                      const Activity& activity) {
  DrawSegment next = earlier;
  next.start_s = time.count();
  next.step = step;
  next.activity = activity;
  next.phase = phase_at(earlier, time);
  next.energy_j = earlier.energy_j + energy_until(earlier, time).joules();
  next.temperature_c = temperature_at(earlier, time);
  const double span = std::max(0.0, time.count() - earlier.start_s);
  for (std::size_t i = 0; i < kCounters; ++i)
    next.busy_s[i] = earlier.busy_s[i] + earlier.activity.counters[i] * span;
  return next;
}

void begin_transition(DrawSegment& segment, Transition transition, Power before) {
  segment.transition = Transition::none;
  const double after = draw_at(segment, Seconds(segment.start_s)).watts();
  segment.transition = transition;
  segment.changed_s = segment.start_s;
  segment.offset = before.watts() / after - 1;
}

}  // namespace wattflex::twin
