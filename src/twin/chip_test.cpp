#include "twin/chip.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/outside_data.h"

namespace wattflex::twin {
namespace {

// arXiv:2604.11391, figures 6b and 9b: ViT-L/16 inference on an H100.
struct PublishedCap {
  double cap_w;
  double memory_w;
  double gpu_w;
  double clock_mhz;
};
constexpr std::array<PublishedCap, 6> kPublished{{{200, 72, 127, 625},
                                                  {300, 91, 207, 1132},
                                                  {400, 101, 294, 1501},
                                                  {500, 109, 384, 1731},
                                                  {600, 118, 473, 1889},
                                                  {700, 120, 527, 1969}}};

TEST(Chip, PublishedCapsEqualTheSharedCopy) {
  const auto path = outside_data("published/h100_vit_caps.csv");
  if (!path) return;
  std::ifstream file(*path);
  std::string line;
  std::getline(file, line);
  for (const PublishedCap& row : kPublished) {
    std::getline(file, line);
    std::ostringstream expected;
    expected << row.cap_w << ',' << row.memory_w << ',' << row.gpu_w << ',' << row.clock_mhz;
    EXPECT_EQ(line, expected.str());
  }
}

TEST(Chip, SmRailIsWithinAPercentOfThePublishedRail) {
  for (const PublishedCap& row : kPublished) {
    const Power modelled = sm_power(Frequency::from_megahertz(row.clock_mhz), 1);
    EXPECT_NEAR(modelled.watts() / row.gpu_w, 1, 0.01) << row.cap_w;
  }
}

TEST(Chip, DrawUnderABindingCapIsWithinHalfAPercentOfThePublishedSumOfRails) {
  for (const PublishedCap& row : kPublished) {
    if (row.cap_w == 700) continue;  // does not bind there
    const Power modelled = enforced_draw(Power::from_watts(row.cap_w));
    EXPECT_NEAR(modelled.watts() / (row.memory_w + row.gpu_w), 1, 0.005) << row.cap_w;
  }
}

TEST(Chip, VoltageStaysAtItsFloorUpTo1180MHz) {
  EXPECT_DOUBLE_EQ(voltage_ratio(kMinClock), 1);
  EXPECT_DOUBLE_EQ(voltage_ratio(Frequency::from_megahertz(1180)), 1);
  // 800 MHz above the knee: 1 + 0.056 + 0.2176.
  EXPECT_NEAR(voltage_ratio(kMaxClock), 1.2736, 1e-12);
}

TEST(Chip, EnforcedDrawFallsFromAHalfToOneAndAHalfPercentBelowTheCap) {
  EXPECT_NEAR(enforced_draw(Power::from_watts(100)).watts(), 99.5, 1e-9);
  EXPECT_NEAR(enforced_draw(Power::from_watts(200)).watts(), 199.0, 1e-9);
  EXPECT_NEAR(enforced_draw(Power::from_watts(400)).watts(), 396.0, 1e-9);
  EXPECT_NEAR(enforced_draw(Power::from_watts(600)).watts(), 591.0, 1e-9);
  EXPECT_NEAR(enforced_draw(Power::from_watts(700)).watts(), 689.5, 1e-9);
}

TEST(Chip, ShowsNoClockBelowThePulseSkippingClock) {
  EXPECT_EQ(reported_clock(kMinClock), kPulseSkippingClock);
  EXPECT_EQ(reported_clock(kMaxClock), kMaxClock);
}

}  // namespace
}  // namespace wattflex::twin
