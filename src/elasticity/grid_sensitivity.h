// How much the index depends on which caps were measured (arXiv:2609.11542, Table 9: four caps
// instead of six move it by about +10 %, ranks stay). A sub-grid keeps the uncapped cap and some of the
// others.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "elasticity/indexed_groups.h"

namespace wattflex::elasticity {

struct GridIndices {
  GroupId id;
  double full = 0;
  double sub = 0;
};

// One sub-grid against the full one.
struct GridComparison {
  std::vector<double> caps_w;  // of the sub-grid, falling
  std::vector<GridIndices> groups;
  double mean_shift = 0;      // mean of sub - full
  double median_ratio = 1;    // of sub / full: a mean would be ruled by indices near 0
  double largest_shift = 0;   // of |sub - full|
  std::optional<double> rho;  // Spearman's of sub and full; none below three groups
};

// Over the groups that were measured at all of `caps_w`, at more than these, and have an index on both grids.
// No value (ErrorKind::no_data, with the reason) when there are none.
Result<GridComparison> compare_grid(const IndexedGroups& indexed, std::span<const double> caps_w);

// All sub-grids with the same number of caps.
struct GridSize {
  std::size_t caps = 0;  // the uncapped one included
  std::size_t grids = 0;
  double least_ratio = 1;  // of the sub-grids' median ratios
  double median_ratio = 1;
  double largest_ratio = 1;
  std::optional<double> least_rho;
  std::optional<double> median_rho;
  std::vector<double> worst_caps_w;  // the sub-grid with the least rho, else with the largest shift
};

struct GridSummary {
  std::vector<double> full_caps_w;  // the grid most groups share
  std::size_t n = 0;                // groups on it
  std::vector<GridSize> sizes;      // from the fewest caps to one less than all
  std::string note;                 // when not all sub-grids were tried: which
};

// Sub-grids of at least `fewest_caps` caps (2 or more, the uncapped one included) of the grid that most
// groups share. At most kMostGridFits indices are computed; beyond that the smaller sub-grids are left out,
// with a note. `progress` is told the share done. No value (ErrorKind::no_data) when that grid has no such
// sub-grid.
inline constexpr std::size_t kMostGridFits = 20'000;  // a fraction of a second
Result<GridSummary> summarise_grids(const IndexedGroups& indexed, std::size_t fewest_caps,
                                    const std::function<void(double)>& progress = {});

}  // namespace wattflex::elasticity
