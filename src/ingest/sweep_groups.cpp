#include "ingest/sweep_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "base/counted.h"

namespace wattflex::ingest {
namespace {

constexpr std::size_t kUsualPoints = 8;  // room for most sweeps at once
// A capped draw this close to the uncapped one means that the cap did not bind.
constexpr double kBindingCut = 0.01;
// Draw per GPU below this share of the cap, at every cap: power_w holds something else.
constexpr double kKilowattShare = 0.01;

// One value for the whole group; a row that does not say takes the group's.
template <class Value>
bool agrees(Value& group, const Value& row, const Value& unstated) {
  if (row == unstated) return true;
  if (group == unstated) group = row;
  return group == row;
}

void refuse_difference(OpenGroup& open, const SweepRow& row, SweepColumn column, Findings& findings) {
  open.worst = RowUse::refused;
  findings.add(FindingKind::group_differs, row.point.row, to_string(column), [&] {
    return fmt::format("differs from row {} of the same group '{}'", open.first_row, row.group);
  });
}

// By falling cap. Rising caps are an order too, and no oddity.
void sort_points(OpenGroup& open, Findings& findings) {
  auto& points = open.group.points;
  if (std::ranges::is_sorted(points, std::greater(), &SweepPoint::cap)) return;
  if (!std::ranges::is_sorted(points, std::less(), &SweepPoint::cap)) {
    findings.add(FindingKind::unsorted, open.first_row, to_string(SweepColumn::cap),
                 [&] { return fmt::format("the caps of group '{}' are in no order", open.group.id.group); });
  }
  // Not stable_sort, whose libstdc++ version clang finds deprecated parts in.
  std::ranges::sort(points, [](const SweepPoint& a, const SweepPoint& b) {
    return a.cap > b.cap || (a.cap == b.cap && a.row < b.row);
  });
}

// False when two rows have one cap.
bool check_duplicates(const SweepGroup& group, Findings& findings) {
  bool unique = true;
  for (std::size_t i = 1; i < group.points.size(); ++i) {
    if (group.points[i].cap != group.points[i - 1].cap) continue;
    unique = false;
    const bool uncapped = group.points[i].cap == group.uncapped().cap;
    const auto kind = uncapped ? FindingKind::two_uncapped_points : FindingKind::duplicate_cap;
    const std::size_t first = std::min(group.points[i - 1].row, group.points[i].row);
    const std::size_t second = std::max(group.points[i - 1].row, group.points[i].row);
    findings.add(kind, second, to_string(SweepColumn::cap), [&] {
      return fmt::format("{:g} W is there twice in group '{}' (also row {}){}", group.points[i].cap.watts(),
                         group.id.group, first, uncapped ? "; it is the uncapped point" : "");
    });
  }
  return unique;
}

void note_points(const SweepGroup& group, Findings& findings) {
  const SweepPoint& top = group.uncapped();
  for (const SweepPoint& point : group.points) {
    const double per_gpu = point.power.watts() / group.gpus;
    if (per_gpu > point.cap.watts()) {
      findings.add(FindingKind::draw_above_cap, point.row, to_string(SweepColumn::power), [&] {
        return fmt::format("{:.4g} W per GPU at a cap of {:g} W", per_gpu, point.cap.watts());
      });
    }
    if (&point == &top) continue;
    if (point.throughput >= top.throughput) {
      findings.add(FindingKind::throughput_above_uncapped, point.row, to_string(SweepColumn::throughput),
                   [&] {
                     return fmt::format("{:g} at {:g} W is not below the uncapped {:g}", point.throughput,
                                        point.cap.watts(), top.throughput);
                   });
    }
    if (point.power / top.power > 1 - kBindingCut) {
      findings.add(FindingKind::cap_not_binding, point.row, to_string(SweepColumn::cap), [&] {
        return fmt::format("at {:g} W the job draws {:.4g} W, uncapped {:.4g} W", point.cap.watts(),
                           point.power.watts(), top.power.watts());
      });
    }
  }
}

// Draws that fit the caps only in another unit.
void note_power_unit(const SweepGroup& group, Findings& findings) {
  const auto share_of_cap = [&](const SweepPoint& point, double gpus) {
    return point.power.watts() / (gpus * point.cap.watts());
  };
  const auto all = [&](auto predicate) { return std::ranges::all_of(group.points, predicate); };
  if (all([&](const SweepPoint& p) { return share_of_cap(p, group.gpus) < kKilowattShare; })) {
    findings.add(FindingKind::kilowatts, group.uncapped().row, to_string(SweepColumn::power), [&] {
      return fmt::format("{:g} W for {} at {:g} W", group.uncapped().power.watts(),
                         counted(group.gpus, "GPU"), group.uncapped().cap.watts());
    });
  } else if (group.gpus > 2 &&
             all([&](const SweepPoint& p) { return share_of_cap(p, 1) > 0.3 && share_of_cap(p, 1) < 1.1; })) {
    findings.add(FindingKind::power_of_one_gpu, group.uncapped().row, to_string(SweepColumn::power), [&] {
      return fmt::format("{:g} W is little for {} GPUs at {:g} W each", group.uncapped().power.watts(),
                         group.gpus, group.uncapped().cap.watts());
    });
  }
}

// Round caps too give the exchange away: every draw is little for its cap, and each fits as the cap of the
// other.
bool fits_exchanged(const SweepGroup& group) {
  constexpr double kIdle = 0.2;  // of the cap: less than any board draws that computes
  constexpr double kBusy = 0.3;
  return group.gpus > 1 && std::ranges::all_of(group.points, [&](const SweepPoint& point) {
           const double as_draw = point.power.watts() / (group.gpus * point.cap.watts());
           const double exchanged = point.cap.watts() / (group.gpus * point.power.watts());
           return as_draw < kIdle && exchanged > kBusy && exchanged < 1.1;
         });
}

// Caps are set in round numbers, draws are measured: where the draws are round and the caps are not, and most
// draws lie where only caps can, the two stand in each other's column.
void note_exchange(const SweepGroup& group, Findings& findings) {
  constexpr double kGrid = 5;  // caps are set in whole multiples of this
  const auto is_round = [](Power power) { return std::fmod(power.watts(), kGrid) == 0; };
  const auto most = [&](auto predicate) {
    return 2 * static_cast<std::size_t>(std::ranges::count_if(group.points, predicate)) > group.points.size();
  };
  const bool draws_are_round =
      std::ranges::all_of(group.points, [&](const SweepPoint& point) { return is_round(point.power); });
  const bool ragged_caps = draws_are_round && most([&](const SweepPoint& p) { return !is_round(p.cap); });
  const bool out_of_place = most([&](const SweepPoint& point) {
    return group.gpus == 1 ? point.power > point.cap : point.power < point.cap;
  });
  if (!(ragged_caps && out_of_place) && !fits_exchanged(group)) return;
  findings.add(FindingKind::columns_exchanged, group.uncapped().row, "", [&] {
    return fmt::format("cap_w and power_w look exchanged in group '{}': caps like {:g} W, draws like {:g} W",
                       group.id.group, group.uncapped().cap.watts(), group.uncapped().power.watts());
  });
}

void leave_out(OpenGroup& open, std::string_view why, Findings& findings) {
  open.dropped_because = why;
  findings.add(FindingKind::group_left_out, open.first_row, "",
               [&] { return fmt::format("group '{}' is left out: {}", open.group.id.group, why); });
}

}  // namespace

void OpenGroup::add(SweepRow& row, Findings& findings) {
  worst = std::max(worst, row.use);
  if (row.use != RowUse::used) {
    largest_left_out = std::max(largest_left_out, row.point.cap);
    return;
  }
  if (group.gpus == 0) {
    group.gpus = row.gpus;
    group.pedigree = row.pedigree;
    group.points.reserve(kUsualPoints);
  }
  if (group.gpus != row.gpus) refuse_difference(*this, row, SweepColumn::gpus, findings);
  if (group.pedigree != row.pedigree) refuse_difference(*this, row, SweepColumn::pedigree, findings);
  if (!agrees(group.architecture, row.architecture, Architecture::unknown)) {
    refuse_difference(*this, row, SweepColumn::architecture, findings);
  }
  if (!agrees(group.task, row.task, Task::unknown))
    refuse_difference(*this, row, SweepColumn::task, findings);
  if (!row.model.empty() && row.model != group.model) {
    if (!group.model.empty()) refuse_difference(*this, row, SweepColumn::model, findings);
    group.model = row.model;
  }
  if (group.points.size() < kMostPoints) {
    group.points.push_back(std::move(row.point));
  } else if (group.points.size() == kMostPoints && worst != RowUse::refused) {
    worst = RowUse::refused;
    findings.add(FindingKind::too_many_points, row.point.row, "", [&] {
      return fmt::format("group '{}' has more than {} rows", group.id.group, kMostPoints);
    });
  }
}

bool close_group(OpenGroup& open, Findings& findings, LoneRow lone_row) {
  SweepGroup& group = open.group;
  sort_points(open, findings);
  if (open.worst == RowUse::refused) return false;  // said already; its other faults may follow from that
  const bool lost_reference = !group.points.empty() && open.largest_left_out > group.uncapped().cap;
  if (open.worst == RowUse::left_out && (group.points.size() < 2 || lost_reference)) {
    leave_out(open, lost_reference ? "its uncapped run has no numbers" : "fewer than two points remain",
              findings);
    return false;
  }
  if (group.points.size() < 2 && lone_row == LoneRow::refused) {
    findings.add(FindingKind::one_point, open.first_row, "",
                 [&] { return fmt::format("group '{}' has only this point", group.id.group); });
    return false;
  }
  if (!check_duplicates(group, findings)) return false;
  note_points(group, findings);
  note_power_unit(group, findings);
  note_exchange(group, findings);
  return true;
}

std::string none_usable(const std::vector<DroppedGroup>& dropped) {
  if (dropped.empty()) return "no group of the table can be used";
  return fmt::format("no group of the table can be used; of '{}', {}", dropped.front().id.group,
                     dropped.front().reason);
}

void note_split_groups(Findings& findings) {
  findings.add(FindingKind::unsorted, 0, to_string(SweepColumn::group),
               [] { return "the rows of a group do not all stand together"; });
}

std::uint64_t group_hash(const SweepRow& row) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;  // as in Fibonacci hashing
  std::uint64_t hash = std::hash<std::string_view>()(row.group);
  hash = (hash ^ (hash >> 32)) * kGolden;
  hash ^= std::hash<std::string_view>()(row.accelerator);
  hash *= kGolden;
  return hash ^ (hash >> 32);
}

