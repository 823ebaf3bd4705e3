#include "elasticity/indexed_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wattflex::elasticity {

std::string_view to_string(Target target) {
  switch (target) {
    case Target::published:
      return "pfi";
    case Target::guarded:
      return "guarded";
    case Target::pooled:
      return "pooled";
  }
  return "";
}

std::string_view definition_of(Target target) {
  switch (target) {
    case Target::published:
      return "mean over capped points of (1 - P/Pmax) / (1 - T/Tmax), as published";
    case Target::guarded:
      return "mean of (1 - P/Pmax) / (1 - T/Tmax) over points whose losses are both resolved";
    case Target::pooled:
      return "sum of (1 - P/Pmax) over sum of (1 - T/Tmax) of points whose losses are both resolved";
  }
  return "";
}

std::optional<Target> parse_target(std::string_view text) {
  for (const auto target : {Target::published, Target::guarded, Target::pooled}) {
    if (text == to_string(target)) return target;
  }
  return std::nullopt;
}

const Estimate& index_of(const Flexibility& flexibility, Target target) {
  switch (target) {
    case Target::guarded:
      return flexibility.guarded;
    case Target::pooled:
      return flexibility.pooled;
    case Target::published:
      break;
  }
  return flexibility.published;
}

Result<IndexedGroups> index_groups(const SweepTable& table, Target target) {
  IndexedGroups indexed{.target = target};
  if (!table.groups.empty()) indexed.pedigree = table.groups.front().pedigree;
  for (const SweepGroup& group : table.groups) {
    if (group.pedigree != indexed.pedigree) {
      return fail(ErrorKind::refused,
                  fmt::format("{} mixes {} groups and {} ones", table.name, to_string(indexed.pedigree),
                              to_string(group.pedigree)),
                  "put them into tables of their own: real and simulated results are never mixed");
    }
    const Flexibility flexibility = measure_flexibility(group, {.resamples = 0});
    const Estimate& index = index_of(flexibility, target);
    if (index.value) {
      indexed.groups.push_back({&group, *index.value});
    } else {
      indexed.left_out.push_back({group.id, "no index: " + index.reason});
    }
  }
  for (const DroppedGroup& group : table.dropped) {
    indexed.left_out.push_back({group.id, "no index: " + group.reason});
  }
  std::ranges::sort(indexed.groups, {}, [](const IndexedGroup& g) { return g.group->id; });
  std::ranges::sort(indexed.left_out, {}, &LeftOut::id);
  return indexed;
}

std::vector<std::string> accelerators_of(const SweepTable& table) {
  std::vector<std::string> present;
  for (const SweepGroup& group : table.groups) {
    if (std::ranges::find(present, group.id.accelerator) == present.end()) {
      present.push_back(group.id.accelerator);
    }
  }
  return present;
}

Result<SweepTable> only_accelerator(SweepTable table, std::string_view accelerator) {
  const std::vector<std::string> present = accelerators_of(table);
  if (accelerator.empty()) {
    if (present.size() <= 1) return table;
    return fail(ErrorKind::usage,
                fmt::format("{} has several accelerators ({}); an index is comparable on one only",
                            table.name, fmt::join(present, ", ")),
                fmt::format("choose one: --accelerator '{}'", present.front()));
  }
  const auto elsewhere = [&](const auto& group) { return group.id.accelerator != accelerator; };
  std::erase_if(table.groups, elsewhere);
  std::erase_if(table.dropped, elsewhere);
  if (!table.groups.empty()) return table;
  return fail(ErrorKind::no_data, fmt::format("{} has no group on accelerator '{}'", table.name, accelerator),
              fmt::format("it has: {}", fmt::join(present, ", ")));
}

}  // namespace wattflex::elasticity
