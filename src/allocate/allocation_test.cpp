#include "allocate/allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "allocate/test_jobs.h"

namespace wattflex::allocate {
namespace {

Power total(const std::vector<Power>& draws) {
  return std::accumulate(draws.begin(), draws.end(), Power());
}

// Random fleets with everything the policies weigh by.
TestFleet random_fleet(RandomStream& random, int jobs) {
  TestFleet fleet;
  fleet.add_random(random, jobs, 5);
  for (Job& job : fleet.problem.jobs) {
    job.pfi = 0.5 + 2 * random.uniform();
    job.dram_copy_product = random.uniform();
    job.architecture = random.uniform() < 0.5 ? Architecture::moe : Architecture::dense;
    job.task = random.uniform() < 0.5 ? Task::fine_tuning : Task::pretraining;
  }
  return fleet;
}

Power cut_share(const Problem& problem, double share) {
  return (problem.uncapped_draw() - problem.least_draw()) * share;
}

TEST(DivideCut, MeetsTheBudgetWithinEveryRangeByEveryPolicy) {
  RandomStream random(21);
  for (int trial = 0; trial < 60; ++trial) {
    TestFleet fleet = random_fleet(random, 1 + static_cast<int>(random.below(15)));
    const Power cut = cut_share(fleet.problem, random.uniform());
    for (const Policy policy : all_policies()) {
      const auto plan = divide_cut(fleet.problem, policy, cut);
      ASSERT_TRUE(plan) << plan.error().message;
      EXPECT_EQ(plan->status, Status::met);
      const Power uncapped = fleet.problem.uncapped_draw();
      EXPECT_NEAR(total(plan->draws).watts(), (uncapped - cut).watts(), 1e-9 * uncapped.watts())
          << to_string(policy);
      for (std::size_t j = 0; j < plan->draws.size(); ++j) {
        const Job& job = fleet.problem.jobs[j];
        EXPECT_GE(plan->draws[j].watts(), job.curve->lowest_draw().watts() - 1e-9);
        EXPECT_LE(plan->draws[j].watts(), job.uncapped_draw().watts() + 1e-9);
      }
    }
  }
}

TEST(DivideCut, NoPolicyBeatsTheOracleNorItsBound) {
  RandomStream random(22);
  for (int trial = 0; trial < 60; ++trial) {
    const TestFleet fleet = random_fleet(random, 2 + static_cast<int>(random.below(10)));
    const Power cut = cut_share(fleet.problem, random.uniform());
    const auto oracle = divide_cut(fleet.problem, Policy::oracle, cut);
    ASSERT_TRUE(oracle);
    ASSERT_TRUE(oracle->bound);
    EXPECT_NEAR(*oracle->bound, oracle->objective, 1e-8);
    for (const Policy policy : all_policies()) {
      EXPECT_LE(divide_cut(fleet.problem, policy, cut)->objective, *oracle->bound + 1e-12)
          << to_string(policy);
    }
  }
}

TEST(DivideCut, LeavesEveryJobUncappedWithoutACut) {
  RandomStream random(23);
  TestFleet fleet = random_fleet(random, 8);
  for (const Policy policy : all_policies()) {
    const auto plan = divide_cut(fleet.problem, policy, Power());
    for (std::size_t j = 0; j < 8; ++j) {
      EXPECT_NEAR(plan->draws[j].watts(), fleet.problem.jobs[j].uncapped_draw().watts(), 1e-9);
    }
    EXPECT_NEAR(plan->objective, 1, 1e-12);
  }
}

TEST(DivideCut, DoesNotDependOnTheOrderOfJobs) {
  RandomStream random(24);
  const TestFleet fleet = random_fleet(random, 9);
  const Power cut = cut_share(fleet.problem, 0.4);
  Problem turned = fleet.problem;
  std::ranges::reverse(turned.jobs);
  for (const Policy policy : all_policies()) {
    const auto plan = divide_cut(fleet.problem, policy, cut);
    auto other = divide_cut(turned, policy, cut);
    std::ranges::reverse(other->draws);
    for (std::size_t j = 0; j < 9; ++j) EXPECT_NEAR(plan->draws[j].watts(), other->draws[j].watts(), 1e-6);
  }
}

TEST(DivideCut, KeepsFloors) {
  RandomStream random(25);
  TestFleet fleet = random_fleet(random, 6);
  for (Job& job : fleet.problem.jobs) job.floor = job.uncapped_draw() * 0.9;
  for (const Policy policy : all_policies()) {
    const auto plan = divide_cut(fleet.problem, policy, fleet.problem.uncapped_draw() * 0.08);
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_GE(plan->draws[j].watts(), fleet.problem.jobs[j].floor.watts() - 1e-9);
  }
}

// Two jobs of four GPUs that cannot go below 200 W each, and 300 W that nobody controls: a budget of 1800 W
// is 100 W short of what is drawn at the very least (1900 W).
class BudgetBelowTheFloor : public ::testing::Test {
 protected:
  BudgetBelowTheFloor() {
    fleet_.add({{800, 10}, {2800, 30}}, 4);
    fleet_.add({{800, 10}, {2800, 30}}, 4);
  }

