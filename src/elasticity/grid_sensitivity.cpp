#include "elasticity/grid_sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "stats/correlation.h"
#include "stats/descriptive.h"

namespace wattflex::elasticity {
namespace {

using Caps = std::vector<double>;

Caps grid_of(const SweepGroup& group) {
  Caps caps;
  for (const SweepPoint& point : group.points) caps.push_back(point.cap.watts());
  return caps;
}

bool includes(const Caps& caps, double cap) {
  return std::ranges::find(caps, cap) != caps.end();
}

std::optional<double> index_on(const SweepGroup& group, const Caps& caps, Target target) {
  SweepGroup thinned = group;
  std::erase_if(thinned.points, [&](const SweepPoint& point) { return !includes(caps, point.cap.watts()); });
  return index_of(measure_flexibility(thinned, {.resamples = 0}), target).value;
}

double median_ratio(const std::vector<double>& sub, const std::vector<double>& full) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < sub.size(); ++i) {
    if (full[i] != 0) ratios.push_back(sub[i] / full[i]);
  }
  return ratios.empty() ? 1 : stats::median(ratios);
}

// None when no group has both indices.
std::optional<GridComparison> compare(const std::vector<IndexedGroup>& groups, Target target,
                                      const Caps& caps) {
  GridComparison comparison{.caps_w = caps};
  std::vector<double> full;
  std::vector<double> sub;
  for (const auto& [group, index] : groups) {
    const auto thinned = index_on(*group, caps, target);
    if (!thinned) continue;
    comparison.groups.push_back({group->id, index, *thinned});
    full.push_back(index);
    sub.push_back(*thinned);
    comparison.largest_shift = std::max(comparison.largest_shift, std::abs(*thinned - index));
  }
  if (full.empty()) return std::nullopt;
  comparison.mean_shift = stats::mean(sub) - stats::mean(full);
  comparison.median_ratio = median_ratio(sub, full);
  if (const auto correlation = stats::spearman(sub, full)) comparison.rho = correlation->rho;
  return comparison;
}

// The grid most groups share, the longer one when two are as common, and those groups.
std::pair<Caps, std::vector<IndexedGroup>> commonest_grid(const IndexedGroups& indexed) {
  std::map<Caps, std::vector<IndexedGroup>> by_grid;
  for (const IndexedGroup& group : indexed.groups) by_grid[grid_of(*group.group)].push_back(group);
  const auto commonest = std::ranges::max_element(
      by_grid, {}, [](const auto& entry) { return std::pair(entry.second.size(), entry.first.size()); });
  if (commonest == by_grid.end()) return {};
  return {commonest->first, commonest->second};
}

double binomial(std::size_t n, std::size_t k) {
  double value = 1;
  for (std::size_t i = 0; i < k; ++i) value *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return value;
}

// Calls visit(caps) for each choice of `chosen` caps below the first one of `full`, with that one in front.
template <class Visit>
void for_each_sub_grid(const Caps& full, std::size_t chosen, Visit visit) {
  const std::size_t capped = full.size() - 1;
  std::vector<char> mask(capped, 0);
  std::fill_n(mask.begin(), chosen, 1);
  do {
    Caps caps{full.front()};
    for (std::size_t i = 0; i < capped; ++i) {
      if (mask[i] != 0) caps.push_back(full[i + 1]);
    }
    visit(caps);
  } while (std::ranges::prev_permutation(mask).found);
}

GridSize summarise(std::size_t caps, const std::vector<GridComparison>& comparisons) {
  GridSize size{.caps = caps, .grids = comparisons.size()};
  std::vector<double> ratios;
  std::vector<double> rhos;
  const GridComparison* worst = &comparisons.front();
  for (const GridComparison& comparison : comparisons) {
    ratios.push_back(comparison.median_ratio);
    if (comparison.rho) rhos.push_back(*comparison.rho);
    const bool worse = comparison.rho && worst->rho ? *comparison.rho < *worst->rho
                                                    : comparison.largest_shift > worst->largest_shift;
    if (worse) worst = &comparison;
  }
  size.least_ratio = std::ranges::min(ratios);
  size.median_ratio = stats::median(ratios);
  size.largest_ratio = std::ranges::max(ratios);
  if (!rhos.empty()) {
    size.least_rho = std::ranges::min(rhos);
    size.median_rho = stats::median(rhos);
  }
  size.worst_caps_w = worst->caps_w;
  return size;
}

std::unexpected<Error> nothing(std::string reason) {
  return fail(ErrorKind::no_data, std::move(reason), "");
}

}  // namespace

Result<GridComparison> compare_grid(const IndexedGroups& indexed, std::span<const double> caps_w) {
  Caps caps(caps_w.begin(), caps_w.end());
  std::ranges::sort(caps, std::greater());
  std::vector<IndexedGroup> eligible;
  for (const IndexedGroup& group : indexed.groups) {
    const Caps measured = grid_of(*group.group);
    const bool all = std::ranges::all_of(caps, [&](double cap) { return includes(measured, cap); });
    if (all && measured.size() > caps.size() && includes(caps, measured.front())) eligible.push_back(group);
  }
  if (eligible.empty())
    return nothing("no group was measured at all of these caps, the uncapped one, and more");
  const auto comparison = compare(eligible, indexed.target, caps);
  if (!comparison) return nothing("no group has an index on this grid");
  return *comparison;
}

Result<GridSummary> summarise_grids(const IndexedGroups& indexed, std::size_t fewest_caps,
                                    const std::function<void(double)>& progress) {
  const auto [full, groups] = commonest_grid(indexed);
  if (groups.empty()) return nothing("no group has an index");
  if (full.size() <= fewest_caps) {
    return nothing(fmt::format("most groups were measured at {} caps, sub-grids of {} or more need more",
                               full.size(), fewest_caps));
  }
  GridSummary summary{.full_caps_w = full, .n = groups.size()};
  double fits = 0;
  std::size_t smallest = full.size();
  while (smallest > fewest_caps) {
    const double more = binomial(full.size() - 1, smallest - 2) * static_cast<double>(groups.size());
    if (fits + more > static_cast<double>(kMostGridFits)) break;
    fits += more;
    --smallest;
  }
  if (smallest == full.size()) return nothing("too many groups and caps to try sub-grids of them all");
  if (smallest > fewest_caps)
    summary.note = fmt::format("only sub-grids of {} or more caps were tried", smallest);
  double done = 0;
  for (std::size_t caps = smallest; caps < full.size(); ++caps) {
    std::vector<GridComparison> comparisons;
    for_each_sub_grid(full, caps - 1, [&](const Caps& sub) {
      if (auto comparison = compare(groups, indexed.target, sub))
        comparisons.push_back(*std::move(comparison));
      done += static_cast<double>(groups.size());
      if (progress) progress(done / fits);
    });
    if (!comparisons.empty()) summary.sizes.push_back(summarise(caps, comparisons));
  }
  return summary;
}

}  // namespace wattflex::elasticity
