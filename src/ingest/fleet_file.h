// Reads a fleet file: CSV with `job,group,gpus,tier,value`, optional `accelerator`. Whether the groups exist
// is for the planner to say, who has the sweep table.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "model/fleet.h"

namespace wattflex {

// `path` "-" is standard input. The fleet's name is the file's stem.
Result<Fleet> read_fleet(const std::string& path);
Result<Fleet> parse_fleet(std::string_view text, const std::string& name);

}  // namespace wattflex
