#include "device/energy_account.h"

namespace wattflex::device {
namespace {

// The counter steps every 100 ms (H100) and the read has a lag of its own; draw passes the limit for moments.
constexpr Seconds kCounterLag{0.25};
constexpr double kOvershoot = 1.15;
// Samples of the draw further apart say nothing of the time between.
constexpr Seconds kLongestStep{5};
// Too short a time to tell the two sources apart.
constexpr Seconds kShortestComparison{3};

Seconds between(Time from, Time to) {
  return std::chrono::duration_cast<Seconds>(to - from);
}

}  // namespace

std::string_view to_string(EnergySource source) {
  switch (source) {
    case EnergySource::unknown:
      return "unknown";
    case EnergySource::counter:
      return "counter";
    case EnergySource::integrated_draw:
      return "integrated_draw";
  }
  return "unknown";
}

void EnergyAccount::add(Time time, const Reading<EnergyCount>& count, const Reading<Power>& draw) {
  if (!first_) first_ = time;
  last_ = time;
  if (count) add_count({time, count->millijoules});
  if (draw) add_draw({time, *draw});
}

std::optional<Energy> EnergyAccount::plausible(const Count& from, const Count& to) const {
  if (to.millijoules < from.millijoules) return std::nullopt;
  const Energy rise = Energy::from_joules(static_cast<double>(to.millijoules - from.millijoules) * 1e-3);
  const Energy most = most_ * kOvershoot * (between(from.time, to.time) + kCounterLag);
  return rise <= most ? std::optional(rise) : std::nullopt;
}

void EnergyAccount::add_count(Count now) {
  if (!counted_) {
    counted_ = now;
    return;
  }
  const auto book = [&](const Count& from, Energy rise) {
    by_count_.energy += rise;
    by_count_.covered += between(from.time, now.time);
    before_fall_.reset();
  };
  if (now.millijoules < counted_->millijoules) {
    ++resets_;
    // A second fall on the way says nothing new of what stood there before the first.
    if (!before_fall_) before_fall_ = counted_;
  } else if (const auto rise = plausible(*counted_, now)) {
    book(*counted_, *rise);
  } else if (before_fall_) {
    if (const auto back = plausible(*before_fall_, now)) book(*before_fall_, *back);
  }
  counted_ = now;
}

void EnergyAccount::add_draw(Draw now) {
  if (drawn_) {
    const Seconds step = between(drawn_->time, now.time);
    if (step <= kLongestStep) {
      by_draw_.energy += (drawn_->power + now.power) * 0.5 * step;
      by_draw_.covered += step;
    }
  }
  drawn_ = now;
}

EnergyTotal EnergyAccount::total() const {
  EnergyTotal total{.resets = resets_};
  const Seconds whole = first_ ? between(*first_, last_) : Seconds{};
  const bool counted = by_count_.covered > Seconds{};
  if (counted || by_draw_.covered > Seconds{}) {
    const Booked& booked = counted ? by_count_ : by_draw_;
    total.source = counted ? EnergySource::counter : EnergySource::integrated_draw;
    total.energy = booked.energy;
    total.covered = booked.covered;
  }
  total.uncovered = whole - total.covered;
  const bool both = by_count_.covered == by_draw_.covered && by_count_.covered >= kShortestComparison;
  if (both && by_draw_.energy > Energy()) total.counter_over_draw = by_count_.energy / by_draw_.energy;
  return total;
}

}  // namespace wattflex::device
