#include "twin/draw_segment.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wattflex::twin {
namespace {

constexpr StepDraw kStep{
    .hot_w = 650, .cool_w = 400, .wait_w = 150, .hot_until = 0.5, .cool_until = 0.8, .step_s = 2};

DrawSegment segment_at(double start, double phase) {
  DrawSegment segment;
  segment.start_s = start;
  segment.phase = phase;
  segment.step = kStep;
  return segment;
}

double summed(const DrawSegment& segment, double until) {
  constexpr double kStepSeconds = 1e-4;
  double sum = 0;
  const auto steps = std::lround((until - segment.start_s) / kStepSeconds);
  for (long i = 0; i < steps; ++i)
    sum += kStepSeconds *
           draw_at(segment, Seconds(segment.start_s + (static_cast<double>(i) + 0.5) * kStepSeconds)).watts();
  return sum;
}

TEST(DrawSegment, ShowsHotCoolAndWaitingPartInTurn) {
  const DrawSegment segment = segment_at(10, 0);
  EXPECT_EQ(draw_at(segment, Seconds(10.5)), Power::from_watts(650));
  EXPECT_EQ(draw_at(segment, Seconds(11.2)), Power::from_watts(400));
  EXPECT_EQ(draw_at(segment, Seconds(11.9)), Power::from_watts(150));
  EXPECT_EQ(draw_at(segment, Seconds(12.1)), Power::from_watts(650));
  EXPECT_EQ(draw_at(segment_at(10, 0.6), Seconds(10)), Power::from_watts(400));
}

// 650 for half of it, 400 for 0.3, 150 for 0.2.
TEST(DrawSegment, HasTheMeanOfItsParts) {
  EXPECT_NEAR(mean_draw(kStep).watts(), 475, 1e-9);
  EXPECT_NEAR(energy_until(segment_at(0, 0), Seconds(200)).joules(), 475 * 200, 1e-6);
}

TEST(DrawSegment, HasTheIntegralOfItsDrawAsEnergy) {
  for (const double phase : {0.0, 0.3, 0.95}) {
    for (const Transition each : {Transition::none, Transition::lower, Transition::raise}) {
      DrawSegment segment = segment_at(5, phase);
      if (each != Transition::none) begin_transition(segment, each, Power::from_watts(500));
      for (const double until : {5.01, 5.4, 7.7, 30.0})
        EXPECT_NEAR(energy_until(segment, Seconds(until)).joules(), summed(segment, until), 0.4) << until;
    }
  }
}

TEST(DrawSegment, BeginsATransitionAtTheDrawBefore) {
  DrawSegment segment = segment_at(5, 0);
  begin_transition(segment, Transition::lower, Power::from_watts(700));
  EXPECT_NEAR(draw_at(segment, Seconds(5)).watts(), 700, 1e-9);
  EXPECT_NEAR(draw_at(segment, Seconds(7.1)).watts(), 650, 1e-9);
}

TEST(DrawSegment, GoesOnWithItsSumsWhereItIsCut) {
  const DrawSegment whole = segment_at(0, 0.2);
  const DrawSegment rest = continued(whole, Seconds(3.3), kStep, {});
  EXPECT_NEAR(rest.energy_j, energy_until(whole, Seconds(3.3)).joules(), 1e-9);
  EXPECT_NEAR(rest.temperature_c, temperature_at(whole, Seconds(3.3)), 1e-9);
}

// T' = (27 + 0.065 P - T) / 40: 57.875 C at 475 W in the end, 63 % of the way there after 40 s.
TEST(DrawSegment, WarmsWithFortySecondsLag) {
  DrawSegment segment = segment_at(0, 0);
  segment.temperature_c = 27;
  EXPECT_NEAR(temperature_at(segment, Seconds(40)), 27 + 30.875 * 0.632121, 0.05);
  EXPECT_NEAR(temperature_at(segment, Seconds(1000)), 57.875, 0.01);
}

}  // namespace
}  // namespace wattflex::twin
