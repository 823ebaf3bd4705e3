// For tests only: what several of them begin their tables with.
#pragma once

#include <string>

namespace wattflex {

inline const std::string kSweepHeader = "group,gpus,cap_w,power_w,throughput\n";

}  // namespace wattflex
