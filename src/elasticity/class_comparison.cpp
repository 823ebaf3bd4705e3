#include "elasticity/class_comparison.h"

#include <fmt/format.h>

#include <map>
#include <utility>

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
  std::map<std::string, std::vector<double>> by_class;
  for (const auto& [group, index] : indexed.groups) {
    const auto name = class_of(*group, by);
    if (!name) {
      comparison.left_out.push_back({group->id, fmt::format("does not state {}", columns_for(by))});
      continue;
    }
    by_class[*name].push_back(index);
  }
  std::vector<std::vector<double>> values;
  for (auto& [name, indices] : by_class) {
    comparison.classes.push_back({.name = name, .n = indices.size(), .median = stats::median(indices)});
    values.push_back(std::move(indices));
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
  const auto kruskal_wallis = stats::kruskal_wallis(values);
  if (!kruskal_wallis) return std::unexpected(kruskal_wallis.error());
  comparison.kruskal_wallis = *kruskal_wallis;
  comparison.pairs = *stats::dunn(values);  // has a value whenever the test above has
  return comparison;
}

}  // namespace wattflex::elasticity
