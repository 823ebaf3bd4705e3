// A process as one number that no later process has: its id and when it started.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace wattflex::twin {

// 0 when there is no such process, or only its remains (a zombie).
std::uint64_t identity_of(pid_t process);
pid_t process_of(std::uint64_t identity);
bool is_alive(std::uint64_t identity);

}  // namespace wattflex::twin
