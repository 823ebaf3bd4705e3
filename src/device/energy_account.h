// The energy of one GPU over a time, from what samples give: the counter where there is one, else the draw
// integrated (TEL-07). A counter may fall and come back: nothing is ever booked that the board cannot have
// drawn, nothing negative, and a fall without a plausible way back is a gap (TEL-08). One scope and one
// source an account.
#pragma once

#include <cstdint>
#include <optional>

#include "base/quantity.h"
#include "model/gpu.h"

namespace wattflex::device {

enum class EnergySource { unknown, counter, integrated_draw };

std::string_view to_string(EnergySource source);

struct EnergyTotal {
  EnergySource source = EnergySource::unknown;
  Energy energy;        // means something only with a source
  Seconds covered{};    // the time it was drawn in
  Seconds uncovered{};  // between the first and the last sample, unknown
  int resets = 0;       // falls of the counter
  // Counter over integrated draw where both cover the same time (TEL-10); healthy within 0.9..1.1.
  std::optional<double> counter_over_draw;
};

class EnergyAccount {
 public:
  // `most`: the board's largest limit, beyond which no rise of the counter is believed.
  explicit EnergyAccount(Power most) : most_(most) {}

  // By rising time.
  void add(Time time, const Reading<EnergyCount>& count, const Reading<Power>& draw);
  EnergyTotal total() const;

 private:
  struct Count {
    Time time;
    std::uint64_t millijoules = 0;
  };
  struct Draw {
    Time time;
    Power power;
  };
  struct Booked {
    Energy energy;
    Seconds covered{};
  };

  void add_count(Count now);
  void add_draw(Draw now);
  std::optional<Energy> plausible(const Count& from, const Count& to) const;

  Power most_;
  std::optional<Time> first_;
  Time last_;
  std::optional<Count> counted_;      // the last count
  std::optional<Count> before_fall_;  // the last count before the counter fell
  std::optional<Draw> drawn_;
  Booked by_count_;
  Booked by_draw_;
  int resets_ = 0;
};

}  // namespace wattflex::device
