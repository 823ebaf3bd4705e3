#include "twin/state/fault.h"

#include <algorithm>
#include <array>

#include "base/random.h"

namespace wattflex::twin {
namespace {

constexpr std::array<FaultDescription, kFaultKinds> kFaults{{
    {FaultKind::no_permission, "no-permission", "limits and persistence mode can't be set", "", 0, 0},
    {FaultKind::gpu_lost, "gpu-lost", "every call about the GPU says that it is lost", "", 0, 0},
    {FaultKind::cap_ignored, "cap-ignored", "setting a limit succeeds and changes nothing", "", 0, 0},
    {FaultKind::cap_rounded, "cap-rounded", "a limit is rounded up to a multiple of the value", "W", 25, 0},
    {FaultKind::slow_call, "slow-call", "every call takes so much longer", "s", 0.5, 0},
    {FaultKind::hanging_call, "hanging-call", "no call comes back until the fault is cleared", "", 0, 0},
    {FaultKind::foreign_writer, "foreign-writer", "somebody else writes this limit, again and again", "W",
     250, 15},
    {FaultKind::no_readings, "no-readings", "draw, energy, clocks, temperature and utilisation are N/A", "",
     0, 0},
    {FaultKind::impossible_value, "impossible-value", "draw succeeds with this value", "W", 4'000'000, 0},
    {FaultKind::thermal_slowdown, "thermal-slowdown", "too hot: no more than so much power", "W", 250, 0},
    {FaultKind::out_of_band_limit, "out-of-band-limit", "the board controller's limit, beside ours", "W", 500,
     0},
    {FaultKind::version_mismatch, "version-mismatch", "who opens the library finds another driver", "", 0, 0},
}};

}  // namespace

std::span<const FaultDescription> fault_descriptions() {
  return kFaults;
}

const FaultDescription* find_fault(std::string_view name) {
  const auto* const found = std::ranges::find(kFaults, name, &FaultDescription::name);
  return found == kFaults.end() ? nullptr : found;
}

bool strikes(const Fault& fault, std::uint64_t seed, std::size_t gpu, std::uint64_t call) {
  if (!fault.on) return false;
  if (fault.probability >= 1) return true;
  return RandomStream(seed + 0x9e3779b97f4a7c15U * (gpu + 1), call).uniform() < fault.probability;
}

}  // namespace wattflex::twin
