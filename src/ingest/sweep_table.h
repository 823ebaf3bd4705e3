// Reads a sweep table (docs/sweep-table.md) whole into memory. For tables that may not fit there is
// sweep_table_reader.h. Judging the points is src/elasticity's work.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "model/sweep.h"

namespace wattflex {

// `path` "-" is standard input. The table's name is the file's stem.
Result<SweepTable> read_sweep_table(const std::string& path);
// For predictions, which look at uncapped rows only: a group may have just that row.
Result<SweepTable> read_uncapped_table(const std::string& path);

// The same from text; `name` stands for the file in messages and names the table.
Result<SweepTable> parse_sweep_table(std::string_view text, const std::string& name);

}  // namespace wattflex
