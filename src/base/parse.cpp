#include "base/parse.h"

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

// Splits "12.5kW" into 12.5 and its unit's factor.
std::optional<double> parse_with_unit(std::string_view text, std::span<const Unit> units) {
  text = trimmed(text);
  const std::size_t digits = text.find_last_of("0123456789.");
  if (digits == std::string_view::npos) return std::nullopt;
  const std::string_view suffix = trimmed(text.substr(digits + 1));
  const std::optional<double> number = parse_number(trimmed(text.substr(0, digits + 1)));
  if (!number) return std::nullopt;
  for (const Unit& unit : units) {
    if (suffix == unit.suffix) return *number * unit.factor;
  }
  return std::nullopt;
}

constexpr Unit kPowerUnits[] = {{"W", 1}, {"kW", 1e3}, {"MW", 1e6}, {"GW", 1e9}};
constexpr Unit kPercentUnits[] = {{"%", 0.01}};
constexpr Unit kDurationUnits[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};

std::unexpected<Error> not_a(std::string_view what, std::string_view text, std::string_view example) {
  return fail(ErrorKind::usage, "'" + std::string(text) + "' is not " + std::string(what),
              "write " + std::string(example));
}

Result<std::vector<double>> stepped_range(std::string_view text, const std::vector<double>& parts) {
  const double first = parts[0];
  const double last = parts[1];
  const double step = parts[2];
  if (step <= 0 || last < first) return not_a("a rising range", text, "FIRST:LAST:STEP, e.g. 0%:40%:2%");
  const double count = std::floor((last - first) / step + 1e-9) + 1;
  if (count > kMostRangeValues) return not_a("a range of at most 10000 values", text, "a larger step");
  std::vector<double> values;
  for (int i = 0; i < static_cast<int>(count); ++i) values.push_back(first + i * step);
  return values;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  if (text.starts_with("+-")) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<long long> parse_integer(std::string_view text) {
  long long value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

Result<Power> parse_power(std::string_view text) {
  const std::optional<double> watts = parse_with_unit(text, kPowerUnits);
  if (!watts) return not_a("a power with its unit", text, "e.g. 450W, 1.2kW or 2.5MW");
  return Power::from_watts(*watts);
}

Result<double> parse_percent(std::string_view text) {
  const std::optional<double> fraction = parse_with_unit(text, kPercentUnits);
  if (!fraction) return not_a("a percentage", text, "e.g. 25%");
  return *fraction;
}

Result<Seconds> parse_duration(std::string_view text) {
  const std::optional<double> seconds = parse_with_unit(text, kDurationUnits);
  if (!seconds) return not_a("a duration with its unit", text, "e.g. 250ms, 30s, 15m or 3h");
  return Seconds(*seconds);
}

Result<std::variant<double, Power>> parse_percent_or_power(std::string_view text) {
  if (const auto fraction = parse_percent(text)) return *fraction;
  if (const auto power = parse_power(text)) return *power;
  return not_a("a percentage or a power", text, "e.g. 25% or 300kW");
}

Result<std::vector<double>> parse_percent_range(std::string_view text) {
  const char separator = text.find(':') != std::string_view::npos ? ':' : ',';
  std::vector<double> parts;
  for (std::string_view rest = text;;) {
    const std::size_t at = rest.find(separator);
    const auto part = parse_percent(rest.substr(0, at));
    if (!part) return not_a("a percentage, list or range", text, "e.g. 25%, 10%,25% or 0%:40%:2%");
    parts.push_back(*part);
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at + 1);
  }
  if (separator == ',') return parts;
  if (parts.size() != 3) return not_a("a range", text, "FIRST:LAST:STEP, e.g. 0%:40%:2%");
  return stepped_range(text, parts);
}

}  // namespace wattflex