void GroupCollector::add(SweepRow& row, Findings& findings) {
  if (row.group.empty()) return;
  if (last_ >= groups_.size() || !groups_[last_].is_of(row)) {
    last_ = index_.find_or_enter(group_hash(row), groups_.size(),
                                 [&](std::size_t place) { return groups_[place].is_of(row); });
    if (last_ < groups_.size()) {
      has_split_groups_ = true;
    } else {
      OpenGroup& open = groups_.emplace_back();
      open.group.id = {table_, std::string(row.group), std::string(row.accelerator)};
      open.first_row = row.point.row;
    }
  }
  groups_[last_].add(row, findings);
}

std::vector<SweepGroup> GroupCollector::take(Findings& findings) {
  std::vector<SweepGroup> closed;
  closed.reserve(groups_.size());
  for (OpenGroup& open : groups_) {
    if (close_group(open, findings, lone_row_)) {
      closed.push_back(std::move(open.group));
    } else if (!open.dropped_because.empty()) {
      dropped_.push_back({std::move(open.group.id), std::move(open.dropped_because)});
    }
  }
  groups_.clear();
  index_ = {};
  return closed;
}

void TableSurvey::add(const SweepGroup& group) {
  ++groups_;
  points_ += group.points.size();
  if (listed_.size() < kMostListed) {
    const SweepPoint& top = group.uncapped();
    listed_.push_back({group.id, group.pedigree, group.gpus, group.points.size(), top.cap,
                       group.points.back().cap, top.power, top.row});
  }
  if (by_accelerator_.size() == kMostAccelerators && !by_accelerator_.contains(group.id.accelerator)) return;
  SameSize& same = by_accelerator_[group.id.accelerator][group.points.size()];
  if (same.groups++ == 0) {
    same.first_group = group.id.group;
    same.first_row = group.uncapped().row;
  }
}

