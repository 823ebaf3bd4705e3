// Numbers and quantities from text, the same under every process locale. A number is C-locale decimal
// ("12.5", "1e3"); a quantity carries its unit ("450W", "2.5MW", "25%", "15m"). The whole text must be used.
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/quantity.h"

namespace wattflex {

// A finite decimal number; nothing for anything else (also for NaN, infinity, spaces, decimal commas).
std::optional<double> parse_number(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

// "450W", "450 W", "1.2kW", "3MW". A bare number is refused: watts and milliwatts are mistaken too often.
Result<Power> parse_power(std::string_view text);
// "25%" gives 0.25. A bare number is refused.
Result<double> parse_percent(std::string_view text);
// "250ms", "15s", "15m", "3h".
Result<Seconds> parse_duration(std::string_view text);
// A cut: "25%" or "300kW".
Result<std::variant<double, Power>> parse_percent_or_power(std::string_view text);
// "0%:40%:2%" gives 0, 0.02, ..., 0.40 (last point included when it falls on the step); "10%,25%" the list;
// "25%" a single value. At most 10,000 values.
Result<std::vector<double>> parse_percent_range(std::string_view text);

}  // namespace wattflex
