#include "report/signal_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace wattflex::report {
namespace {

using testing::HasSubstr;

// Jobs whose index rises with one reading, and not with the other.
SweepTable table_with_telemetry(int groups) {
  SweepTable table{.name = "t", .telemetry_columns = {"dram_active", "mem_copy_util", "sm_active"}};
  for (int g = 0; g < groups; ++g) {
    SweepGroup group{.id = {"t", "g" + std::to_string(g), "chip"}, .gpus = 8};
    const double exponent = 0.9 - 0.6 * g / groups;
    for (const double cap : {700.0, 600.0, 500.0, 400.0}) {
      group.points.push_back({.cap = Power::from_watts(cap),
                              .power = Power::from_watts(8 * cap),
                              .throughput = 1000 * std::pow(cap / 700, exponent),
                              .telemetry = {0.2 + 0.05 * g, 0.3 + 0.04 * g, g % 2 == 0 ? 0.8 : 0.9}});
    }
    table.groups.push_back(std::move(group));
  }
  return table;
}

constexpr elasticity::FlexibilityOptions kNoResamples{.resamples = 0};

TEST(SignalStudy, FindsTheReadingThatRisesWithTheIndex) {
  const std::vector tables = {table_with_telemetry(10)};
  const auto studies = study_signals(tables[0], gather(tables, kNoResamples), std::nullopt);
  ASSERT_EQ(studies.size(), 1U);
  const SignalStudy& study = studies.front();
  ASSERT_FALSE(study.signals.empty());
  EXPECT_NEAR(study.signals.front().association.correlation->rho, 1, 1e-12);
  const Figure figure = correlations(study);
  EXPECT_THAT(figure.panels[0].y.ticks.front().text, HasSubstr("**"));
  ASSERT_TRUE(study.predictor.has_value());
  EXPECT_TRUE(study.fitted_here);
  EXPECT_EQ(study.predicted.size(), 10U);
  EXPECT_THAT(predictor_fit(study).title, HasSubstr("dram_copy_product"));
}

TEST(SignalStudy, HasNothingToSayWithoutTelemetry) {
  std::vector tables = {table_with_telemetry(5)};
  tables[0].telemetry_columns.clear();
  for (SweepGroup& group : tables[0].groups) {
    for (SweepPoint& point : group.points) point.telemetry.clear();
  }
  EXPECT_TRUE(study_signals(tables[0], gather(tables, kNoResamples), std::nullopt).empty());
}

TEST(SignalStudy, KeepsAcceleratorsApart) {
  std::vector tables = {table_with_telemetry(12)};
  for (std::size_t g = 0; g < 12; g += 2) tables[0].groups[g].id.accelerator = "other";
  EXPECT_EQ(study_signals(tables[0], gather(tables, kNoResamples), std::nullopt).size(), 2U);
}

}  // namespace
}  // namespace wattflex::report
