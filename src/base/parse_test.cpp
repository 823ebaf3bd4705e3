#include "base/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wattflex {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

TEST(ParseNumber, TakesCLocaleDecimalsOnly) {
  EXPECT_EQ(parse_number("12.5"), 12.5);
  EXPECT_EQ(parse_number("+1e3"), 1000);
  for (const char* bad :
       {"", " 1", "1 ", "12,5", "1,000", "nan", "inf", "-infinity", "0x10", "1e999x", "--1", "+-1"}) {
    EXPECT_EQ(parse_number(bad).error(), NumberProblem::malformed) << bad;
  }
}

TEST(ParseNumber, SaysWhichNumbersAreOutOfRange) {
  EXPECT_EQ(parse_number("1e30"), 1e30);
  EXPECT_EQ(parse_number("-1e30"), -1e30);
  EXPECT_EQ(parse_number("1e-300"), 1e-300);
  for (const char* bad : {"1.001e30", "-1.001e30", "1e400", "-1e400", "+1e400", "1e-400"}) {
    EXPECT_EQ(parse_number(bad).error(), NumberProblem::out_of_range) << bad;
  }
}

TEST(Quantities, OutOfRangeAreRefusedAsSuchAndNeverInfinite) {
  const auto out_of_range = [](const auto& result) {
    return !result && result.error().kind == ErrorKind::usage &&
           result.error().message.ends_with("is out of range") && !result.error().remedy.empty();
  };
  EXPECT_TRUE(parse_power("1e21GW"));
  for (const char* bad : {"1.001e21GW", "1e300GW", "1e400W"}) {
    EXPECT_TRUE(out_of_range(parse_power(bad))) << bad;
    EXPECT_TRUE(out_of_range(parse_percent_or_power(bad))) << bad;
  }
  EXPECT_TRUE(parse_percent("1e30%"));
  for (const char* bad : {"1.001e32%", "1e400%", "-1e400%"}) {
    EXPECT_TRUE(out_of_range(parse_percent(bad))) << bad;
    EXPECT_TRUE(out_of_range(parse_percent_or_power(bad))) << bad;
    EXPECT_TRUE(out_of_range(parse_percent_range(bad))) << bad;
    EXPECT_TRUE(out_of_range(parse_percent_range("0%:" + std::string(bad) + ":1%"))) << bad;
  }
  EXPECT_TRUE(out_of_range(parse_duration("1e30d")));
  EXPECT_EQ(parse_power("1e400").error().message, "'1e400' is not a power with its unit");
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

TEST(ParseList, RefusesEmptyAndDoubledEntries) {
  EXPECT_THAT(*parse_list("a,b c,d"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(*parse_list("a"), ElementsAre("a"));
  for (const char* bad : {"", ",", "a,", ",a", "a,,b"}) {
    EXPECT_EQ(parse_list(bad).error().message, "'" + std::string(bad) + "' has an empty entry");
  }
  EXPECT_EQ(parse_list("a,b,a").error().message, "'a' is in 'a,b,a' twice");
}

TEST(ParsePercentRange, RefusesDoubledValuesHoweverWritten) {
  EXPECT_TRUE(parse_percent_range("10%,10.1%"));
  EXPECT_EQ(parse_percent_range("10%,10%").error().message, "'10%' is in '10%,10%' twice");
  EXPECT_EQ(parse_percent_range("10%,25%,10.0%").error().message, "'10.0%' is in '10%,25%,10.0%' twice");
}

TEST(ParseDuration, NeedsItsUnit) {
  EXPECT_DOUBLE_EQ(parse_duration("250ms")->count(), 0.25);
  EXPECT_DOUBLE_EQ(parse_duration("3h")->count(), 10800);
  EXPECT_FALSE(parse_duration("15"));
}

TEST(LowerCase, TouchesLatinLettersAlone) {
  EXPECT_EQ(lower_case("Cap (W), \xC3\x84"), "cap (w), \xC3\x84");
  EXPECT_EQ(lower_case(""), "");
}

}  // namespace
}  // namespace wattflex
