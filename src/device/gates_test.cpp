#include "device/gates.h"

#include <gtest/gtest.h>

#include <limits>

namespace wattflex::device {
namespace {

const Power kCardA = Power::from_watts(700);
const Power kCardB = Power::from_watts(175);

// TEL-05, with the case's own numbers: the gates are 1050 W and 262.5 W.
TEST(Gates, RefuseDrawsThatTheCardCannotHave) {
  EXPECT_EQ(gated_draw(402'000, kCardA), Power::from_watts(402));
  for (const std::uint64_t milliwatts : {3'700'000ULL, 4'294'967'295ULL})
    EXPECT_EQ(gated_draw(milliwatts, kCardA), Problem::impossible_value) << milliwatts;
  EXPECT_EQ(gated_draw(593'000, kCardB), Problem::impossible_value);
}

TEST(Gates, LieAtOneAndAHalfTimesTheLargestLimit) {
  EXPECT_EQ(gated_draw(1'050'000, kCardA), Power::from_watts(1050));
  EXPECT_EQ(gated_draw(1'050'001, kCardA), Problem::impossible_value);
  EXPECT_EQ(gated_draw(5'000'000, std::nullopt), Power::from_watts(5000));
  EXPECT_EQ(gated_draw(5'000'001, std::nullopt), Problem::impossible_value);
}

TEST(Gates, RefuseSharesAboveOne) {
  EXPECT_EQ(gated_percent(97), 0.97);
  EXPECT_EQ(gated_percent(100), 1.0);
  for (const std::uint64_t percent : {101ULL, 1'980ULL, 2'619ULL, 808'334'905ULL, 4'294'967'295ULL})
    EXPECT_EQ(gated_percent(percent), Problem::impossible_value) << percent;
  EXPECT_EQ(gated_activity(93), 0.93);
  EXPECT_EQ(gated_activity(131), Problem::impossible_value);
  EXPECT_EQ(gated_activity(-0.1), Problem::impossible_value);
  EXPECT_EQ(gated_activity(std::numeric_limits<double>::quiet_NaN()), Problem::impossible_value);
}

TEST(Gates, RefuseLimitsThatNoBoardHas) {
  EXPECT_EQ(gated_limit(700'000), Power::from_watts(700));
  EXPECT_EQ(gated_limit(1'000), Power::from_watts(1));
  for (const std::uint64_t milliwatts : {0ULL, 999ULL, 20'000'001ULL, 4'294'967'295ULL})
    EXPECT_EQ(gated_limit(milliwatts), Problem::impossible_value) << milliwatts;
}

TEST(Gates, RefuseTheRestOfTheImpossible) {
  EXPECT_EQ(gated_clock(1980), Frequency::from_megahertz(1980));
  EXPECT_EQ(gated_clock(4'294'967'295), Problem::impossible_value);
  EXPECT_EQ(gated_temperature(-50), -50.0);
  EXPECT_EQ(gated_temperature(-51), Problem::impossible_value);
  EXPECT_EQ(gated_temperature(150), 150.0);
  EXPECT_EQ(gated_temperature(151), Problem::impossible_value);
  EXPECT_EQ(gated_memory(80, 80), 80.0);
  EXPECT_EQ(gated_memory(81, 80), Problem::impossible_value);
  EXPECT_EQ(gated_flow(2), 2097152.0);
  EXPECT_EQ(gated_flow(-1), Problem::impossible_value);
  EXPECT_EQ(gated_flow(1e8), Problem::impossible_value);
}

}  // namespace
}  // namespace wattflex::device
