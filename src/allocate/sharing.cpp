#include "allocate/sharing.h"

#include <algorithm>
#include <cassert>

namespace wattflex::allocate {

ProportionalSharing::ProportionalSharing(std::span<const double> rooms, std::span<const double> weights)
    : rooms_(rooms.begin(), rooms.end()), weights_(weights.begin(), weights.end()) {
  assert(rooms.size() == weights.size());
  steps_.reserve(rooms.size());
  for (std::size_t j = 0; j < rooms.size(); ++j) {
    total_room_ += rooms[j];
    if (weights[j] > 0) steps_.push_back({j, rooms[j] / weights[j], 0});
  }
  std::ranges::sort(steps_, {}, &Step::level);
  // Weight of the jobs that are not exhausted yet, summed from the smallest: taking away from the whole would
  // lose the small ones.
  double active = 0;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    active += weights_[step->job];
    step->cut_at_level = active * step->level;
  }
  double exhausted = 0;
  for (Step& step : steps_) {
    step.cut_at_level += exhausted;
    exhausted += rooms_[step.job];
  }
  weighted_room_ = exhausted;
}

void ProportionalSharing::share(double cut, std::span<double> cuts) const {
  assert(cuts.size() == rooms_.size());
  if (cut >= weighted_room_) {
    const double rest = total_room_ - weighted_room_;
    const double part = rest > 0 ? std::min(1.0, (cut - weighted_room_) / rest) : 0.0;
    for (std::size_t j = 0; j < rooms_.size(); ++j) cuts[j] = weights_[j] > 0 ? rooms_[j] : part * rooms_[j];
    return;
  }
  const auto first_open = std::ranges::lower_bound(steps_, cut, {}, &Step::cut_at_level);
  // Summed anew over the few open jobs: no drift from subtracting.
  double open_weight = 0;
  double closed_room = 0;
  for (auto step = steps_.begin(); step != steps_.end(); ++step) {
    if (step < first_open) {
      closed_room += rooms_[step->job];
    } else {
      open_weight += weights_[step->job];
    }
  }
  const double level = open_weight > 0 ? std::max(0.0, cut - closed_room) / open_weight : 0.0;
  for (std::size_t j = 0; j < rooms_.size(); ++j) cuts[j] = std::min(rooms_[j], level * weights_[j]);
}

}  // namespace wattflex::allocate
