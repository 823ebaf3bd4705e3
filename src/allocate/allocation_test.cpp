#include "allocate/allocation.h"

#include <gtest/gtest.h>

#include "allocate/test_jobs.h"

namespace wattflex::allocate {
namespace {

TEST(DivideCut, Runs) {
  RandomStream random(1);
  TestFleet fleet;
  fleet.add_random(random, 5, 5);
  const auto plan = divide_cut(fleet.problem, Policy::oracle, fleet.problem.uncapped_draw() * 0.1);
  ASSERT_TRUE(plan) << plan.error().message;
}

}  // namespace
}  // namespace wattflex::allocate
