#include "ingest/number_reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <string>

#include "base/random.h"

namespace wattflex::ingest {
namespace {

std::uint64_t bits_by_from_chars(const std::string& text) {
  double value = 0;
  EXPECT_EQ(std::from_chars(text.data(), text.data() + text.size(), value).ptr, text.data() + text.size());
  return std::bit_cast<std::uint64_t>(value);
}

std::uint64_t bits_read(const std::string& text) {
  NumberFault fault = NumberFault::none;
  const double value = NumberReader(',').read(text, fault);
  EXPECT_EQ(fault, NumberFault::none) << text;
  return std::bit_cast<std::uint64_t>(value);
}

NumberFault fault_of(const std::string& text) {
  NumberFault fault = NumberFault::none;
  NumberReader(',').read(text, fault);
  return fault;
}

std::string random_decimal(RandomStream& random) {
  const std::uint64_t digits = 1 + random.below(24);
  std::string text = random.below(4) == 0 ? "-" : "";
  const std::uint64_t point = random.below(digits + 2);  // digits + 1: none
  for (std::uint64_t i = 0; i < digits; ++i) {
    if (i == point) text += '.';
    text += static_cast<char>('0' + random.below(10));
  }
  if (point == digits) text += '.';
  return random.below(8) == 0 ? text + "e-" + std::to_string(random.below(30)) : text;
}

TEST(NumberReader, ReadsDecimalsBitForBitAsFromChars) {
  RandomStream random(20260101);
  for (int i = 0; i < 300'000; ++i) {
    const std::string text = random_decimal(random);
    ASSERT_EQ(bits_read(text), bits_by_from_chars(text)) << text;
  }
}

// Halfway between two doubles, exactly (2^53 + 1, 2^52 + 1/2) or but for the last digit.
TEST(NumberReader, RoundsTiesAsFromChars) {
  for (const char* text :
       {"9007199254740993", "9007199254740993.0", "9007199254740993.00", "9007199254740993.001",
        "9007199254740992.999", "9007199254740995.0", "4503599627370496.5", "4503599627370497.5",
        "4503599627370496.499", "4503599627370496.501", "1125899906842624.125", "1125899906842624.375",
        "0.000000000000000001", "9999999999999999999", "999999999999999999.9", "0.9999999999999999999", "-0",
        ".5", "5."}) {
    EXPECT_EQ(bits_read(text), bits_by_from_chars(text)) << text;
  }
}

TEST(NumberReader, RefusesWhatIsNoPlainDecimal) {
  for (const char* text : {"-", ".", "-.", "--1", "1.2.3", "1e", "+-1", " 1", "1 ", "1\xFF", "0x10"}) {
    EXPECT_NE(fault_of(text), NumberFault::none) << text;
  }
  EXPECT_EQ(fault_of("nan"), NumberFault::not_finite);
  EXPECT_EQ(fault_of("-inf"), NumberFault::not_finite);
  for (const char* text : {"1e400", "-1e400", "1e-400", "1e31"}) {
    EXPECT_EQ(fault_of(text), NumberFault::out_of_range) << text;
  }
}

}  // namespace
}  // namespace wattflex::ingest
