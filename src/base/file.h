// Whole files, written so that a reader never sees half of one: the text is a file without a name until it is
// complete. Not for growing logs.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace wattflex {

// Replaces what `path` or the links there lead to, keeping its mode. On failure, and when the program is
// ended meanwhile, the old file stays as it was and nothing else is left behind; on file systems without
// unnamed files (NFS), kill -9 may leave the neighbour "<file>.part-<process>". Devices, pipes and what is
// open as standard output or error are written where they stand.
Result<void> write_file(const std::string& path, std::string_view text);

// Whether `path` is another name of standard output: /dev/stdout, or the file it was sent to.
bool is_standard_output(const std::string& path);

// The path at the end of the symbolic links at `path`, whether or not there is anything.
std::string behind_links(const std::string& path);

}  // namespace wattflex
