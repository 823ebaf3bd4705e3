#include "elasticity/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace wattflex::elasticity {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Advice advice_for(const std::vector<std::array<double, 3>>& rows, const AdviceOptions& options) {
  SweepGroup group;
  group.gpus = options.gpus;
  for (const auto& [cap, power, throughput] : rows) {
    group.points.push_back(
        {.cap = Power::from_watts(cap), .power = Power::from_watts(power), .throughput = throughput});
  }
  const auto fit = PowerCurveFit::fit(group.id, judge(group, DefaultNoise::run_to_run), {.resamples = 500});
  EXPECT_TRUE(fit.has_value());
  return advise(*fit, options);
}

// 8 GPUs; per watt drawn 100/5600, 95/4400 = the most, 60/3200. Straight lines between.
const std::vector<std::array<double, 3>> kThreeRows = {{700, 5600, 100}, {550, 4400, 95}, {400, 3200, 60}};

TEST(CapAdvice, FindsTheCapWithTheMostWorkPerJouleAndSavesAtEqualWork) {
  const Advice advice = advice_for(kThreeRows, {.gpus = 8, .price_per_kwh = 0.12});
  const CapAdvice& best = advice.most_efficient;
  EXPECT_EQ(best.cap.watts(), 550);
  EXPECT_NEAR(best.throughput_loss.value, 0.05, 1e-12);
  EXPECT_NEAR(best.power_cut.value, 1200.0 / 5600, 1e-12);
  // Energy per unit of work: 4400/95 against 5600/100.
  const double saved = 1 - (4400.0 / 95) / 56;
  EXPECT_NEAR(best.energy_saved.value, saved, 1e-12);
  EXPECT_NEAR(best.energy_saved_per_day.kilowatt_hours(), saved * 5.6 * 24, 1e-9);
  EXPECT_NEAR(best.money_saved_per_day, saved * 5.6 * 24 * 0.12, 1e-9);
  // An uncapped day's work takes 24 h / 0.95: 1.263 h more on 8 GPUs.
  EXPECT_NEAR(best.break_even_gpu_hour.value(), saved * 5.6 * 24 * 0.12 / (8 * (24 / 0.95 - 24)), 1e-9);
  EXPECT_FALSE(best.at_lowest_cap);
  EXPECT_TRUE(best.saves());
}

TEST(CapAdvice, TakesTheCheapestWholeWattWithinEachLoss) {
  const Advice advice = advice_for(kThreeRows, {.gpus = 8});
  ASSERT_EQ(advice.within.size(), 3U);
  // 5 points are lost over 150 W of cap: 2 % at 640 W. Then 35 points over 150 W: 10 % at 550 - 21.4 = 528.6
  // W.
  EXPECT_EQ(advice.within[0].cap.watts(), 640);
  EXPECT_EQ(advice.within[1].cap.watts(), 550);
  EXPECT_EQ(advice.within[2].cap.watts(), 529);
  for (const CapAdvice& within : advice.within)
    EXPECT_LE(within.throughput_loss.value, *within.loss_limit + 1e-9);
}

TEST(CapAdvice, LeadsWithTheBoundedLossInOneSentence) {
  // Within 5 %: 550 W, which here is the most work per joule too.
  const Advice advice = advice_for(kThreeRows, {.gpus = 8, .price_per_kwh = 0.12});
  EXPECT_EQ(advice.advised, 1U);
  EXPECT_THAT(
      advice.sentence,
      StartsWith("Cap each GPU at 550 W, the cheapest cap within 5 % loss: throughput falls 5.0 % ("));
  EXPECT_THAT(advice.sentence, HasSubstr("draw falls 21.4 %, and the same work takes 17.3 % ("));
  EXPECT_THAT(advice.sentence,
              HasSubstr("less energy, 23.2 kWh or 2.79 a day at 0.12 per kWh (pays while a GPU "
                        "hour is worth under 0.28); no cap gives more work per joule."));
}

