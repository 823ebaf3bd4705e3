// Whole files that must be on the disk, not in a cache, before the next step: journals. Slower than
// write_file (base/file.h), which is for everything else.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace wattflex {

// Replaces `path` by a file with this text, readable by its owner only. When this returns without an error,
// file and folder are synced; else the old file is still there, whole. Several processes must not do it at
// once.
Result<void> write_file_durably(const std::string& path, std::string_view text);

}  // namespace wattflex
