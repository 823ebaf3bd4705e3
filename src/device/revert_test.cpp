#include "device/revert.h"

#include <gtest/gtest.h>

namespace wattflex::device {
namespace {

PowerLimits reading(double requested, Reading<bool> persistence) {
  return {.requested = Power::from_watts(requested),
          .enforced = Power::from_watts(requested),
          .factory = Power::from_watts(700),
          .persistence = persistence};
}

const Power kOurs = Power::from_watts(400);

// CAP-02 (a), (b), (c); (b) is CAP-01's reload.
TEST(Revert, IsToldByLimitAndPersistenceTogether) {
  EXPECT_EQ(classify_revert(kOurs, reading(700, false)), Revert::persistence_off);
  EXPECT_EQ(classify_revert(kOurs, reading(700, true)), Revert::reset_to_default);
  EXPECT_EQ(classify_revert(kOurs, reading(550, true)), Revert::foreign_writer);
  EXPECT_EQ(classify_revert(kOurs, reading(550, false)), Revert::foreign_writer);
  EXPECT_EQ(classify_revert(kOurs, reading(400, false)), Revert::none);
}

TEST(Revert, ComparesInWholeMilliwatts) {
  EXPECT_EQ(classify_revert(Power::from_watts(149.4), reading(149.4, true)), Revert::none);
  EXPECT_EQ(classify_revert(Power::from_watts(149.4), reading(149.401, true)), Revert::foreign_writer);
}

TEST(Revert, IsUnknownWithoutAReading) {
  EXPECT_EQ(classify_revert(kOurs, {.requested = Problem::gpu_lost, .factory = Power::from_watts(700)}),
            std::nullopt);
  EXPECT_EQ(classify_revert(kOurs, {.requested = Power::from_watts(700)}), std::nullopt);
}

TEST(Revert, CountsAnUnreadablePersistenceModeAsAReset) {
  EXPECT_EQ(classify_revert(kOurs, reading(700, Problem::not_supported)), Revert::reset_to_default);
}

}  // namespace
}  // namespace wattflex::device