TEST(CapAdvice, NamesTheMostWorkPerJouleSecond) {
  // Straight from 100 at 600 W by 97 at 480 W to 90 at 290 W: work per joule rises all the way, 290 / 90
  // against 600 / 100 saves 46.3 % for 10 %. 5 % are lost 2/7 of the way from 480 to 290: 425.7 W drawn, and
  // of the cap 442.86 W, so 443 W.
  const Advice advice = advice_for({{700, 600, 100}, {500, 480, 97}, {300, 290, 90}}, {});
  EXPECT_THAT(advice.sentence, StartsWith("Cap each GPU at 443 W, the cheapest cap within 5 % loss: "));
  EXPECT_EQ(advice.most_efficient.cap.watts(), 300);
  EXPECT_TRUE(advice.most_efficient.at_lowest_cap);
  EXPECT_THAT(
      advice.sentence,
      HasSubstr("; the most work per joule is at 300 W, 10.0 % slower for 46.3 % less energy, and as the "
                "lowest cap measured may not be the optimum."));
}

TEST(CapAdvice, TakesALargerBoundThenASmallerOneWhereTheMiddleSavesNothingForSure) {
  const auto rows = std::vector<std::array<double, 3>>{{700, 600, 100}, {650, 597, 99.95}, {500, 400, 92}};
  const Advice larger = advice_for(rows, {.loss_limits = {0.0002, 0.0005, 0.10}});
  EXPECT_EQ(larger.advised, 2U);
  EXPECT_THAT(larger.sentence, HasSubstr("the cheapest cap within 10 % loss"));
  const Advice none = advice_for(rows, {.loss_limits = {0.0002, 0.0005}});
  EXPECT_FALSE(none.advised);
  EXPECT_FALSE(none.measure_again);
  // 1 - (400 / 92) / 6 = 27.5 %.
  EXPECT_THAT(none.sentence,
              StartsWith("Leave each GPU at 700 W: no cap within 0.05 % loss saves energy for sure; "
                         "the most work per joule is at 500 W, 8.0 % slower for 27.5 % ("));
}

TEST(CapAdvice, AdvisesNoCapWhereCappingCostsEnergy) {
  // Throughput falls faster than draw.
  const Advice advice = advice_for({{700, 600, 100}, {500, 480, 70}, {300, 290, 30}}, {});
  EXPECT_TRUE(advice.most_efficient.at_uncapped);
  EXPECT_EQ(advice.sentence,
            "Leave each GPU at 700 W: no lower cap of this sweep saves energy per unit of work.");
  for (const CapAdvice& within : advice.within) EXPECT_FALSE(within.saves());
}

TEST(CapAdvice, AdvisesNoCapWhereTheSavingIsNoise) {
  const Advice advice = advice_for({{700, 600, 100}, {600, 594, 99.4}, {500, 470, 60}}, {});
  EXPECT_FALSE(advice.most_efficient.saves());
  EXPECT_THAT(advice.sentence, StartsWith("Leave each GPU at 700 W: "));
}

TEST(CapAdvice, DoubtsASavingUnderACapFarAboveTheDraw) {
  const Advice advice = advice_for({{300, 100, 10}, {250, 99, 10}, {200, 90, 10}}, {});
  EXPECT_TRUE(advice.most_efficient.doubtful);
  EXPECT_FALSE(advice.advised);
  EXPECT_TRUE(advice.measure_again);
  EXPECT_THAT(advice.sentence,
              StartsWith("Leave each GPU at 300 W until measured again: 200 W seems to save 10.0 %"));
}

TEST(CapAdvice, NeverLeavesTheMeasuredCapsNorAdvertisesALoss) {
  for (const double floor : {0.2, 0.5, 0.8, 0.99}) {
    const Advice advice =
        advice_for({{412.5, 400, 1}, {300.5, 295, (1 + floor) / 2}, {200.5, 198, floor}}, {});
    std::vector<CapAdvice> all = advice.within;
    all.push_back(advice.most_efficient);
    for (const CapAdvice& one : all) {
      EXPECT_LE(one.cap.watts(), 412.5);
      EXPECT_GE(one.cap.watts(), 201);
      EXPECT_TRUE(one.at_uncapped || one.cap.watts() == std::floor(one.cap.watts()));
    }
    EXPECT_GE(advice.most_efficient.energy_saved.value, 0);
  }
}

}  // namespace
}  // namespace wattflex::elasticity
