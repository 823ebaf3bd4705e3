#include "base/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wattflex {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

TEST(ParseNumber, TakesCLocaleDecimalsOnly) {
  EXPECT_EQ(parse_number("12.5"), 12.5);
  EXPECT_EQ(parse_number("+1e3"), 1000);
  for (const char* bad : {"", " 1", "1 ", "12,5", "1,000", "nan", "inf", "0x10", "1e999", "--1", "+-1"}) {
    EXPECT_EQ(parse_number(bad), std::nullopt) << bad;
  }
}

TEST(ParsePower, NeedsItsUnit) {
  EXPECT_EQ(parse_power("450W")->watts(), 450);
  EXPECT_EQ(parse_power("1.2 kW")->watts(), 1200);
  EXPECT_EQ(parse_power("2.5MW")->watts(), 2.5e6);
  for (const char* bad : {"450", "450mW", "450w", "W", "4 5W", ""}) EXPECT_FALSE(parse_power(bad)) << bad;
  EXPECT_EQ(parse_power("450").error().kind, ErrorKind::usage);
}

TEST(ParsePercentOrPower, TellsTheTwoApart) {
  EXPECT_DOUBLE_EQ(std::get<double>(*parse_percent_or_power("25%")), 0.25);
  EXPECT_EQ(std::get<Power>(*parse_percent_or_power("300kW")).watts(), 300e3);
  EXPECT_FALSE(parse_percent_or_power("25"));
}

TEST(ParsePercentRange, IncludesTheLastValueOnTheStep) {
  EXPECT_EQ(parse_percent_range("0%:40%:2%")->size(), 21);
  EXPECT_DOUBLE_EQ(parse_percent_range("0%:40%:2%")->back(), 0.40);
  EXPECT_THAT(*parse_percent_range("10%,25%"), Pointwise(DoubleNear(1e-15), {0.10, 0.25}));
  EXPECT_THAT(*parse_percent_range("25%"), ElementsAre(0.25));
  for (const char* bad : {"0:40:2", "0%:40%", "40%:0%:2%", "0%:40%:0%", "0%:100%:0.0001%", "", "1%,"}) {
    EXPECT_FALSE(parse_percent_range(bad)) << bad;
  }
}

TEST(ParseDuration, NeedsItsUnit) {
  EXPECT_DOUBLE_EQ(parse_duration("250ms")->count(), 0.25);
  EXPECT_DOUBLE_EQ(parse_duration("3h")->count(), 10800);
  EXPECT_FALSE(parse_duration("15"));
}

}  // namespace
}  // namespace wattflex
