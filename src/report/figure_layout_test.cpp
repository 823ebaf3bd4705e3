#include "report/figure_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/palette.h"

namespace wattflex::report {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks) out.push_back(tick.text);
  return out;
}

TEST(RoundTicks, StepByOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_THAT(texts(round_ticks({0, 1}, AxisKind::number, 6)),
              ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(texts(round_ticks({0, 0.4}, AxisKind::share, 5)),
              ElementsAre("0 %", "10 %", "20 %", "30 %", "40 %"));
  EXPECT_THAT(texts(round_ticks({-3, 12000}, AxisKind::number, 4)), ElementsAre("0", "5000", "10,000"));
  EXPECT_THAT(texts(round_ticks({-0.15, 0.12}, AxisKind::number, 4)), ElementsAre("-0.1", "0.0", "0.1"));
}

TEST(RoundTicks, ShowNoMoreDigitsThanTheStepNeeds) {
  EXPECT_THAT(texts(round_ticks({0.955, 0.975}, AxisKind::share, 4)),
              ElementsAre("95.5 %", "96.0 %", "96.5 %", "97.0 %", "97.5 %"));
}

TEST(LaidOut, GivesEveryFiniteSampleRoomAndLeavesOutTheRest) {
  const Panel panel{.series = {{.name = "s",
                                .samples = {{.x = 1, .y = 2, .y_range = Range{0.5, 3}},
                                            {.x = std::nan(""), .y = 5},
                                            {.x = 4, .y = std::numeric_limits<double>::infinity()},
                                            {.x = 3, .y = 1}}}}};
  const Panel out = laid_out(panel);
  ASSERT_EQ(out.series.front().samples.size(), 2U);
  EXPECT_LE(*out.x.low, 1);
  EXPECT_GE(*out.x.high, 3);
  EXPECT_LE(*out.y.low, 0.5);
  EXPECT_GE(*out.y.high, 3);
}

TEST(LaidOut, CopesWithNothingAndWithOneValue) {
  const Panel nothing = laid_out({});
  EXPECT_LT(*nothing.x.low, *nothing.x.high);
  const Panel one = laid_out({.series = {{.name = "s", .samples = {{.x = 5, .y = 0}}}}});
  EXPECT_LT(*one.x.low, 5);
  EXPECT_GT(*one.x.high, 5);
  EXPECT_LT(*one.y.low, *one.y.high);
}

Series ending_at(double y) {
  return {.name = "s", .samples = {{.x = 0, .y = 0}, {.x = 1, .y = y}}, .label = "label"};
}

TEST(PlacedLabels, StayWhereTheyAreWhenThereIsRoom) {
  const auto labels =
      placed_labels(laid_out({.y = {.low = 0, .high = 1}, .series = {ending_at(0.2), ending_at(0.8)}}), 0.05);
  EXPECT_DOUBLE_EQ(labels[0].text_y, 0.2);
  EXPECT_DOUBLE_EQ(labels[1].text_y, 0.8);
}

TEST(PlacedLabels, MoveApartAroundTheirMiddle) {
  const auto labels = placed_labels(
      laid_out({.y = {.low = 0, .high = 1}, .series = {ending_at(0.5), ending_at(0.5), ending_at(0.5)}}),
      0.1);
  EXPECT_NEAR(labels[0].text_y, 0.4, 1e-12);
  EXPECT_NEAR(labels[1].text_y, 0.5, 1e-12);
  EXPECT_NEAR(labels[2].text_y, 0.6, 1e-12);
}

TEST(PlacedLabels, NeverOverlapNorLeaveThePanel) {
  Panel panel{.y = {.low = 0, .high = 1}};
  for (const double y : {0.99, 0.98, 1.0, 0.0, 0.01, 0.02, 0.3}) panel.series.push_back(ending_at(y));
  const auto labels = placed_labels(laid_out(panel), 0.1);
  double least = 0;
  for (const PlacedLabel& label : labels) {
    EXPECT_GE(label.text_y, least - 1e-12);
    EXPECT_LE(label.text_y, 1 + 1e-12);
    least = label.text_y + 0.1;
  }
}

// WCAG 2.1: relative luminance and contrast ratio.
double luminance(std::string_view hex) {
  const auto linear = [&](std::size_t at) {
    const double c = std::stoi(std::string(hex.substr(at, 2)), nullptr, 16) / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}

double contrast(std::string_view a, std::string_view b) {
  const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

TEST(Palette, EveryInkButTheFaintOneStandsOutOnBothGrounds) {
  for (const Shade& each : kShades) {
    if (each.name == "faint") continue;
    EXPECT_GE(contrast(each.light, kLightGround), 3) << each.name;
    EXPECT_GE(contrast(each.dark, kDarkGround), 3) << each.name;
  }
}

TEST(Palette, TextIsReadableOnBothGrounds) {
  for (const Ink ink : {Ink::text, Ink::muted}) {
    EXPECT_GE(contrast(shade(ink).light, kLightGround), 4.5) << shade(ink).name;
    EXPECT_GE(contrast(shade(ink).dark, kDarkGround), 4.5) << shade(ink).name;
  }
}

}  // namespace
}  // namespace wattflex::report
