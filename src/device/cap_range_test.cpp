#include "device/cap_range.h"

#include <gtest/gtest.h>

#include <limits>

namespace wattflex::device {
namespace {

CapRange range_of(double least, double most, double factory) {
  return *CapRange::of({.factory = Power::from_watts(factory),
                        .least = Power::from_watts(least),
                        .most = Power::from_watts(most)},
                       "GPU-a");
}

// CAP-09: 83 % of 180 W is 149.4 W, just under the least.
TEST(CapRange, ClampsAShareJustBelowTheLeastAndSaysSo) {
  const auto fitted = range_of(150, 180, 180).fit_share(0.83, OutOfRange::clamp);
  ASSERT_TRUE(fitted);
  EXPECT_DOUBLE_EQ(fitted->asked.watts(), 149.4);
  EXPECT_DOUBLE_EQ(fitted->cap.watts(), 150);
  EXPECT_TRUE(fitted->clamped());
}

// CAP-09: 260, 235, ..., 110; never 85.
TEST(CapRange, ListsOnlyCapsTheBoardTakes) {
  const auto caps = range_of(100, 260, 260).ladder(Power::from_watts(25));
  ASSERT_TRUE(caps);
  std::vector<double> watts;
  for (const Power cap : *caps) watts.push_back(cap.watts());
  EXPECT_EQ(watts, (std::vector<double>{260, 235, 210, 185, 160, 135, 110}));
  EXPECT_FALSE(range_of(100, 260, 260).ladder(Power()));
}

// CAP-09, CAP-11: 0 is no release, it is out of range.
TEST(CapRange, RefusesWhatLiesOutsideAndNamesTheRange) {
  const CapRange range = range_of(200, 700, 700);
  for (const double watts : {0.0, 50.0, 199.999, 700.001, -1.0, std::numeric_limits<double>::infinity()}) {
    const auto fitted = range.fit(Power::from_watts(watts), OutOfRange::refuse);
    ASSERT_FALSE(fitted) << watts;
    EXPECT_NE(fitted.error().message.find("200 to 700 W"), std::string::npos) << fitted.error().message;
  }
  EXPECT_TRUE(range.fit(Power::from_watts(200), OutOfRange::refuse));
  EXPECT_TRUE(range.fit(Power::from_watts(700), OutOfRange::refuse));
  EXPECT_DOUBLE_EQ(range.fit(Power::from_watts(50), OutOfRange::clamp)->cap.watts(), 200);
}

TEST(CapRange, IsNothingWithoutTheBoardsWord) {
  EXPECT_FALSE(CapRange::of({.least = Power::from_watts(200)}, "GPU-a"));
  const auto range = CapRange::of({.least = Power::from_watts(200), .most = Power::from_watts(700)}, "GPU-a");
  ASSERT_TRUE(range);
  EXPECT_FALSE(range->fit_share(0.5, OutOfRange::clamp));
}

}  // namespace
}  // namespace wattflex::device
