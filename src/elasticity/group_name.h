// How errors of this folder name a group: "sweep: group 'llama' on H200". For people; not a key.
#pragma once

#include <string>

#include "model/sweep.h"

namespace wattflex::elasticity {

std::string name_of(const GroupId& id);

}  // namespace wattflex::elasticity
