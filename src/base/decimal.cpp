#include "base/decimal.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace wattflex {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kMostDigits = 19;  // 10^19 < 2^64

constexpr std::uint64_t kMostLower = std::numeric_limits<std::uint64_t>::max();

// 10^-k is a 128-bit factor, its top bit set, times 2^-shift; the factor is rounded down.
struct Inverse {
  std::uint64_t upper = 0;
  std::uint64_t lower = 0;
  int shift = 0;
};

constexpr Inverse inverse_of(std::uint64_t divisor) {
  // Long division of 2^shift, with as many bits as make 128 in the quotient.
  const int shift = 127 + static_cast<int>(std::bit_width(divisor));
  Wide factor = 0;
  Wide rest = 1;
  for (int bit = 0; bit < shift; ++bit) {
    rest *= 2;
    factor = 2 * factor + rest / divisor;
    rest %= divisor;
  }
  return {static_cast<std::uint64_t>(factor >> 64), static_cast<std::uint64_t>(factor), shift};
}

constexpr std::array<Inverse, kMostDigits + 1> inverses() {
  std::array<Inverse, kMostDigits + 1> all;
  std::uint64_t power = 1;
  for (std::size_t k = 1; k <= kMostDigits; ++k) all[k] = inverse_of(power *= 10);
  return all;
}

constexpr std::array<Inverse, kMostDigits + 1> kInverses = inverses();

// digits / 10^places; both above zero.
std::optional<double> quotient(std::uint64_t digits, std::size_t places) {
  const Inverse& inverse = kInverses[places];
  const int zeros = std::countl_zero(digits);
  const std::uint64_t shifted = digits << zeros;
  const Wide product = Wide{shifted} * inverse.upper + (Wide{shifted} * inverse.lower >> 64);
  const auto upper = static_cast<std::uint64_t>(product >> 64);
  const auto lower = static_cast<std::uint64_t>(product);
  const int dropped = 10 + static_cast<int>(upper >> 63);  // of `upper`; 53 bits stay
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = upper & (2 * half - 1);
  const bool near_half = (rest == half - 1 && lower >= kMostLower - 1) || (rest == half && lower == 0);
  if (near_half) return std::nullopt;
  const std::uint64_t kept = (upper >> dropped) + (rest >= half ? 1 : 0);
  const int exponent = dropped + 128 - zeros - inverse.shift;
  const auto power = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
  return static_cast<double>(static_cast<std::int64_t>(kept)) * power;  // both are exact
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The value of eight digits, the first one in the lowest byte: pairs, then fours, then all at once.
constexpr std::uint64_t value_of_eight(std::uint64_t digits) {
  digits = (digits & 0x0F0F0F0F0F0F0F0FU) * ((10U << 8) + 1) >> 8;
  digits = (digits & 0x00FF00FF00FF00FFU) * ((100U << 16) + 1) >> 16;
  return (digits & 0x0000FFFF0000FFFFU) * ((std::uint64_t{10'000} << 32) + 1) >> 32;
}

constexpr bool are_eight_digits(std::uint64_t text) {
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  return ((text & (text + 0x06 * kEach)) & (0xF0 * kEach)) == 0x30 * kEach;
}

// Appends the digits at `at` to `value`, which may overflow; gives the first place behind them.
const char* append_digits(const char* at, const char* end, std::uint64_t& value) {
  while (end - at >= 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, at, sizeof eight);
    if constexpr (std::endian::native == std::endian::big) eight = std::byteswap(eight);
    if (!are_eight_digits(eight)) break;
    value = 100'000'000 * value + value_of_eight(eight);
    at += 8;
  }
  for (; at != end && is_digit(*at); ++at) value = 10 * value + static_cast<unsigned char>(*at - '0');
  return at;
}

}  // namespace

std::optional<double> read_plain_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  const char* const first = text.data() + (negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  std::uint64_t digits = 0;
  const char* const point = append_digits(first, end, digits);
  const bool has_point = point != end && *point == '.';
  const char* const stop = has_point ? append_digits(point + 1, end, digits) : point;
  const auto count = static_cast<std::size_t>(stop - first) - (has_point ? 1 : 0);
  if (stop != end || count == 0 || count > kMostDigits) return std::nullopt;
  const std::size_t places = has_point ? static_cast<std::size_t>(end - point) - 1 : 0;
  const std::optional<double> size =
      places == 0 || digits == 0 ? static_cast<double>(digits) : quotient(digits, places);
  return size && negative ? -*size : size;
}

}  // namespace wattflex
