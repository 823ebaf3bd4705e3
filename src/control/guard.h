// A process beside ours that puts back our caps when we are gone, even by kill -9. It is this program again,
// as `wattflex restore --all --after OURS`; while we live it only waits. Not against losing both at once:
// then the next start puts back.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/error.h"

namespace wattflex::control {

// Runs `command` (the program first) in a session of its own, so that Ctrl-C and a hangup reach only us, and
// waits until it says on standard output that it watches. Its messages go to our standard error. Fails when
// it does not get that far in time: nothing should be capped then.
Result<void> start_guard(const std::vector<std::string>& command, std::chrono::milliseconds patience);

}  // namespace wattflex::control
