// Which cap to set: the cheapest within a given loss of throughput, and the one with the most work per joule,
// with what each saves. The bounded loss comes first: a GPU hour is mostly worth more than its energy, so the
// most work per joule seldom pays. Rests on the fitted power curve and its intervals; sets nothing.
//
// At cap c the job draws P = P(c) and does T = T(P) work a second; uncapped (P0, T0). Then
//   energy per unit of work    P / T; saved share s = 1 - (P / T) / (P0 / T0)
//   energy saved a day         s P0 24 h: on the work an uncapped day does, so the longer run is paid for
//   break-even                 money saved a day / GPU hours added a day, 24 GPUs (T0 / T - 1): above this
//   worth
//                              of a GPU hour the cap costs more than it saves
// Only whole-watt caps from the lowest sound measured cap to the uncapped one are considered: nothing is
// extrapolated. Energy is that of the GPUs; cooling and conversion come on top.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "elasticity/power_curve.h"

namespace wattflex::elasticity {

struct CapAdvice {
  std::optional<double>
      loss_limit;    // the goal: at most this share of throughput lost; none: most work per joule
  Power cap;         // per GPU
  Power draw;        // of the job
  Ranged power_cut;  // shares of the uncapped values
  Ranged throughput_loss;
  Ranged energy_saved;  // per unit of work; negative: the cap costs energy
  Energy energy_saved_per_day;
  double money_saved_per_day = 0;
  std::optional<double> break_even_gpu_hour;  // none when no time is lost or nothing is saved
  bool at_lowest_cap = false;                 // a still lower cap might do better; it was not measured
  bool at_uncapped = false;                   // the goal asks for no cap
  bool doubtful = false;                      // mean draw per GPU under 3/4 of the cap: it met peaks at most

  // The interval excludes no saving.
  bool saves() const { return energy_saved.low > 0; }
};

struct AdviceOptions {
  int gpus = 1;
  double price_per_kwh = 0;
  std::vector<double> loss_limits = {0.02, 0.05, 0.10};  // rising, 0..1
};

struct Advice {
  CapAdvice most_efficient;
  std::vector<CapAdvice> within;  // one a loss limit
  // What the sentence leads with, one of `within`: that of the middle limit, else of the next larger, else of
  // the next smaller one that saves for sure. None: leave the GPUs uncapped.
  std::optional<std::size_t> advised;
  bool measure_again = false;  // nothing is advised, as every cap that seems to save is doubtful
  std::string sentence;        // the whole advice for one group, in words
};

Advice advise(const PowerCurveFit& fit, const AdviceOptions& options);

}  // namespace wattflex::elasticity
