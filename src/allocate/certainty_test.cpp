#include "allocate/certainty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "allocate/simulated_site.h"
#include "base/random.h"

namespace wattflex::allocate {
namespace {

using ::testing::HasSubstr;

TEST(PlanCertainty, ClosesOnTheClaimWhenRowsAreExact) {
  const Judged result = judged(site(0.3, 1e-6, 3).table, Policy::oracle, 0.2, {.resamples = 100});
  EXPECT_NEAR(result.certainty.kept->expected, result.plan.normalized, 1e-4);
  EXPECT_LT(result.certainty.kept->ci95.high - result.certainty.kept->ci95.low, 1e-4);
  EXPECT_GT(result.certainty.gain->ci95.low, 0);
}

TEST(PlanCertainty, OfNoCutIsCertain) {
  const Judged result = judged(site(0.3, 1, 4).table, Policy::oracle, 0, {.resamples = 100});
  EXPECT_NEAR(result.certainty.kept->expected, 1, 1e-12);
  EXPECT_NEAR(result.certainty.kept->ci95.low, 1, 1e-12);
  EXPECT_NEAR(result.certainty.gain->expected, 0, 1e-12);
}

TEST(PlanCertainty, OfEqualSharingGainsNothing) {
  const Judged result = judged(site(0.3, 1, 4).table, Policy::equal, 0.2, {.resamples = 100});
  EXPECT_EQ(result.certainty.gain->expected, 0);
  EXPECT_EQ(result.certainty.gain->ci95.low, 0);
  EXPECT_EQ(result.certainty.gain->ci95.high, 0);
  EXPECT_FALSE(result.certainty.differs_from_equal());
}

TEST(PlanCertainty, HangsOnTheSeedAndNotOnTheOrderOfGroups) {
  SweepTable table = site(0.3, 1, 5).table;
  const Judged first = judged(table, Policy::oracle, 0.2, {.resamples = 100, .seed = 7});
  std::ranges::reverse(table.groups);
  const Judged turned = judged(table, Policy::oracle, 0.2, {.resamples = 100, .seed = 7});
  const Judged other = judged(table, Policy::oracle, 0.2, {.resamples = 100, .seed = 8});
  EXPECT_NEAR(first.certainty.gain->ci95.low, turned.certainty.gain->ci95.low, 1e-12);
  EXPECT_NEAR(first.certainty.kept->expected, turned.certainty.kept->expected, 1e-12);
  EXPECT_NE(first.certainty.gain->ci95.low, other.certainty.gain->ci95.low);
}

TEST(PlanCertainty, JudgesRawSumsAsSharesOfTheUncappedSum) {
  const SweepTable table = site(0.3, 1, 6).table;
  FleetOptions options;
  options.objective = Objective::tokens;
  const auto fleet = make_problem(table, std::nullopt, options);
  const auto plan = plan_fleet(*fleet, Policy::oracle, fleet->problem.uncapped_draw() * 0.2);
  const FleetPlan* const asked = &*plan;
  const auto certainty = plan_certainty(table, *fleet, options, {&asked, 1}, {.resamples = 100});
  const double claimed = claimed_share(fleet->problem, plan->allocation.objective);
  EXPECT_LT(claimed, 1);
  EXPECT_GT(claimed, 0.8);
  EXPECT_NEAR(certainty->plans.front().kept->expected, claimed, 0.02);
}

TEST(PlanCertainty, ExpectsNoMoreThanTheWhole) {
  const Judged result = judged(site(0.3, 5, 12).table, Policy::oracle, 0.01, {.resamples = 200});
  EXPECT_LE(result.certainty.kept->ci95.high, 1);
  EXPECT_LE(result.certainty.kept->expected, 1);
}

// Its one cap lies just where the cut ends: every other resample falls short of it.
TEST(PlanCertainty, SaysWhenACutHangsByAThread) {
  const SweepTable table = site(0.3, 1, 13).table;
  double most = 0;
  double least = 0;
  for (const SweepGroup& group : table.groups) {
    most += group.points.front().power.watts();
    least += group.points.back().power.watts();
  }
  const Judged result = judged(table, Policy::equal, 1 - least / most - 1e-6, {.resamples = 100});
  EXPECT_THAT(result.certainty.reason, HasSubstr("of 100 resamples could be planned at all"));
}

TEST(PlanCertainty, SaysWhyThereIsNone) {
  const SweepTable table = site(0.3, 1, 9).table;
  EXPECT_THAT(judged(table, Policy::equal, 0.9, {.resamples = 100}).certainty.reason,
              HasSubstr("does not meet the cut"));
  EXPECT_THAT(judged(table, Policy::equal, 0.2, {.resamples = 0}).certainty.reason, HasSubstr("not asked"));
}

TEST(PlanCertainty, WidensByScatterAndSaysSo) {
  const SweepTable right = site(0.3, 3, 11).table;
  SweepTable wrong = right;  // claims errors a tenth of what the rows show
  for (SweepGroup& group : wrong.groups) {
    for (SweepPoint& point : group.points) {
      point.power_stderr = *point.power_stderr * 0.1;
      point.throughput_stderr = *point.throughput_stderr * 0.1;
    }
  }
  const auto fleet = make_problem(wrong, std::nullopt, {});
  const auto plan = plan_fleet(*fleet, Policy::oracle, fleet->problem.uncapped_draw() * 0.2);
  const FleetPlan* const asked = &*plan;
  const auto certainties = plan_certainty(wrong, *fleet, {}, {&asked, 1}, {.resamples = 200});
  ASSERT_FALSE(certainties->warnings.empty());
  EXPECT_THAT(certainties->warnings.front(), HasSubstr("times more about the power curve"));
  const auto width = [](const Certainty& certainty) {
    return certainty.kept->ci95.high - certainty.kept->ci95.low;
  };
  const double honest = width(judged(right, Policy::oracle, 0.2, {.resamples = 200}).certainty);
  EXPECT_GT(width(certainties->plans.front()), honest / 2);
}

TEST(PlanCertainty, TakesAJobThatCannotBeCutAsItIs) {
  SweepTable table = site(0.3, 1, 10).table;
  table.groups.front().points.resize(1);
  const Judged result = judged(table, Policy::oracle, 0.1, {.resamples = 100});
  ASSERT_TRUE(result.certainty.kept) << result.certainty.reason;
  EXPECT_NEAR(result.certainty.kept->expected, result.plan.normalized, 0.02);
}

}  // namespace
}  // namespace wattflex::allocate
