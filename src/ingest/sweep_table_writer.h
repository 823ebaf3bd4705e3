// Writes a sweep table in the form sweep_table.h reads: doubles round-trip exactly, optional columns appear
// only when some point has them.
#pragma once

#include <string>

#include "model/sweep.h"

namespace wattflex {

std::string write_sweep_table(const SweepTable& table);

}  // namespace wattflex
