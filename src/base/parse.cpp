#include "base/parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace wattflex {
namespace {

constexpr double kMostRangeValues = 10'000;  // a longer list is a typing error, and would fill memory

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

struct Unit {
  std::string_view suffix;
  double factor;
};

using Number = std::expected<double, NumberProblem>;

constexpr std::unexpected kMalformed(NumberProblem::malformed);
constexpr std::unexpected kOutOfRange(NumberProblem::out_of_range);

Number in_range(double value) {
  return std::abs(value) <= kLargestNumber ? Number(value) : kOutOfRange;
}

// Splits "12.5kW" into 12.5 and its unit's factor.
Number parse_with_unit(std::string_view text, std::span<const Unit> units) {
  text = trimmed(text);
  const std::size_t digits = text.find_last_of("0123456789.");
  if (digits == std::string_view::npos) return kMalformed;
  const std::string_view suffix = trimmed(text.substr(digits + 1));
  const auto unit = std::ranges::find(units, suffix, &Unit::suffix);
  if (unit == units.end()) return kMalformed;
  const Number number = parse_number(trimmed(text.substr(0, digits + 1)));
  return number ? in_range(*number * unit->factor) : number;
}

constexpr Unit kPowerUnits[] = {{"W", 1}, {"kW", 1e3}, {"MW", 1e6}, {"GW", 1e9}};
constexpr Unit kPercentUnits[] = {{"%", 0.01}};
constexpr Unit kDurationUnits[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};

std::unexpected<Error> not_a(std::string_view what, std::string_view text, std::string_view example) {
  return fail(ErrorKind::usage, "'" + std::string(text) + "' is not " + std::string(what),
              "write " + std::string(example));
}

std::unexpected<Error> refused(NumberProblem problem, std::string_view what, std::string_view text,
                               std::string_view example) {
  if (problem == NumberProblem::malformed) return not_a(what, text, example);
  return fail(ErrorKind::usage, "'" + std::string(text) + "' is out of range",
              "write " + std::string(example));
}

std::unexpected<Error> is_twice(std::string_view part, std::string_view text) {
  return fail(ErrorKind::usage, "'" + std::string(part) + "' is in '" + std::string(text) + "' twice",
              "name it once");
}

Result<std::vector<double>> stepped_range(std::string_view text, const std::vector<double>& parts) {
  const double first = parts[0];
  const double last = parts[1];
  const double step = parts[2];
  if (step <= 0 || last < first) return not_a("a rising range", text, "FIRST:LAST:STEP, e.g. 0%:40%:2%");
  const double count = std::floor((last - first) / step + 1e-9) + 1;
  if (count > kMostRangeValues) return not_a("a range of at most 10000 values", text, "a larger step");
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < static_cast<int>(count); ++i) values.push_back(first + i * step);
  return values;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::expected<double, NumberProblem> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  if (text.starts_with("+-")) return kMalformed;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument || !std::isfinite(value)) return kMalformed;
  return error == std::errc() ? in_range(value) : kOutOfRange;
}

std::optional<long long> parse_integer(std::string_view text) {
  long long value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

Result<Power> parse_power(std::string_view text) {
  const Number watts = parse_with_unit(text, kPowerUnits);
  if (!watts) return refused(watts.error(), "a power with its unit", text, "e.g. 450W, 1.2kW or 2.5MW");
  return Power::from_watts(*watts);
}

Result<double> parse_percent(std::string_view text) {
  const Number fraction = parse_with_unit(text, kPercentUnits);
  if (!fraction) return refused(fraction.error(), "a percentage", text, "e.g. 25%");
  return *fraction;
}

Result<Seconds> parse_duration(std::string_view text) {
  const Number seconds = parse_with_unit(text, kDurationUnits);
  if (!seconds)
    return refused(seconds.error(), "a duration with its unit", text, "e.g. 250ms, 30s, 15m or 3h");
  return Seconds(*seconds);
}

Result<std::variant<double, Power>> parse_percent_or_power(std::string_view text) {
  const Number fraction = parse_with_unit(text, kPercentUnits);
  if (fraction) return *fraction;
  const Number watts = parse_with_unit(text, kPowerUnits);
  if (watts) return Power::from_watts(*watts);
  const bool too_large = fraction == kOutOfRange || watts == kOutOfRange;
  return refused(too_large ? NumberProblem::out_of_range : NumberProblem::malformed,
                 "a percentage or a power", text, "e.g. 25% or 300kW");
}

Result<std::vector<std::string_view>> parse_list(std::string_view text) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(text, ',')) {
    if (part.empty())
      return fail(ErrorKind::usage, "'" + std::string(text) + "' has an empty entry",
                  "name one or leave it out");
    if (std::ranges::find(parts, part) != parts.end()) return is_twice(part, text);
    parts.push_back(part);
  }
  return parts;
}

Result<std::vector<double>> parse_percent_range(std::string_view text) {
  const bool is_range = text.contains(':');
  std::vector<double> values;
  for (const std::string_view part : split(text, is_range ? ':' : ',')) {
    const Number value = parse_with_unit(part, kPercentUnits);
    if (!value) {
      return refused(value.error(), "a percentage, list or range", text, "e.g. 25%, 10%,25% or 0%:40%:2%");
    }
    if (!is_range && std::ranges::find(values, *value) != values.end()) return is_twice(part, text);
    values.push_back(*value);
  }
  if (!is_range) return values;
  if (values.size() != 3) return not_a("a range", text, "FIRST:LAST:STEP, e.g. 0%:40%:2%");
  return stepped_range(text, values);
}

}  // namespace wattflex
