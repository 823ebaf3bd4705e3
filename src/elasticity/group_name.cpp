#include "elasticity/group_name.h"

#include <fmt/format.h>

namespace wattflex::elasticity {

std::string name_of(const GroupId& id) {
  return fmt::format("{}: group '{}'{}", id.table, id.group,
                     id.accelerator.empty() ? "" : " on " + id.accelerator);
}

}  // namespace wattflex::elasticity
