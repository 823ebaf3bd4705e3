// Whole files, written so that a reader never sees half of one: the text goes to a neighbour file that takes
// the name in one step. Not for growing logs.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace wattflex {

// Replaces `path`. On failure, and when Ctrl-C arrives meanwhile, the old file stays as it was and no
// neighbour is left behind. Devices and pipes (/dev/stdout) are written directly.
Result<void> write_file(const std::string& path, std::string_view text);

}  // namespace wattflex
