#include "report/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/curve_figures.h"
#include "report/index_figures.h"
#include "report/report_tables.h"

namespace wattflex::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A group whose throughput falls as the draw to a power: loss about `exponent` times the cut.
SweepGroup power_law(const GroupId& id, double exponent) {
  SweepGroup group{.id = id, .gpus = 8};
  for (const double cap : {700.0, 600.0, 500.0, 400.0}) {
    group.points.push_back({.cap = Power::from_watts(cap),
                            .power = Power::from_watts(8 * cap),
                            .throughput = 1000 * std::pow(cap / 700, exponent)});
  }
  return group;
}

SweepTable table_of(const std::string& name, const std::vector<std::pair<std::string, double>>& groups) {
  SweepTable table{.name = name};
  for (const auto& [group, exponent] : groups)
    table.groups.push_back(power_law({name, group, "chip"}, exponent));
  return table;
}

std::vector<std::string> names_of(const Evidence& evidence) {
  std::vector<std::string> names;
  for (const GroupEvidence& each : evidence.groups) names.push_back(each.name);
  return names;
}

constexpr elasticity::FlexibilityOptions kQuick{.resamples = 0};

TEST(Evidence, PutsTheMostFlexibleFirst) {
  const std::vector tables = {table_of("t", {{"even", 1}, {"flexible", 0.3}, {"middling", 0.6}})};
  EXPECT_THAT(names_of(gather(tables, kQuick)), ElementsAre("flexible", "middling", "even"));
}

// The index alone would put the noisy one first.
TEST(Evidence, RanksByTheLowerEndOfTheInterval) {
  SweepTable table = table_of("t", {{"sure", 0.5}, {"noisy", 0.45}});
  for (SweepPoint& point : table.groups[0].points) {
    point.power_stderr = point.power * 0.001;
    point.throughput_stderr = point.throughput * 0.001;
  }
  for (SweepPoint& point : table.groups[1].points) {
    point.power_stderr = point.power * 0.01;
    point.throughput_stderr = point.throughput * 0.015;
  }
  const std::vector tables = {table};
  const Evidence evidence = gather(tables, {.resamples = 1000});
  ASSERT_THAT(names_of(evidence), ElementsAre("sure", "noisy"));
  EXPECT_LT(evidence.groups[0].flexibility.guarded.value, evidence.groups[1].flexibility.guarded.value);
  EXPECT_GT(evidence.groups[0].ranked_by(), evidence.groups[1].ranked_by());
}

TEST(Evidence, TellsLikeNamesApartByAcceleratorAndTable) {
  const std::vector tables = {table_of("a", {{"same", 0.3}, {"own", 0.5}}), table_of("b", {{"same", 0.9}})};
  EXPECT_THAT(names_of(gather(tables, kQuick)), ElementsAre("same (chip, a)", "own", "same (chip, b)"));
}

TEST(Evidence, CountsPointsAndNamesItsOrigin) {
  const std::vector tables = {table_of("sweep", {{"x", 0.5}, {"y", 0.5}})};
  EXPECT_EQ(gather(tables, kQuick).pedigree(),
            "measured: 2 groups of sweep; 6 of 6 capped points are resolved");
}

TEST(Evidence, SaysWhenRealAndSimulatedGroupsStandTogether) {
  std::vector tables = {table_of("sweep", {{"x", 0.5}, {"y", 0.5}})};
  tables[0].groups[1].pedigree = Pedigree::simulated;
  EXPECT_THAT(gather(tables, kQuick).pedigree(), HasSubstr("measured and simulated"));
}

Evidence many(std::vector<SweepTable>& tables, int groups) {
  std::vector<std::pair<std::string, double>> list;
  for (int g = 0; g < groups; ++g) list.emplace_back("g" + std::to_string(g), 0.2 + 0.7 * g / groups);
  tables = {table_of("t", list)};
  return gather(tables, kQuick);
}

TEST(CurveFigures, ColourFewGroupsAndPickOutDecilesOfMany) {
  std::vector<SweepTable> tables;
  const Figure few = normalised_curves(many(tables, 6));
  EXPECT_EQ(few.legend.size(), 6U);
  const Evidence two_hundred = many(tables, 200);
  const Figure crowd = normalised_curves(two_hundred);
  EXPECT_EQ(crowd.legend.size(), 3U);
  EXPECT_EQ(crowd.panels[0].series.size(), 1 + 200 + 3U);
  EXPECT_EQ(raw_curves(two_hundred).panels.size(), kMostPanels);
  EXPECT_EQ(raw_curves(two_hundred).panels.front().title, two_hundred.groups.front().name);
  EXPECT_EQ(raw_curves(two_hundred).panels.back().title, two_hundred.groups.back().name);
}

