// Which jobs are compared as one kind. The paper tests three classes (dense, MoE pretraining, MoE
// fine-tuning) and cross-validates over four clusters (architecture x task); tables that state less allow
// less.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/sweep.h"

namespace wattflex::elasticity {

enum class Grouping {
  paper_class,        // dense, whatever the task; MoE by task
  architecture_task,  // both
  architecture,
  task,
};

std::string_view to_string(Grouping grouping);  // "class", "arch-task", "arch", "task"
std::optional<Grouping> parse_grouping(std::string_view text);

// "dense", "moe fine-tuning", ...; nothing when the group does not state what the grouping needs.
std::optional<std::string> class_of(const SweepGroup& group, Grouping grouping);

}  // namespace wattflex::elasticity
