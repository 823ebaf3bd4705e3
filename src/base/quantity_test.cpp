#include "base/quantity.h"

#include <gtest/gtest.h>

namespace wattflex {
namespace {

TEST(Quantity, PowerTimesTimeIsEnergyAndBack) {
  const Energy energy = Power::from_watts(700) * std::chrono::minutes(30);
  EXPECT_DOUBLE_EQ(energy.joules(), 1.26e6);
  EXPECT_DOUBLE_EQ(energy.kilowatt_hours(), 0.35);
  EXPECT_DOUBLE_EQ((energy / Seconds(1800)).watts(), 700);
}

TEST(Quantity, OrdersAndAddsWithinOneUnit) {
  Power sum = Power::from_watts(200) + 2 * Power::from_watts(50);
  sum += Power::from_watts(1);
  EXPECT_EQ(sum, Power::from_watts(301));
  EXPECT_LT(Power::from_watts(1), Power::from_watts(2));
  EXPECT_DOUBLE_EQ(Power::from_watts(350) / Power::from_watts(700), 0.5);
  EXPECT_DOUBLE_EQ(Frequency::from_megahertz(1980).hertz(), 1.98e9);
}

}  // namespace
}  // namespace wattflex
