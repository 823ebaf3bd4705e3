#include "elasticity/advice.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace wattflex::elasticity {
namespace {

constexpr Seconds kDay = std::chrono::hours(24);
// Differences below this share are rounding: the higher cap wins.
constexpr double kTie = 1e-9;

// Whole watts from the uncapped cap down to the lowest measured one; the uncapped cap itself first.
std::vector<Power> candidate_caps(const PowerCurve& curve) {
  std::vector<Power> caps = {curve.uncapped_cap()};
  const auto lowest = static_cast<int>(std::ceil(curve.lowest_cap().watts()));
  for (int cap = static_cast<int>(std::ceil(curve.uncapped_cap().watts())) - 1; cap >= lowest; --cap) {
    caps.push_back(Power::from_watts(cap));
  }
  return caps;
}

Power most_efficient_cap(const PowerCurve& curve, std::span<const Power> caps) {
  Power best = caps.front();
  for (const Power cap : caps) {
    if (curve.efficiency_at(curve.draw_at(cap)) > curve.efficiency_at(curve.draw_at(best)) * (1 + kTie))
      best = cap;
  }
  return best;
}

Power cheapest_cap_within(const PowerCurve& curve, std::span<const Power> caps, double loss_limit) {
  Power best = caps.front();
  for (const Power cap : caps) {
    const Power draw = curve.draw_at(cap);
    const bool kept = curve.kept_at(draw) >= 1 - loss_limit - kTie;
    if (kept && draw < curve.draw_at(best) * (1 - kTie)) best = cap;
  }
  return best;
}

double energy_share_saved(const PowerCurve& curve, Power cap) {
  return 1 - curve.efficiency_at(curve.uncapped_draw()) / curve.efficiency_at(curve.draw_at(cap));
}

CapAdvice describe(const PowerCurveFit& fit, Power cap, std::span<const Power> caps,
                   const AdviceOptions& options) {
  const PowerCurve& curve = fit.curve();
  CapAdvice advice;
  advice.cap = cap;
  advice.draw = curve.draw_at(cap);
  advice.power_cut =
      fit.estimate([&](const PowerCurve& c) { return 1 - c.draw_at(cap) / c.uncapped_draw(); }, kShare);
  advice.throughput_loss =
      fit.estimate([&](const PowerCurve& c) { return 1 - c.kept_at(c.draw_at(cap)); }, kShare);
  advice.energy_saved = fit.estimate([&](const PowerCurve& c) { return energy_share_saved(c, cap); });
  advice.energy_saved_per_day = advice.energy_saved.value * curve.uncapped_draw() * kDay;
  advice.money_saved_per_day = advice.energy_saved_per_day.kilowatt_hours() * options.price_per_kwh;
  advice.at_lowest_cap = caps.size() > 1 && cap == caps.back();
  advice.at_uncapped = cap == caps.front();
  advice.doubtful = !advice.at_uncapped && advice.draw / options.gpus < 0.75 * cap;
  const double loss = advice.throughput_loss.value;
  if (loss > kTie && advice.saves()) {
    const double gpu_hours_added = 24 * options.gpus * (1 / (1 - loss) - 1);
    advice.break_even_gpu_hour = advice.money_saved_per_day / gpu_hours_added;
  }
  return advice;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

std::string percent(const Ranged& share) {
  return fmt::format("{:.1f} % ({:.1f}..{:.1f})", share.value * 100, share.low * 100, share.high * 100);
}

// Three figures or whole numbers.
std::string rounded(double value) {
  return std::abs(value) < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string loss_in_words(const Ranged& loss) {
  if (loss.low > 0.0005) return "throughput falls " + percent(loss);
  return fmt::format("throughput falls by no more than {}", percent(loss.high));
}

std::string nothing_to_save(const CapAdvice& best, Power uncapped_cap) {
  if (best.at_uncapped) {
    return fmt::format("Leave each GPU at {:g} W: no lower cap of this sweep saves energy per unit of work.",
                       uncapped_cap.watts());
  }
  return fmt::format(
      "Leave each GPU at {:g} W: the best lower cap, {:g} W, changes the energy per unit of work by no more "
      "than noise "
      "({:+.1f} %, {:+.1f}..{:+.1f}).",
      uncapped_cap.watts(), best.cap.watts(), -100 * best.energy_saved.value, -100 * best.energy_saved.high,
      -100 * best.energy_saved.low);
}

std::string doubtful_saving(const CapAdvice& best, Power uncapped_cap, int gpus) {
  return fmt::format(
      "Leave each GPU at {:g} W until measured again: {:g} W seems to save {} energy per unit of work, but "
      "with {:.0f} W "
      "per GPU drawn on average such a cap meets peaks at most.",
      uncapped_cap.watts(), best.cap.watts(), percent(best.energy_saved), (best.draw / gpus).watts());
}

// What the longer run costs: energy is a small part of what a GPU hour is worth.
std::string price_of_time(const CapAdvice& best) {
  if (!best.break_even_gpu_hour || best.money_saved_per_day <= 0) return "";
  return fmt::format(" (pays while a GPU hour is worth under {:.2g})", *best.break_even_gpu_hour);
}

std::string most_work_per_joule(const CapAdvice& best, const CapAdvice& advised) {
  if (best.cap == advised.cap) return "; no cap gives more work per joule";
  return fmt::format("; the most work per joule is at {:g} W, {} slower for {} less energy{}",
                     best.cap.watts(), percent(best.throughput_loss.value), percent(best.energy_saved.value),
                     best.at_lowest_cap ? ", and as the lowest cap measured may not be the optimum" : "");
}

std::string within_a_bound(const CapAdvice& choice, const CapAdvice& best, const AdviceOptions& options) {
  return fmt::format(
      "Cap each GPU at {:g} W, the cheapest cap within {:g} % loss: {}, draw falls {}, and the same work "
      "takes "
      "{} less energy, {} kWh or {:.2f} a day at {:g} per kWh{}{}.",
      choice.cap.watts(), choice.loss_limit.value_or(0) * 100, loss_in_words(choice.throughput_loss),
      percent(choice.power_cut.value), percent(choice.energy_saved),
      rounded(choice.energy_saved_per_day.kilowatt_hours()), choice.money_saved_per_day,
      options.price_per_kwh, price_of_time(choice), most_work_per_joule(best, choice));
}

std::string only_beyond_the_bounds(const Advice& advice, Power uncapped_cap) {
  const CapAdvice& best = advice.most_efficient;
  return fmt::format(
      "Leave each GPU at {:g} W: no cap within {:g} % loss saves energy for sure; the most work per joule is "
      "at "
      "{:g} W, {} slower for {} less energy.",
      uncapped_cap.watts(), advice.within.back().loss_limit.value_or(0) * 100, best.cap.watts(),
      percent(best.throughput_loss.value), percent(best.energy_saved));
}

// The limits in the order they are tried: from the middle up, then from the middle down.
std::vector<std::size_t> order_of_limits(std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = count / 2; i < count; ++i) order.push_back(i);
  for (std::size_t i = count / 2; i > 0; --i) order.push_back(i - 1);
  return order;
}

void choose(Advice& advice, Power uncapped_cap, const AdviceOptions& options) {
  const CapAdvice* doubtful = nullptr;
  for (const std::size_t i : order_of_limits(advice.within.size())) {
    const CapAdvice& choice = advice.within[i];
    if (!choice.saves()) continue;
    if (choice.doubtful) {
      doubtful = doubtful == nullptr ? &choice : doubtful;
      continue;
    }
    advice.advised = i;
    advice.sentence = within_a_bound(choice, advice.most_efficient, options);
    return;
  }
  const CapAdvice& best = advice.most_efficient;
  if (doubtful == nullptr && best.saves() && best.doubtful) doubtful = &best;
  advice.measure_again = doubtful != nullptr;
  if (doubtful != nullptr) {
    advice.sentence = doubtful_saving(*doubtful, uncapped_cap, options.gpus);
  } else if (best.saves() && !advice.within.empty()) {
    advice.sentence = only_beyond_the_bounds(advice, uncapped_cap);
  } else {
    advice.sentence = nothing_to_save(best, uncapped_cap);
  }
}

}  // namespace

Advice advise(const PowerCurveFit& fit, const AdviceOptions& options) {
  const PowerCurve& curve = fit.curve();
  const std::vector<Power> caps = candidate_caps(curve);
  Advice advice;
  advice.most_efficient = describe(fit, most_efficient_cap(curve, caps), caps, options);
  for (const double limit : options.loss_limits) {
    advice.within.push_back(describe(fit, cheapest_cap_within(curve, caps, limit), caps, options));
    advice.within.back().loss_limit = limit;
  }
  choose(advice, curve.uncapped_cap(), options);
  return advice;
}

}  // namespace wattflex::elasticity
