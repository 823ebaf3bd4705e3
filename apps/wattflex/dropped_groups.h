// How pfi, curve and predict name the groups that reading a table left out: rows they cannot do without have
// no numbers. What a verb itself cannot serve is said with the group.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "apps/wattflex/console.h"
#include "apps/wattflex/verb.h"
#include "model/sweep.h"

namespace wattflex::app {

nlohmann::ordered_json dropped_json(std::span<const DroppedGroup> groups);
// One line a group.
void say_dropped(std::span<const DroppedGroup> groups, Console& console);
// A verb's table of keys, with those of `left_out[]`.
std::vector<JsonField> with_dropped_fields(std::vector<JsonField> fields);

}  // namespace wattflex::app
