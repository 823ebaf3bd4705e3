// Where the twin's library lies: beside this program, in a build folder or as installed.
#pragma once

#include <string>

#include "base/error.h"

namespace wattflex::app {

// The absolute path of libnvidia-ml.so.1; fails when it was not built or installed with this program.
Result<std::string> twin_library();

}  // namespace wattflex::app
