#include "model/gpu.h"

#include <algorithm>

#include "base/parse.h"

namespace wattflex {
namespace {

struct NamedReason {
  std::string_view name;
  Throttle reason;
};

constexpr NamedReason kReasons[] = {
    {"gpu_idle", Throttle::gpu_idle},           {"application_clocks", Throttle::application_clocks},
    {"sw_power_cap", Throttle::sw_power_cap},   {"hw_slowdown", Throttle::hw_slowdown},
    {"sync_boost", Throttle::sync_boost},       {"sw_thermal", Throttle::sw_thermal},
    {"hw_thermal", Throttle::hw_thermal},       {"hw_power_brake", Throttle::hw_power_brake},
    {"display_clock", Throttle::display_clock}, {"board_limit", Throttle::board_limit},
    {"reliability", Throttle::reliability}};

constexpr std::string_view kBit = "bit";

}  // namespace

std::string_view to_string(Problem problem) {
  switch (problem) {
    case Problem::not_asked:
      return "not_asked";
    case Problem::not_supported:
      return "not_supported";
    case Problem::no_permission:
      return "no_permission";
    case Problem::gpu_lost:
      return "gpu_lost";
    case Problem::driver_mismatch:
      return "driver_mismatch";
    case Problem::no_driver:
      return "no_driver";
    case Problem::timed_out:
      return "timed_out";
    case Problem::impossible_value:
      return "impossible_value";
    case Problem::not_ready:
      return "not_ready";
    case Problem::wrong_gpu:
      return "wrong_gpu";
    case Problem::out_of_range:
      return "out_of_range";
    case Problem::failed:
      return "failed";
  }
  return "failed";
}

std::string_view to_string(DrawKind kind) {
  return kind == DrawKind::instant ? "instant" : "average";
}

std::string_view to_string(PowerScope scope) {
  return scope == PowerScope::gpu ? "gpu" : "module";
}

bool ThrottleReasons::thermal() const {
  return has(Throttle::sw_thermal) || has(Throttle::hw_thermal);
}

std::string ThrottleReasons::names() const {
  std::string names;
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t mask = std::uint64_t{1} << bit;
    if ((bits_ & mask) == 0) continue;
    const auto* const known = std::ranges::find_if(
        kReasons, [&](const NamedReason& named) { return static_cast<std::uint64_t>(named.reason) == mask; });
    if (!names.empty()) names += '+';
    names += known == std::end(kReasons) ? std::string(kBit) + std::to_string(bit) : std::string(known->name);
  }
  return names.empty() ? "none" : names;
}

std::optional<ThrottleReasons> ThrottleReasons::parse(std::string_view names) {
  if (names == "none") return ThrottleReasons();
  std::uint64_t bits = 0;
  for (const std::string_view name : split(names, '+')) {
    const auto* const known = std::ranges::find(kReasons, name, &NamedReason::name);
    if (known != std::end(kReasons)) {
      bits |= static_cast<std::uint64_t>(known->reason);
      continue;
    }
    if (!name.starts_with(kBit)) return std::nullopt;
    const auto bit = parse_integer(name.substr(kBit.size()));
    if (!bit || *bit < 0 || *bit > 63) return std::nullopt;
    bits |= std::uint64_t{1} << *bit;
  }
  return ThrottleReasons(bits);
}

}  // namespace wattflex
