#include "model/gpu.h"

#include <gtest/gtest.h>

namespace wattflex {
namespace {

// SWP-07: decoded bit by bit.
TEST(ThrottleReasons, NameEachBit) {
  EXPECT_EQ(ThrottleReasons(0x00).names(), "none");
  EXPECT_EQ(ThrottleReasons(0x04).names(), "sw_power_cap");
  EXPECT_EQ(ThrottleReasons(0x84).names(), "sw_power_cap+hw_power_brake");
  EXPECT_TRUE(ThrottleReasons(0x84).has(Throttle::hw_power_brake));
  EXPECT_FALSE(ThrottleReasons(0x04).has(Throttle::hw_power_brake));
}

TEST(ThrottleReasons, KeepBitsThatHaveNoNameYet) {
  EXPECT_EQ(ThrottleReasons(0x1004).names(), "sw_power_cap+bit12");
  EXPECT_EQ(ThrottleReasons::parse("sw_power_cap+bit12"), ThrottleReasons(0x1004));
}

TEST(ThrottleReasons, AreReadBackFromTheirNamesWhateverTheBits) {
  for (const std::uint64_t bits : {0x0ULL, 0x1ULL, 0x7FFULL, 0x8000000000000000ULL, ~0ULL})
    EXPECT_EQ(ThrottleReasons::parse(ThrottleReasons(bits).names()), ThrottleReasons(bits));
  for (const std::string_view wrong : {"", "cold", "sw_power_cap+", "bit64", "bit-1", "bit"})
    EXPECT_FALSE(ThrottleReasons::parse(wrong)) << wrong;
}

TEST(ThrottleReasons, CountSoftwareAndHardwareHeatAsThermal) {
  EXPECT_TRUE(ThrottleReasons(0x20).thermal());
  EXPECT_TRUE(ThrottleReasons(0x40).thermal());
  EXPECT_FALSE(ThrottleReasons(0x8 | 0x4 | 0x80).thermal());
}

TEST(Reading, IsMissingUntilSomebodyReads) {
  const Reading<Power> reading;
  EXPECT_FALSE(reading);
  EXPECT_EQ(reading.problem(), Problem::not_asked);
  EXPECT_EQ(Reading<Power>(Problem::gpu_lost).problem(), Problem::gpu_lost);
  EXPECT_EQ(*Reading<Power>(Power::from_watts(0)), Power::from_watts(0));
}

// CAP-04
TEST(PowerLimits, TellAnotherLimiterByTheEnforcedLimit) {
  PowerLimits limits{.requested = Power::from_watts(600), .enforced = Power::from_watts(500)};
  EXPECT_TRUE(limits.limited_elsewhere());
  limits.requested = Power::from_watts(450);
  limits.enforced = Power::from_watts(450);
  EXPECT_FALSE(limits.limited_elsewhere());
  limits.enforced = Problem::not_supported;
  EXPECT_FALSE(limits.limited_elsewhere());
}

}  // namespace
}  // namespace wattflex
