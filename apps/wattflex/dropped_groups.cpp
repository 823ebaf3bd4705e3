#include "apps/wattflex/dropped_groups.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "elasticity/group_name.h"

namespace wattflex::app {

nlohmann::ordered_json dropped_json(std::span<const DroppedGroup> groups) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const DroppedGroup& group : groups) {
    list.push_back({{"table", group.id.table},
                    {"group", group.id.group},
                    {"accelerator", group.id.accelerator},
                    {"reason", group.reason}});
  }
  return list;
}

void say_dropped(std::span<const DroppedGroup> groups, Console& console) {
  for (const DroppedGroup& group : groups) {
    console.say(fmt::format("left out: {}: {}", elasticity::name_of(group.id), group.reason));
  }
}

std::vector<JsonField> with_dropped_fields(std::vector<JsonField> fields) {
  fields.insert(fields.end(),
                {{"left_out[].table", "", "table of a group that is not among them"},
                 {"left_out[].group", "", "the group; at most 1000 of a table, its warning counts all"},
                 {"left_out[].accelerator", "", "its accelerator"},
                 {"left_out[].reason", "", "why: rows it cannot do without have no numbers"}});
  return fields;
}

}  // namespace wattflex::app
