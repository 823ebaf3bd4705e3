// Numbers and quantities from text, the same under every process locale. A number is C-locale decimal
// ("12.5", "1e3"); a quantity carries its unit ("450W", "2.5MW", "25%", "15m"). The whole text must be used.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/quantity.h"

namespace wattflex {

// No quantity we know is larger in any unit, and squares and sums of such numbers stay finite.
inline constexpr double kLargestNumber = 1e30;

// Why a text gives no number: not one at all (also NaN, infinity, spaces, decimal commas), or one above
// kLargestNumber or too small for a double.
enum class NumberProblem { malformed, out_of_range };

std::expected<double, NumberProblem> parse_number(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

// "450W", "450 W", "1.2kW", "3MW". A bare number is refused: watts and milliwatts are mistaken too often.
Result<Power> parse_power(std::string_view text);
// "25%" gives 0.25. A bare number is refused.
Result<double> parse_percent(std::string_view text);
// Latin letters made small, other bytes as they are.
std::string lower_case(std::string_view text);
// What stands between the separators: at least one part, which may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);
// "a,b,c": the parts in order. An empty one, or one that is there twice, is refused.
Result<std::vector<std::string_view>> parse_list(std::string_view text);
// "250ms", "15s", "15m", "3h".
Result<Seconds> parse_duration(std::string_view text);
// A cut: "25%" or "300kW".
Result<std::variant<double, Power>> parse_percent_or_power(std::string_view text);
// "0%:40%:2%" gives 0, 0.02, ..., 0.40 (last point included when it falls on the step); "10%,25%" the list;
// "25%" a single value. At most 10,000 values, none twice.
Result<std::vector<double>> parse_percent_range(std::string_view text);

}  // namespace wattflex