std::vector<std::string> TableSurvey::accelerators() const {
  std::vector<std::string> named;
  for (const auto& [accelerator, sizes] : by_accelerator_) {
    if (!accelerator.empty()) named.push_back(accelerator);
  }
  return named;
}

void TableSurvey::finish(Findings& findings) const {
  if (by_accelerator_.size() > 1) {
    findings.add(FindingKind::several_accelerators, 0, to_string(SweepColumn::accelerator), [&] {
      return fmt::format("{} accelerators in one table ('{}', '{}'{})", by_accelerator_.size(),
                         by_accelerator_.begin()->first, std::next(by_accelerator_.begin())->first,
                         by_accelerator_.size() > 2 ? ", ..." : "");
    });
  }
  for (const auto& [accelerator, sizes] : by_accelerator_) {
    const auto usual =
        std::ranges::max_element(sizes, {}, [](const auto& entry) { return entry.second.groups; });
    const std::size_t usual_caps = usual->first;
    if (usual->second.groups == 1) continue;
    for (const auto& size : sizes) {
      const std::size_t caps = size.first;
      const auto& same = size.second;
      if (caps >= usual_caps) continue;
      findings.add(FindingKind::partial_sweep, same.first_row, "", [&] {
        return fmt::format("'{}'{} {} {}, most groups {}", same.first_group,
                           same.groups > 1 ? " and " + counted(same.groups - 1, "other group") : "",
                           same.groups > 1 ? "have" : "has", counted(caps, "cap"), usual_caps);
      });
    }
  }
}

}  // namespace wattflex::ingest
