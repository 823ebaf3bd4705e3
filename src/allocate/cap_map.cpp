#include "allocate/cap_map.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace wattflex::allocate {

namespace {

// Where `cap` lies between two rows, 0..1.
double share_between(const MeasuredCap& left, const MeasuredCap& right, Power cap) {
  return (cap - left.cap) / (right.cap - left.cap);
}

}  // namespace

CapMap::CapMap(std::vector<MeasuredCap> rows) : rows_(std::move(rows)) {
  assert(!rows_.empty());
  std::ranges::sort(rows_, {}, &MeasuredCap::cap);
  assert(std::ranges::adjacent_find(rows_, {}, &MeasuredCap::cap) == rows_.end());
  limits_ = rows_;
  for (std::size_t k = 1; k < limits_.size(); ++k) {
    limits_[k].draw = std::max(limits_[k].draw, limits_[k - 1].draw);
  }
  for (std::size_t k = limits_.size() - 1; k-- > 0;) {
    limits_[k].throughput = std::min(limits_[k].throughput, limits_[k + 1].throughput);
  }
}

Power CapMap::draw_at(Power cap) const {
  if (cap <= lowest_cap()) return lowest_draw();
  if (cap >= largest_cap()) return limits_.back().draw;
  const auto right = std::ranges::lower_bound(limits_, cap, {}, &MeasuredCap::cap);
  const auto left = right - 1;
  return left->draw + share_between(*left, *right, cap) * (right->draw - left->draw);
}

double CapMap::throughput_at(Power cap) const {
  if (cap <= lowest_cap()) return limits_.front().throughput;
  if (cap >= largest_cap()) return limits_.back().throughput;
  const auto right = std::ranges::lower_bound(limits_, cap, {}, &MeasuredCap::cap);
  const auto left = right - 1;
  return left->throughput + share_between(*left, *right, cap) * (right->throughput - left->throughput);
}

Power CapMap::cap_that_gives(double throughput) const {
  const auto right = std::ranges::lower_bound(limits_, throughput, {}, &MeasuredCap::throughput);
  if (right == limits_.begin()) return lowest_cap();
  if (right == limits_.end()) return largest_cap();
  const auto left = right - 1;
  const double share = (throughput - left->throughput) / (right->throughput - left->throughput);
  return left->cap + share * (right->cap - left->cap);
}

Power CapMap::cap_for(Power draw) const {
  // The first row that may draw more; on a plateau the cap reaches up to its far end.
  const auto right = std::ranges::upper_bound(limits_, draw, {}, &MeasuredCap::draw);
  if (right == limits_.begin()) return lowest_cap();
  if (right == limits_.end()) return largest_cap();
  const auto left = right - 1;
  return left->cap + (draw - left->draw) / (right->draw - left->draw) * (right->cap - left->cap);
}

CapMap CapMap::scaled(double ratio) const {
  std::vector<MeasuredCap> rows = rows_;
  for (MeasuredCap& row : rows) {
    row.draw = row.draw * ratio;
    row.throughput *= ratio;
  }
  return CapMap(std::move(rows));
}

}  // namespace wattflex::allocate
