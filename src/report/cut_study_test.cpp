#include "report/cut_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/cut_figures.h"
#include "report/report_tables.h"

namespace wattflex::report {
namespace {

using testing::HasSubstr;

SweepPoint point(double cap, double power, double throughput) {
  return {.cap = Power::from_watts(cap), .power = Power::from_watts(power), .throughput = throughput};
}

SweepGroup group(const std::string& name, std::vector<SweepPoint> points) {
  return {.id = {"table", name, "chip"}, .gpus = 1, .points = std::move(points)};
}

// Straight curves down to half the draw: one job loses a fifth of each share of power cut, the other all of
// it.
SweepTable two_jobs() {
  return {.name = "table",
          .groups = {group("flat", {point(1000, 1000, 100), point(500, 500, 90)}),
                     group("steep", {point(1000, 1000, 100), point(500, 500, 50)})}};
}

CutStudy study(const SweepTable& table, double cut) {
  const auto fleet = allocate::make_problem(table, std::nullopt, {});
  EXPECT_TRUE(fleet.has_value());
  auto study = study_cuts(*fleet, table, {.name = "table", .pedigree = "measured", .cut = cut});
  EXPECT_TRUE(study.has_value()) << study.error().message;
  return *study;
}

// By hand: of a share c of the whole, equal sharing takes c of both, so 1 - (0.2 + 1) c / 2 is kept; the
// optimum takes 2 c of the flat job as long as it has that, so 1 - 0.2 (2 c) / 2.
TEST(CutStudy, AgreesWithTwoStraightCurvesByHand) {
  const SweepTable table = two_jobs();
  const CutStudy cuts = study(table, 0.25);
  EXPECT_EQ(cuts.gpus, 2);
  EXPECT_NEAR(cuts.deepest, 0.5, 1e-12);
  for (const double cut : {0.0, 0.1, 0.15, 0.25}) {
    EXPECT_NEAR(*cuts.kept(cuts.equal(), cut), 1 - 0.6 * cut, 1e-9) << cut;
    EXPECT_NEAR(*cuts.kept(cuts.oracle(), cut), 1 - 0.2 * cut, 1e-9) << cut;
  }
  // Beyond a quarter the flat job is exhausted and the steep one pays.
  EXPECT_NEAR(*cuts.kept(cuts.oracle(), 0.4), 0.95 - 1.0 * 0.15, 1e-9);
  EXPECT_EQ(headline_of(cuts).front(),
            "A 25 % power cut costs these 2 jobs on 2 GPUs 5.0 % of their throughput at best, 15.0 % shared "
            "equally.");
}

// The two jobs differ by ten points at a quarter's cut, twenty times the noise of a run.
TEST(CutStudy, SaysWhatToExpectOfTheOptimum) {
  const CutStudy cuts = study(two_jobs(), 0.25);
  EXPECT_NEAR(cuts.plans.back().certainty.gain->expected, 0.10, 0.01);
  EXPECT_THAT(
      headline_of(cuts)[1],
      ::testing::MatchesRegex("Allowing for noise, expect the optimum to keep [0-9.]+ points more than "
                              "equal sharing .*[)][.]"));
  const Table table = expectations_table(cuts);
  ASSERT_EQ(table.rows.front()[0].text, "Optimum (oracle)");
  EXPECT_EQ(table.rows.front()[3].text, "95.00 %");
  EXPECT_EQ(table.rows.front()[1].tint, 1);
  EXPECT_EQ(table.rows[1][1].text, "");
}

// Two jobs of one kind: nothing to gain, whatever the rows.
TEST(CutStudy, SaysWhenTheOptimumIsNotToldFromEqualSharing) {
  SweepTable table = two_jobs();
  table.groups[0].points[1].throughput = 51;
  const CutStudy cuts = study(table, 0.25);
  EXPECT_THAT(headline_of(cuts)[1], HasSubstr("do not tell it from sharing equally"));
  EXPECT_EQ(expectations_table(cuts).rows.front()[1].tint, 0);
}

TEST(CutStudy, GoesNoDeeperThanTheCaps) {
  const SweepTable table = two_jobs();
  const CutStudy cuts = study(table, 0.6);
  EXPECT_LE(cuts.cuts.back(), 0.5 + 1e-12);
  EXPECT_FALSE(cuts.kept(cuts.oracle(), 0.6).has_value());
  EXPECT_TRUE(cuts.plans.empty());
  EXPECT_THAT(headline_of(cuts).front(), HasSubstr("at most 50.00 % was measured"));
}

TEST(CutStudy, OfOneJobSpeaksOfOneJob) {
  SweepTable table = two_jobs();
  table.groups.pop_back();
  EXPECT_EQ(headline_of(study(table, 0.25)).front(),
            "A 25 % power cut costs this 1-GPU job 5.0 % of its throughput; cap each GPU at 750 W.");
  EXPECT_EQ(policies_table(study(table, 0.25)).rows.size(), 1U);
  const Table jobs = jobs_table(study(table, 0.25));
  ASSERT_EQ(jobs.rows.size(), 1U);
  EXPECT_EQ(jobs.columns[1].title, "Cap, kept");
  EXPECT_EQ(jobs.rows[0][1].text, "750 W, 95.0 %");
}

TEST(CutStudy, PutsEachJobsCapAndShareInTheTable) {
  const SweepTable table = two_jobs();
  const Table jobs = jobs_table(study(table, 0.25));
  ASSERT_EQ(jobs.rows.size(), 2U);
  // The optimum stands first and takes all from the flat one.
  EXPECT_EQ(jobs.columns[1].title, "Optimum (oracle)");
  EXPECT_EQ(jobs.rows[0][1].text, "500 W, 90.0 %");
  EXPECT_EQ(jobs.rows[1][1].text, "1000 W, 100.0 %");
  // Equal sharing: a quarter off both; on straight (draw, cap) lines that is a cap of 750 W.
  EXPECT_EQ(jobs.columns[2].title, "Equal sharing (equal)");
  EXPECT_EQ(jobs.rows[0][2].text, "750 W, 95.0 %");
  EXPECT_EQ(jobs.rows[1][2].text, "750 W, 75.0 %");
}

TEST(AgainstEqual, SaysWhereAPolicyHelpsAndWhereItHurts) {
  CutStudy cuts{.cuts = {0, 0.1, 0.2, 0.3}, .policies = {{allocate::Policy::equal, {1, 0.9, 0.8, 0.7}}}};
  const auto said = [&](std::vector<double> kept) {
    return against_equal(cuts, {allocate::Policy::pfi, std::move(kept)});
  };
  EXPECT_EQ(said({1, 0.9, 0.8, 0.7}), "is equal sharing here");
  EXPECT_EQ(said({1, 0.95, 0.8, 0.7}), "never does worse than equal sharing");
  EXPECT_EQ(said({1, 0.9, 0.8, 0.6}), "never beats equal sharing");
  EXPECT_EQ(said({1, 0.95, 0.7, 0.6}), "beats equal sharing up to a 10 % cut and does worse from 20 % on");
  EXPECT_THAT(said({1, 0.8, 0.9, 0.6}), HasSubstr("at some cuts"));
  // Below 0.005 points is no difference.
  EXPECT_EQ(said({1, 0.90004, 0.8, 0.69996}), "is equal sharing here");
}

TEST(CostOfCuts, ShowsPoliciesThatDoWorseThanTheProportionalLine) {
  const SweepTable table = two_jobs();
  CutStudy cuts = study(table, 0.25);
  cuts.policies[1].kept.back() = 0.11;
  EXPECT_NEAR(*cost_of_cuts(cuts).panels.front().y.low, 0.10, 1e-12);
}

TEST(CostOfCuts, EndsAtTheProportionalLineAndMarksTheCutAskedFor) {
  const SweepTable table = two_jobs();
  const Figure figure = cost_of_cuts(study(table, 0.25));
  const Panel& panel = figure.panels.front();
  EXPECT_EQ(panel.series.front().label, "proportional");
  EXPECT_NEAR(panel.series.front().samples.back().y, 1 - panel.series.front().samples.back().x, 1e-12);
  EXPECT_NEAR(panel.series.back().samples.front().y, 0.95, 1e-9);
  EXPECT_EQ(panel.series.back().label, "25 % less power, 5.0 % less work");
}

}  // namespace
}  // namespace wattflex::report
