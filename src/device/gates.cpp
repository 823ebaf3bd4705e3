#include "device/gates.h"

#include <cmath>

namespace wattflex::device {
namespace {

constexpr double kMilli = 1e-3;
constexpr std::uint64_t kLeastLimitMw = 1'000;
constexpr std::uint64_t kMostLimitMw = 20'000'000;
constexpr std::uint64_t kMostClockMhz = 20'000;
constexpr std::int64_t kColdest = -50;
constexpr std::int64_t kHottest = 150;
constexpr double kMostFlow = 1e13;  // bytes per second, tenfold of today's fastest links
constexpr double kMebi = 1048576;

}  // namespace

Reading<Power> gated_draw(std::uint64_t milliwatts, std::optional<Power> most_limit) {
  const Power draw = Power::from_watts(static_cast<double>(milliwatts) * kMilli);
  const Power gate = most_limit ? *most_limit * kGateOfMostLimit : Power::from_watts(kGateWithoutLimitW);
  return draw <= gate ? Reading<Power>(draw) : Problem::impossible_value;
}

Reading<Power> gated_limit(std::uint64_t milliwatts) {
  if (milliwatts < kLeastLimitMw || milliwatts > kMostLimitMw) return Problem::impossible_value;
  return Power::from_watts(static_cast<double>(milliwatts) * kMilli);
}

Reading<double> gated_percent(std::uint64_t percent) {
  return percent <= 100 ? Reading<double>(static_cast<double>(percent) / 100) : Problem::impossible_value;
}

Reading<double> gated_activity(double percent) {
  return percent >= 0 && percent <= 100 ? Reading<double>(percent / 100) : Problem::impossible_value;
}

Reading<double> gated_flow(double mebibytes_per_second) {
  const double flow = mebibytes_per_second * kMebi;
  return flow >= 0 && flow <= kMostFlow ? Reading<double>(flow) : Problem::impossible_value;
}

Reading<Frequency> gated_clock(std::uint64_t megahertz) {
  if (megahertz > kMostClockMhz) return Problem::impossible_value;
  return Frequency::from_megahertz(static_cast<double>(megahertz));
}

Reading<double> gated_temperature(std::int64_t celsius) {
  if (celsius < kColdest || celsius > kHottest) return Problem::impossible_value;
  return static_cast<double>(celsius);
}

Reading<double> gated_memory(std::uint64_t bytes, std::uint64_t total) {
  return bytes <= total ? Reading<double>(static_cast<double>(bytes)) : Problem::impossible_value;
}

}  // namespace wattflex::device