  Power cut_to(double budget) const {
    return fleet_.problem.uncapped_draw() + uncontrolled_ - Power::from_watts(budget);
  }

  TestFleet fleet_;
  Power uncontrolled_ = Power::from_watts(300);
};

TEST_F(BudgetBelowTheFloor, IsInfeasibleWithTheShortfallInWatts) {
  for (const Policy policy : {Policy::equal, Policy::oracle}) {
    const auto plan = divide_cut(fleet_.problem, policy, cut_to(1800));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->status, Status::infeasible);
    EXPECT_NEAR(plan->shortfall.watts(), 100, 1e-9);
    EXPECT_NEAR(total(plan->draws).watts(), 1600, 1e-9);
  }
}

TEST_F(BudgetBelowTheFloor, IsFeasibleAtExactlyTheFloor) {
  for (const Policy policy : {Policy::equal, Policy::oracle}) {
    const auto plan = divide_cut(fleet_.problem, policy, cut_to(1900));
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->status, Status::met);
    for (const Power draw : plan->draws) EXPECT_NEAR(draw.watts(), 800, 1e-9);
  }
}

TEST(DivideCut, RefusesCutsThatMakeNoSense) {
  TestFleet fleet;
  fleet.add({{100, 1}, {200, 2}});
  EXPECT_EQ(divide_cut(fleet.problem, Policy::equal, Power::from_watts(-1)).error().kind, ErrorKind::usage);
  EXPECT_EQ(divide_cut(fleet.problem, Policy::equal, Power::from_watts(201)).error().kind, ErrorKind::usage);
  EXPECT_EQ(divide_cut(Problem(), Policy::equal, Power()).error().kind, ErrorKind::no_data);
}

TEST(Policies, AreRefusedWithTheColumnThatIsMissing) {
  TestFleet fleet;
  Job& job = fleet.add({{100, 1}, {200, 2}});
  const auto message = [&](Policy policy) {
    const auto plan = divide_cut(fleet.problem, policy, Power::from_watts(10));
    return plan ? std::string() : plan.error().message;
  };
  EXPECT_THAT(message(Policy::moe_ft), ::testing::HasSubstr("column arch"));
  job.architecture = Architecture::dense;
  EXPECT_THAT(message(Policy::moe_ft), ::testing::HasSubstr("column task"));
  EXPECT_THAT(message(Policy::dram), ::testing::HasSubstr("dram_active"));
  EXPECT_THAT(message(Policy::pfi), ::testing::HasSubstr("PFI"));
  EXPECT_EQ(message(Policy::equal), "");
}

TEST(Policies, WeighAsThePaperWrites) {
  TestFleet fleet;
  Job& job = fleet.add({{100, 1}, {400, 8}});
  job.pfi = 1.5;
  job.dram_copy_product = 0.3;
  job.architecture = Architecture::moe;
  job.task = Task::fine_tuning;
  const auto weight = [&](Policy policy) { return (*sharing_weights(fleet.problem, policy))[0]; };
  EXPECT_DOUBLE_EQ(weight(Policy::equal), 400);
  EXPECT_DOUBLE_EQ(weight(Policy::moe_ft), 800);
  EXPECT_DOUBLE_EQ(weight(Policy::pfi), 400.0 / 8 * 1.5);
  EXPECT_DOUBLE_EQ(weight(Policy::pfi_scaled), 400 * 400.0 / 8 * 1.5);
  EXPECT_DOUBLE_EQ(weight(Policy::dram), 0.3);
  job.task = Task::pretraining;
  EXPECT_DOUBLE_EQ(weight(Policy::moe_ft), 400);
}

TEST(Policies, Eq2ReadLiterallyDoesNotDependOnTheSizeOfAJobAndScaledDoes) {
  TestFleet fleet;
  fleet.add({{100, 1}, {400, 8}}, 8).pfi = 1.5;
  fleet.add({{200, 2}, {800, 16}}, 16).pfi = 1.5;
  const auto literal = *sharing_weights(fleet.problem, Policy::pfi);
  EXPECT_DOUBLE_EQ(literal[1], literal[0]);
  const auto scaled = *sharing_weights(fleet.problem, Policy::pfi_scaled);
  EXPECT_DOUBLE_EQ(scaled[1], 2 * scaled[0]);
}

TEST(Policies, AreNamedAsOnTheCommandLine) {
  EXPECT_EQ(*parse_policies("equal,pfi-scaled"), (std::vector{Policy::equal, Policy::pfi_scaled}));
  EXPECT_FALSE(parse_policies("equal,pfi-scaled,equal"));
  EXPECT_EQ(parse_policies("all")->size(), 6U);
  EXPECT_FALSE(parse_policies("equal,"));
  EXPECT_FALSE(parse_policies(""));
  for (const Policy policy : all_policies()) EXPECT_EQ(parse_policies(to_string(policy))->front(), policy);
}

}  // namespace
}  // namespace wattflex::allocate
