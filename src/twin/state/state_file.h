// The file that holds a twin's state, mapped into every process that uses it. Of this user only (mode 0600).
// Creating, opening and removing; what is in it changes through transactions alone.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "twin/state/records.h"

namespace wattflex::twin {

struct TwinSetup {
  std::string board = "h200";
  std::uint32_t gpus = 8;
  double speed = 1;  // 0: time stands (for tests)
  std::uint64_t seed = 1;
};

class StateFile {
 public:
  // Replaces the state of a twin that has been stopped or that no longer exists; refuses where one is alive.
  static Result<StateFile> create(const std::string& path, const TwinSetup& setup);
  static Result<StateFile> open(const std::string& path);

  StateFile(StateFile&& other) noexcept;
  StateFile& operator=(StateFile&& other) noexcept;
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;
  ~StateFile();

  SharedState& state() const { return *state_; }
  const std::string& path() const { return path_; }
  // Clients that have it open see that it stopped.
  Result<void> remove();

 private:
  StateFile(SharedState* state, std::string path) : state_(state), path_(std::move(path)) {}

  SharedState* state_;
  std::string path_;
};

// WATTFLEX_TWIN_STATE, or in the user's run-time folder, or /tmp/wattflex-twin-UID.
std::string default_state_path();

}  // namespace wattflex::twin
