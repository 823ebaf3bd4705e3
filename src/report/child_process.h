// Runs one program to its end, its input, output and working directory in a folder of ours. No shell is
// involved, so no argument is ever interpreted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/quantity.h"

namespace wattflex::report {

// A folder below the system's temporary one, gone with the object and everything in it.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

struct ChildProcess {
  std::vector<std::string> command;  // the program (looked up in PATH) and its arguments
  std::filesystem::path folder;      // working directory; "input" in it becomes standard input,
                                     // "messages" takes both outputs
  Seconds time_limit{60};            // then it is killed with all it started
};

// The exit status. Errors: `unsupported` when there is no such program, `io` when it was killed or overran.
// Ctrl-C and its like kill it too, and then end us: where the caller holds them back, once it has cleaned up.
Result<int> run(const ChildProcess& process);

}  // namespace wattflex::report
