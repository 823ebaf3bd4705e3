// The faults a twin can have, as people name them, with what their value and period mean. Those that only
// happen once (driver reload, counter reset) and the persistence switch change the state itself (machine.h).
#pragma once

#include <span>
#include <string_view>

#include "twin/state/records.h"

namespace wattflex::twin {

struct FaultDescription {
  FaultKind kind = FaultKind::no_permission;
  std::string_view name;
  std::string_view meaning;
  std::string_view unit;  // of the value: "W", "s"; empty: it takes none
  double value = 0;       // unless given
  double period_s = 0;    // likewise; 0: it takes none
};

std::span<const FaultDescription> fault_descriptions();
const FaultDescription* find_fault(std::string_view name);

inline const Fault& fault_of(const GpuRecord& gpu, FaultKind kind) {
  return gpu.faults[static_cast<std::size_t>(kind)];
}

// Whether a fault strikes this time: never when it is off, else as often as its probability says, by a die
// that the seed, the GPU and `call` decide.
bool strikes(const Fault& fault, std::uint64_t seed, std::size_t gpu, std::uint64_t call);

}  // namespace wattflex::twin
