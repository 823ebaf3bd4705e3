// A growing file of text, plain or gzip by its name (.gz), or standard output. What was handed over is on its
// way to the disk after each flush(): a recording that is killed keeps all but its last moments, and gzip can
// be read up to there.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace wattflex::app {

class RowFile {
 public:
  // Replaces a file of this name. "-" is standard output.
  static Result<std::unique_ptr<RowFile>> create(const std::string& path);
  RowFile() = default;
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  virtual ~RowFile() = default;
  virtual Result<void> write(std::string_view text) = 0;
  virtual Result<void> flush() = 0;
  // The last word; the object is of no use afterwards.
  virtual Result<void> close() = 0;
};

}  // namespace wattflex::app
