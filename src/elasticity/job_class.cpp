#include "elasticity/job_class.h"

namespace wattflex::elasticity {

std::string_view to_string(Grouping grouping) {
  switch (grouping) {
    case Grouping::paper_class:
      return "class";
    case Grouping::architecture_task:
      return "arch-task";
    case Grouping::architecture:
      return "arch";
    case Grouping::task:
      return "task";
  }
  return "";
}

std::optional<Grouping> parse_grouping(std::string_view text) {
  for (const auto grouping :
       {Grouping::paper_class, Grouping::architecture_task, Grouping::architecture, Grouping::task}) {
    if (text == to_string(grouping)) return grouping;
  }
  return std::nullopt;
}

std::optional<std::string> class_of(const SweepGroup& group, Grouping grouping) {
  const bool dense = group.architecture == Architecture::dense;
  const bool by_architecture = grouping != Grouping::task;
  const bool by_task = grouping == Grouping::task || grouping == Grouping::architecture_task ||
                       (grouping == Grouping::paper_class && !dense);
  if (by_architecture && group.architecture == Architecture::unknown) return std::nullopt;
  if (by_task && group.task == Task::unknown) return std::nullopt;
  std::string name;
  if (by_architecture) name += to_string(group.architecture);
  if (by_architecture && by_task) name += ' ';
  if (by_task) name += to_string(group.task);
  return name;
}

}  // namespace wattflex::elasticity
