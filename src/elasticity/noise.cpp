#include "elasticity/noise.h"

#include <algorithm>
#include <string_view>

namespace wattflex::elasticity {

RelativeError default_error(DefaultNoise noise) {
  if (noise == DefaultNoise::within_run) return {.power = 0.0004, .throughput = 0.0005};
  return {.power = 0.004, .throughput = 0.005};
}

RelativeError error_of(const SweepPoint& point, DefaultNoise fallback) {
  RelativeError error = default_error(fallback);
  if (point.power_stderr) error.power = *point.power_stderr / point.power;
  if (point.throughput_stderr) error.throughput = *point.throughput_stderr / point.throughput;
  return error;
}

std::string error_source(std::span<const SweepPoint> points, DefaultNoise fallback) {
  const std::string_view named =
      fallback == DefaultNoise::within_run ? "within-run default" : "run-to-run default";
  const auto stated = [](const SweepPoint& p) { return p.power_stderr && p.throughput_stderr; };
  const auto silent = [](const SweepPoint& p) { return !p.power_stderr && !p.throughput_stderr; };
  if (std::ranges::all_of(points, stated)) return "stderr columns";
  if (std::ranges::all_of(points, silent)) return std::string(named);
  return "stderr columns, " + std::string(named) + " where empty";
}

}  // namespace wattflex::elasticity
