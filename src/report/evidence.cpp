#include "report/evidence.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/counted.h"

namespace wattflex::report {
namespace {

// Names that alone would stand for several groups get their accelerator and table.
class Names {
 public:
  explicit Names(std::span<const SweepTable> tables) {
    for (const SweepTable& table : tables) {
      for (const SweepGroup& group : table.groups) {
        ++plain_[group.id.group];
        ++with_accelerator_[{group.id.group, group.id.accelerator}];
      }
    }
  }

  std::string of(const GroupId& id) const {
    if (plain_.at(id.group) == 1) return id.group;
    if (with_accelerator_.at({id.group, id.accelerator}) == 1)
      return fmt::format("{} ({})", id.group, id.accelerator);
    return fmt::format("{} ({}, {})", id.group, id.accelerator, id.table);
  }

 private:
  std::map<std::string, int> plain_;
  std::map<std::pair<std::string, std::string>, int> with_accelerator_;
};

std::string list_of(std::span<const SweepTable> tables) {
  if (tables.size() > 3) return fmt::format("{} tables", tables.size());
  std::string out;
  for (const SweepTable& table : tables) out += (out.empty() ? "" : ", ") + table.name;
  return out;
}

}  // namespace

int Evidence::capped_points() const {
  int count = 0;
  for (const GroupEvidence& each : groups) count += each.flexibility.n_used + each.flexibility.n_refused;
  return count;
}

int Evidence::used_points() const {
  int count = 0;
  for (const GroupEvidence& each : groups) count += each.flexibility.n_used;
  return count;
}

std::string Evidence::pedigree() const {
  std::set<std::string_view> kinds;
  for (const GroupEvidence& each : groups) kinds.insert(to_string(each.group->pedigree));
  std::string origin;
  for (const std::string_view kind : kinds) origin += (origin.empty() ? "" : " and ") + std::string(kind);
  return fmt::format("{}: {} of {}; {} of {} capped points are resolved", origin,
                     counted(groups.size(), "group"), list_of(tables), used_points(), capped_points());
}

Evidence gather(std::span<const SweepTable> tables, const elasticity::FlexibilityOptions& options,
                const std::function<void(double done)>& progress) {
  const Names names(tables);
  std::size_t total = 0;
  for (const SweepTable& table : tables) total += table.groups.size();
  Evidence evidence{.tables = tables, .groups = {}};
  for (const SweepTable& table : tables) {
    for (const SweepGroup& group : table.groups) {
      if (progress) progress(static_cast<double>(evidence.groups.size()) / static_cast<double>(total));
      auto flexibility = elasticity::measure_flexibility(group, options);
      auto classification = elasticity::classify(flexibility);
      evidence.groups.push_back({.group = &group,
                                 .name = names.of(group.id),
                                 .flexibility = std::move(flexibility),
                                 .classification = std::move(classification),
                                 .curve = elasticity::MeasuredCurve::from(group)});
    }
  }
  std::ranges::stable_sort(evidence.groups, [](const GroupEvidence& a, const GroupEvidence& b) {
    return a.ranked_by() > b.ranked_by();
  });
  return evidence;
}

}  // namespace wattflex::report
