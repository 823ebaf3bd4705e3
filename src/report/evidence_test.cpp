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

SweepTable table_of(const std::string& name, std::vector<std::pair<std::string, double>> groups) {
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

TEST(ReportTables, HaveOneRowAGroupAndOneAPoint) {
  std::vector<SweepTable> tables;
  const Evidence evidence = many(tables, 7);
  EXPECT_EQ(groups_table(evidence).rows.size(), 7U);
  EXPECT_EQ(verdicts_table(evidence).rows.size(), 28U);
  EXPECT_TRUE(verdicts_table(evidence).folded);
}

}  // namespace
}  // namespace wattflex::report
