// What a reading cannot be, whatever the driver says of its success (TEL-05). A reading outside its gate
// becomes a missing one and is counted; none is ever pulled back to the gate. Not for readings that are
// merely odd.
#pragma once

#include <cstdint>
#include <optional>

#include "model/gpu.h"

namespace wattflex::device {

// A draw may pass the largest limit for moments; above this share of it no sensor is to be believed.
inline constexpr double kGateOfMostLimit = 1.5;
// Where the board's largest limit can't be read: above any GPU, and module, on the market.
inline constexpr double kGateWithoutLimitW = 5000;

Reading<Power> gated_draw(std::uint64_t milliwatts, std::optional<Power> most_limit);
// A limit of the driver's; nothing below 1 W or above 20 kW is one.
Reading<Power> gated_limit(std::uint64_t milliwatts);
// "percent" of 0..100 as a share.
Reading<double> gated_percent(std::uint64_t percent);
// The same of a metric in floating point; NaN and what lies outside 0..100 is impossible.
Reading<double> gated_activity(double percent);
// MiB/s as B/s.
Reading<double> gated_flow(double mebibytes_per_second);
Reading<Frequency> gated_clock(std::uint64_t megahertz);
Reading<double> gated_temperature(std::int64_t celsius);
Reading<double> gated_memory(std::uint64_t bytes, std::uint64_t total);

}  // namespace wattflex::device
