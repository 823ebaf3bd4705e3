#include "elasticity/class_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "stats/descriptive.h"

namespace wattflex::elasticity {
namespace {

std::string_view columns_for(Grouping by) {
  switch (by) {
    case Grouping::architecture:
      return "arch";
    case Grouping::task:
      return "task";
    case Grouping::paper_class:
    case Grouping::architecture_task:
      break;
  }
  return "arch and task";
}

}  // namespace

Result<ClassComparison> compare_classes(const IndexedGroups& indexed, Grouping by) {
  ClassComparison comparison{.by = by};
  std::vector<std::vector<double>> values;
  for (const auto& [group, index] : indexed.groups) {
    const auto name = class_of(*group, by);
    if (!name) {
      comparison.left_out.push_back({group->id, fmt::format("does not state {}", columns_for(by))});
      continue;
    }
    auto found = std::ranges::find(comparison.classes, *name, &ClassSummary::name);
    if (found == comparison.classes.end()) {
      comparison.classes.push_back({.name = *name});
      values.emplace_back();
      found = comparison.classes.end() - 1;
    }
    values[static_cast<std::size_t>(found - comparison.classes.begin())].push_back(index);
  }
  if (values.empty()) {
    return fail(
        ErrorKind::no_data, fmt::format("no group with an index states {}", columns_for(by)),
        fmt::format("fill the column{} {}", by == Grouping::task || by == Grouping::architecture ? "" : "s",
                    columns_for(by)));
  }
  if (values.size() == 1) {
    return fail(ErrorKind::no_data,
                fmt::format("all groups are of one class, {}", comparison.classes[0].name), "");
  }
  for (std::size_t c = 0; c < values.size(); ++c) {
    comparison.classes[c].n = values[c].size();
    comparison.classes[c].median = stats::median(values[c]);
  }
  const auto kruskal_wallis = stats::kruskal_wallis(values);
  if (!kruskal_wallis) return std::unexpected(kruskal_wallis.error());
  comparison.kruskal_wallis = *kruskal_wallis;
  comparison.pairs = *stats::dunn(values);  // has a value whenever the test above has
  return comparison;
}

}  // namespace wattflex::elasticity
