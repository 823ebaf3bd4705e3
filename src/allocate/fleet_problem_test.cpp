#include "allocate/fleet_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "allocate/fleet_plan.h"

namespace wattflex::allocate {
namespace {

using ::testing::HasSubstr;

SweepGroup group(const std::string& name, const std::string& accelerator,
                 const std::vector<std::array<double, 3>>& points) {
  SweepGroup made;
  made.id = {"table", name, accelerator};
  made.gpus = 4;
  for (const auto& [cap, power, throughput] : points) {
    made.points.push_back(
        {.cap = Power::from_watts(cap), .power = Power::from_watts(power), .throughput = throughput});
  }
  return made;
}

SweepTable table() {
  SweepTable made;
  made.name = "table";
  made.groups = {group("a", "H100", {{700, 2600, 100}, {500, 1950, 90}, {300, 1150, 60}}),
                 group("b", "H100", {{700, 2500, 10}, {500, 1900, 11}, {300, 1100, 10.5}}),
                 group("b", "H200", {{700, 2400, 12}, {500, 1800, 11}})};
  return made;
}

Fleet fleet_of(FleetJob job) {
  job.row = 2;
  return {.name = "fleet", .file = "site/fleet.csv", .jobs = {std::move(job)}};
}

std::string refusal(const FleetJob& job) {
  const auto problem = make_problem(table(), fleet_of(job), {});
  return problem ? std::string() : problem.error().message;
}

TEST(MakeProblem, TakesEveryGroupAsAJobWithoutAFleet) {
  const auto fleet = make_problem(table(), std::nullopt, {});
  ASSERT_TRUE(fleet);
  ASSERT_EQ(fleet->problem.jobs.size(), 3U);
  EXPECT_EQ(fleet->problem.jobs[0].value, 1);
  EXPECT_EQ(fleet->problem.jobs[0].gpus, 4);
  EXPECT_EQ(fleet->problem.jobs[0].uncapped_draw(), Power::from_watts(2600));
  EXPECT_FALSE(fleet->origins[0].scaled);
}

TEST(MakeProblem, ListsWhatReadingDroppedAndRefusesAFleetThatNamesIt) {
  SweepTable some = table();
  some.dropped.push_back({.id = {"table", "bad", ""}, .reason = "its uncapped run has no numbers"});
  const auto every = make_problem(some, std::nullopt, {});
  ASSERT_TRUE(every);
  ASSERT_EQ(every->left_out.size(), 1U);
  EXPECT_EQ(every->left_out[0].id.group, "bad");
  const auto without = make_problem(some, fleet_of({.job = "j", .group = "a", .gpus = 4}), {});
  ASSERT_TRUE(without);
  EXPECT_TRUE(without->left_out.empty());
  const auto with = make_problem(some, fleet_of({.job = "j", .group = "bad", .gpus = 4}), {});
  ASSERT_FALSE(with);
  EXPECT_THAT(with.error().message,
              HasSubstr("group 'bad' has no usable row: its uncapped run has no numbers"));
}

TEST(MakeProblem, WithoutAnyUsableGroupNamesTheTableTheFirstGroupAndWhy) {
  SweepTable none = table();
  for (SweepGroup& each : none.groups) each.points.front().limited_by = Limiter::thermal;
  const auto problem = make_problem(none, std::nullopt, {});
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error().kind, ErrorKind::no_data);
  EXPECT_THAT(
      problem.error().message,
      HasSubstr("no group of table table can be planned for; the first left out: table: group 'a' on H100"));
}

TEST(MakeProblem, ScalesAJobOfAnotherSizeAndFlagsIt) {
  const auto fleet = make_problem(table(), fleet_of({.job = "j", .group = "a", .gpus = 6}), {});
  ASSERT_TRUE(fleet);
  EXPECT_TRUE(fleet->origins[0].scaled);
  EXPECT_DOUBLE_EQ(fleet->problem.jobs[0].uncapped_draw().watts(), 3900);
  EXPECT_DOUBLE_EQ(fleet->problem.jobs[0].curve->uncapped_throughput(), 150);
  EXPECT_EQ(fleet->problem.jobs[0].curve->points().front().cap, Power::from_watts(300));
}

TEST(MakeProblem, RefusesGroupsItCannotTellWithTheRow) {
  EXPECT_THAT(refusal({.job = "j", .group = "c", .gpus = 4}),
              HasSubstr("site/fleet.csv, row 2, column group: table table has no group 'c'"));
  EXPECT_THAT(refusal({.job = "j", .group = "b", .gpus = 4}), HasSubstr("several accelerators"));
  EXPECT_THAT(refusal({.job = "j", .group = "b", .accelerator = "V100", .gpus = 4}), HasSubstr("on 'V100'"));
  EXPECT_EQ(refusal({.job = "j", .group = "b", .accelerator = "H200", .gpus = 4}), "");
}

TEST(MakeProblem, LetsAnotherIndexSpeakWhereThePublishedOneGivesNoWeight) {
  const auto fleet = make_problem(table(), std::nullopt, {});
  ASSERT_TRUE(fleet);
  EXPECT_EQ(fleet->origins[0].pfi_source, PfiSource::published);
  EXPECT_EQ(fleet->origins[0].pfi_points, 2);
  // (1 - 1950/2600)/(1 - .9) = 2.5 and (1 - 1150/2600)/(1 - .6) = 1.3942.
  EXPECT_NEAR(*fleet->problem.jobs[0].pfi, (2.5 + 1.394230769) / 2, 1e-9);
  // Faster when capped: a negative index says nothing about flexibility, 1 stands in.
  EXPECT_EQ(fleet->origins[1].pfi_source, PfiSource::neutral);
  EXPECT_EQ(*fleet->problem.jobs[1].pfi, 1);
}

TEST(MakeProblem, WeighsByPredictionsWhereGiven) {
  const auto fleet = make_problem(table(), std::nullopt, {.predicted_pfi = {1.7, std::nullopt, -0.5}});
  ASSERT_TRUE(fleet);
  EXPECT_EQ(*fleet->problem.jobs[0].pfi, 1.7);
  EXPECT_EQ(fleet->origins[0].pfi_source, PfiSource::predicted);
  EXPECT_EQ(fleet->origins[1].pfi_source, PfiSource::neutral);
  EXPECT_EQ(fleet->origins[2].pfi_source, PfiSource::neutral);
}

TEST(MakeProblem, PutsFloorsWhereThePromiseNeedsThem) {
  const FleetJob job{.job = "j", .group = "a", .gpus = 4, .tier = FlexTier::flex2};
  const auto without = make_problem(table(), fleet_of(job), {});
  EXPECT_EQ(without->problem.jobs[0].floor, Power());
  const auto with = make_problem(table(), fleet_of(job), {.floor = FloorRule::tier});
  // 75 of 100 lie half-way from (1150 W, 60) to (1950 W, 90): 1550 W at a cap of 400 W.
  EXPECT_NEAR(with->problem.jobs[0].floor.watts(), 1550, 1e-6);
}

TEST(MakeProblem, NeverCutsAJobThatPromisedNoLoss) {
  const FleetJob job{.job = "j", .group = "a", .gpus = 4, .tier = FlexTier::flex0};
  const auto fleet = make_problem(table(), fleet_of(job), {.floor = FloorRule::tier});
  EXPECT_EQ(fleet->problem.jobs[0].least_draw(), Power::from_watts(2600));
}

TEST(FleetPlan, SaysWhatStoppedEachJob) {
  Fleet fleet;
  fleet.jobs = {{.job = "free", .group = "a", .gpus = 4},
                {.job = "promised", .group = "a", .gpus = 4, .tier = FlexTier::flex1},
                {.job = "rigid", .group = "a", .gpus = 4, .tier = FlexTier::flex0}};
  const auto problem = make_problem(table(), fleet, {.floor = FloorRule::tier});
  ASSERT_TRUE(problem);
  // The free job can give 1450 W, the promised one 650 W: all of it.
  const auto plan = plan_fleet(*problem, Policy::equal, Power::from_watts(2100));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->jobs[0].limit, Limit::lowest_draw);
  EXPECT_EQ(plan->jobs[1].limit, Limit::floor);
  EXPECT_EQ(plan->jobs[2].limit, Limit::uncapped);
  EXPECT_EQ(plan->jobs[0].promise_kept, std::nullopt);
  EXPECT_EQ(plan->jobs[1].promise_kept, true);
}

}  // namespace
}  // namespace wattflex::allocate
