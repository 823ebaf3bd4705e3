// The verification must catch every way in which an allocation can be wrong.
#include "allocate/verify.h"

#include <gtest/gtest.h>

#include <limits>

#include "allocate/test_jobs.h"

namespace wattflex::allocate {
namespace {

class Verify : public ::testing::Test {
 protected:
  Verify() {
    fleet_.add({{100, 2}, {150, 6}, {200, 8}}, 2);
    fleet_.add({{300, 1}, {400, 4}}, 4, 2.0);
    allocation_ = {.policy = Policy::oracle,
                   .budget = Power::from_watts(550),
                   .draws = {Power::from_watts(175), Power::from_watts(375)},
                   // 2 GPUs at 7/8, 4 GPUs of value 2 at 3.25/4, of 10.
                   .objective = (2 * 7.0 / 8 + 8 * 3.25 / 4) / 10,
                   .bound = 0.9};
  }

  bool holds() const { return verify(fleet_.problem, cut_, allocation_).has_value(); }

  TestFleet fleet_;
  Power cut_ = Power::from_watts(50);
  Allocation allocation_;
};

TEST_F(Verify, AcceptsWhatIsRight) {
  EXPECT_TRUE(holds());
}

TEST_F(Verify, CatchesDrawsAboveTheBudget) {
  cut_ = Power::from_watts(50.001);
  EXPECT_FALSE(holds());
}

TEST_F(Verify, CatchesDrawsOutsideTheirRange) {
  allocation_.draws = {Power::from_watts(99), Power::from_watts(400)};
  allocation_.objective = (2 * 2.0 / 8 + 8) / 10;
  EXPECT_FALSE(holds());
  allocation_.draws = {Power::from_watts(std::numeric_limits<double>::quiet_NaN()), Power::from_watts(375)};
  EXPECT_FALSE(holds());
  allocation_.draws = {Power::from_watts(175)};
  EXPECT_FALSE(holds());
}

TEST_F(Verify, CatchesBrokenFloors) {
  fleet_.problem.jobs[1].floor = Power::from_watts(375);
  EXPECT_TRUE(holds());
  fleet_.problem.jobs[1].floor = Power::from_watts(376);
  EXPECT_FALSE(holds());
}

TEST_F(Verify, HoldsCapsAgainstEveryMeasuredRow) {
  // Caps equal to draws, but a row that the curve leaves out drew 190 W at a cap of 175 W, so that 165 W, 3/5
  // of the way from (150 W, 150 W) to it, stands for 174 W. The budget is 550 W.
  const Curve curve({{Power::from_watts(100), 2, Power::from_watts(100)},
                     {Power::from_watts(150), 6, Power::from_watts(150)},
                     {Power::from_watts(200), 8, Power::from_watts(200)}},
                    {{Power::from_watts(100), Power::from_watts(100)},
                     {Power::from_watts(150), Power::from_watts(150)},
                     {Power::from_watts(175), Power::from_watts(190)},
                     {Power::from_watts(200), Power::from_watts(200)}});
  fleet_.problem.jobs[0].curve = &curve;
  const auto holds_at = [&](double first, double second) {
    const std::vector<Power> caps = {Power::from_watts(first), Power::from_watts(second)};
    return verify_caps(fleet_.problem, allocation_, caps).has_value();
  };
  EXPECT_TRUE(holds_at(165, 94));  // 174 + 4 x 94 = 550
  EXPECT_FALSE(holds_at(165, 94.01));
  EXPECT_FALSE(holds_at(175, 93));  // 190 + 372, although 175 + 372 would do
  const std::vector<Power> too_few = {Power::from_watts(100)};
  EXPECT_FALSE(verify_caps(fleet_.problem, allocation_, too_few));
}

TEST_F(Verify, CatchesAWrongObjective) {
  allocation_.objective += 1e-6;
  EXPECT_FALSE(holds());
}

TEST_F(Verify, CatchesABoundBelowTheObjectiveOrAboveWhatIsPossible) {
  allocation_.bound = allocation_.objective - 1e-6;
  EXPECT_FALSE(holds());
  allocation_.bound = 1.001;
  EXPECT_FALSE(holds());
  allocation_.bound = std::nullopt;
  EXPECT_TRUE(holds());
}

TEST_F(Verify, CatchesAWrongShortfall) {
  allocation_.status = Status::infeasible;
  allocation_.draws = {Power::from_watts(100), Power::from_watts(300)};
  allocation_.objective = (2 * 2.0 / 8 + 8 * 1.0 / 4) / 10;
  allocation_.shortfall = Power::from_watts(30);
  cut_ = Power::from_watts(230);
  EXPECT_TRUE(holds());
  allocation_.shortfall = Power::from_watts(31);
  EXPECT_FALSE(holds());
}

}  // namespace
}  // namespace wattflex::allocate
