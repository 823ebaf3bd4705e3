#include "base/decimal.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <string>

#include "base/random.h"

namespace wattflex {
namespace {

std::uint64_t bits_by_from_chars(const std::string& text) {
  double value = 0;
  EXPECT_EQ(std::from_chars(text.data(), text.data() + text.size(), value).ptr, text.data() + text.size());
  return std::bit_cast<std::uint64_t>(value);
}

std::string random_decimal(RandomStream& random) {
  const std::uint64_t digits = 1 + random.below(19);
  std::string text = random.below(4) == 0 ? "-" : "";
  const std::uint64_t point = random.below(digits + 2);  // digits + 1: none
  for (std::uint64_t i = 0; i < digits; ++i) {
    if (i == point) text += '.';
    text += static_cast<char>('0' + random.below(10));
  }
  return point == digits ? text + '.' : text;
}

TEST(PlainDecimal, IsWhatFromCharsGivesBitForBit) {
  constexpr int kNumbers = 1'000'000;
  RandomStream random(20260101);
  int left = 0;
  for (int i = 0; i < kNumbers; ++i) {
    const std::string text = random_decimal(random);
    const auto value = read_plain_decimal(text);
    if (!value) {
      ++left;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(*value), bits_by_from_chars(text)) << text;
    }
  }
  // Of random digits hardly any lie where the method cannot tell; a tie is one in 2^11 at most.
  EXPECT_LT(left, kNumbers / 1000);
}

// Halfway between two doubles, exactly (2^53 + 1, 2^52 + 1/2) or but for the last digit.
TEST(PlainDecimal, RoundsTiesLikeFromCharsOrLeavesThem) {
  for (const char* text :
       {"9007199254740993", "9007199254740993.0", "9007199254740993.00", "9007199254740993.001",
        "9007199254740992.999", "9007199254740995.0", "4503599627370496.5", "4503599627370497.5",
        "4503599627370496.499", "4503599627370496.501", "1125899906842624.125", "1125899906842624.375",
        "0.000000000000000001", "9999999999999999999", "999999999999999999.9", "0.9999999999999999999"}) {
    const auto value = read_plain_decimal(text);
    const std::uint64_t bits = bits_by_from_chars(text);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value.value_or(std::bit_cast<double>(bits))), bits) << text;
  }
}

TEST(PlainDecimal, ReadsWhatTablesHold) {
  EXPECT_EQ(read_plain_decimal("700"), 700.0);
  EXPECT_EQ(read_plain_decimal("5399.945360824742"), 5399.945360824742);
  EXPECT_EQ(read_plain_decimal("7690.1234567890123"), 7690.1234567890123);
  EXPECT_EQ(read_plain_decimal("-0.25"), -0.25);
  EXPECT_EQ(read_plain_decimal(".5"), 0.5);
  EXPECT_EQ(read_plain_decimal("5."), 5.0);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(*read_plain_decimal("-0")), std::bit_cast<std::uint64_t>(-0.0));
  EXPECT_EQ(read_plain_decimal("0.0000000000000000000"), std::nullopt);  // 20 digits
}

TEST(PlainDecimal, LeavesAllElse) {
  for (const char* text : {"", "-", ".", "-.", "+1", "--1", "1.2.3", "1e3", "nan", "inf", " 1", "1 ", "1,5",
                           "12345678901234567890", "1\xFF", "0x10"}) {
    EXPECT_EQ(read_plain_decimal(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace wattflex