TEST(CurveFigures, MarkRefusedPoints) {
  std::vector tables = {table_of("t", {{"x", 0.5}})};
  tables[0].groups[0].points[2].limited_by = Limiter::thermal;
  const Panel panel = raw_curves(gather(tables, kQuick)).panels.front();
  ASSERT_EQ(panel.series.back().samples.size(), 1U);
  EXPECT_THAT(panel.series.back().samples[0].note, HasSubstr("500 W"));
  EXPECT_EQ(panel.series[1].samples.size(), 3U);
}

TEST(IndexFigures, NameRowsOfFewGroupsAndRankMany) {
  std::vector<SweepTable> tables;
  const Figure rows = index_by_group(many(tables, 40));
  EXPECT_EQ(rows.panels[0].y.ticks.size(), 40U);
  const Figure ranks = index_by_group(many(tables, 41));
  EXPECT_TRUE(ranks.panels[0].y.ticks.empty());
  EXPECT_EQ(ranks.panels[0].series.back().samples.size(), 41U);
  EXPECT_EQ(definitions(many(tables, 41)).panels.size(), 2U);
  EXPECT_EQ(definitions(many(tables, 40)).panels.size(), 3U);
}

TEST(IndexFigures, SayHowManyIntervalsAreWidened) {
  std::vector<SweepTable> tables;
  Evidence evidence = many(tables, 4);
  EXPECT_THAT(index_by_group(evidence).pedigree, Not(HasSubstr("widened")));
  evidence.groups[1].flexibility.widening = 2.04;
  EXPECT_THAT(
      index_by_group(evidence).pedigree,
      HasSubstr("errors: run-to-run default, intervals of 1 of 4 groups widened 2.0 times by scatter"));
  evidence.groups[3].flexibility.widening = 3.36;
  EXPECT_THAT(index_by_group(evidence).pedigree,
              HasSubstr("intervals of 2 of 4 groups widened 2.0 to 3.4 times by scatter"));
}

TEST(Figures, SayHowManyGroupsAreNotDrawn) {
  std::vector<SweepTable> tables;
  Evidence evidence = many(tables, 50);
  EXPECT_THAT(index_by_group(evidence).subtitle, Not(HasSubstr("Not drawn")));
  EXPECT_THAT(raw_curves(evidence).title,
              HasSubstr("24 of 50, taken evenly over the ranking; 26 are not drawn"));
  evidence.groups[48].flexibility.guarded = {.reason = "too few"};
  evidence.groups[49].flexibility.guarded = {.reason = "too few"};
  evidence.groups[49].flexibility.published = {.reason = "none"};
  EXPECT_THAT(index_by_group(evidence).subtitle,
              HasSubstr("Not drawn, as they have no such index: 2 of 50 groups."));
  EXPECT_THAT(definitions(evidence).subtitle,
              HasSubstr("Not drawn, as they have no such index: 1 of 50 groups."));
}

TEST(IndexFigures, CompareTheOrdersOfDefinitionsOnlyWhereThereIsAnOrder) {
  std::vector<SweepTable> tables;
  EXPECT_THAT(definitions(many(tables, 2)).subtitle, Not(HasSubstr("Spearman")));
  EXPECT_THAT(definitions(many(tables, 3)).subtitle, HasSubstr("Spearman's rho 1.00"));
}

TEST(ReportTables, HaveOneRowAGroupAndOneAPoint) {
  std::vector<SweepTable> tables;
  const Evidence evidence = many(tables, 7);
  const Table groups = groups_table(evidence);
  EXPECT_EQ(groups.rows.size(), 7U);
  for (const auto& row : groups.rows) EXPECT_EQ(row.size(), groups.columns.size());
  const auto column = std::ranges::find(groups.columns, "Class", &Column::title);
  ASSERT_NE(column, groups.columns.end());
  EXPECT_EQ(groups.rows.front()[static_cast<std::size_t>(column - groups.columns.begin())].text,
            to_string(evidence.groups.front().classification.elasticity));
  for (const auto& row : verdicts_table(evidence).rows)
    EXPECT_EQ(row.size(), verdicts_table(evidence).columns.size());
  EXPECT_EQ(verdicts_table(evidence).rows.size(), 28U);
  EXPECT_TRUE(verdicts_table(evidence).folded);
}

}  // namespace
}  // namespace wattflex::report
