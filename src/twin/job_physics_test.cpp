#include "twin/job_physics.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "twin/chip.h"

namespace wattflex::twin {
namespace {

constexpr std::array<double, 6> kCaps{200, 300, 400, 500, 600, 700};

Power watts(double value) {
  return Power::from_watts(value);
}

// Compute-bound inference: memory hides behind compute almost wholly.
JobPhysics vision_transformer() {
  return {.memory_floor = watts(50),
          .memory_swing = watts(170),
          .exposed = 0,
          .overlap = 6,
          .stalled = 0.4,
          .parts = {{.share = 1, .activity = 1, .memory = 0.42}}};
}

// Found by search against the published throughputs; other sets fit as well.
JobPhysics llama_8b() {
  return {.memory_floor = watts(62.2),
          .memory_swing = watts(62.1),
          .exposed = 0.179,
          .overlap = 2.13,
          .stalled = 0.307,
          .parts = {{.share = 1, .activity = 1.568, .memory = 1.161}}};
}

JobPhysics two_part_step() {
  return {.memory_floor = watts(90),
          .memory_swing = watts(40),
          .exposed = 0.1,
          .overlap = 3,
          .stalled = 0.4,
          .parts = {{.share = 0.6, .activity = 1.9, .memory = 0.3},
                    {.share = 0.4, .activity = 0.5, .memory = 1.0}}};
}

std::vector<JobPhysics> jobs() {
  return {vision_transformer(), llama_8b(), two_part_step()};
}

// arXiv:2604.11391, figures 6b and 9b (ViT-L/16 on an H100).
TEST(JobPhysics, FollowsThePublishedClocksAndRailsWithinThreePercent) {
  const std::array<double, 6> memory_w{72, 91, 101, 109, 118, 120};
  const std::array<double, 6> gpu_w{127, 207, 294, 384, 473, 527};
  const std::array<double, 6> clock_mhz{625, 1132, 1501, 1731, 1889, 1969};
  const JobPhysics job = vision_transformer();
  for (std::size_t i = 0; i < kCaps.size(); ++i) {
    const OperatingPoint point = operate(job, watts(kCaps[i]));
    EXPECT_NEAR(point.clock.megahertz() / clock_mhz[i], 1, 0.03) << kCaps[i];
    EXPECT_NEAR(point.power.watts() / (memory_w[i] + gpu_w[i]), 1, 0.03) << kCaps[i];
    const double memory = (job.memory_floor + job.memory_swing * point.memory_duty).watts();
    EXPECT_NEAR(memory / memory_w[i], 1, 0.03) << kCaps[i];
    EXPECT_NEAR((point.power.watts() - memory) / gpu_w[i], 1, 0.03) << kCaps[i];
  }
}

// arXiv:2603.16164, table 4 (Llama-3-8B pretraining on H100, tokens/s per GPU).
TEST(JobPhysics, FollowsThePublishedTokenRatesWithinOnePercent) {
  const std::array<double, 6> tokens_per_s{9699, 17982, 24853, 27705, 29250, 30271};
  const double uncapped = operate(llama_8b(), watts(700)).pace;
  for (std::size_t i = 0; i < kCaps.size(); ++i) {
    const double pace = operate(llama_8b(), watts(kCaps[i])).pace / uncapped;
    EXPECT_NEAR(pace / (tokens_per_s[i] / 30271), 1, 0.01) << kCaps[i];
  }
}

TEST(JobPhysics, NeverDrawsMoreThanABindingCapLetsThrough) {
  for (const JobPhysics& job : jobs()) {
    for (int cap = 100; cap <= 700; cap += 7) {
      const OperatingPoint point = operate(job, watts(cap));
      for (const PartPoint& part : point.parts) {
        if (part.clock == kMinClock) continue;
        EXPECT_LE(part.power.watts(), enforced_draw(watts(cap)).watts() + 1e-9);
        if (part.clock < kMaxClock) {
          EXPECT_NEAR(part.power.watts(), enforced_draw(watts(cap)).watts(), 1e-6);
        }
      }
    }
  }
}

TEST(JobPhysics, AHigherCapNeverLowersClockDrawOrPace) {
  for (const JobPhysics& job : jobs()) {
    OperatingPoint lower = operate(job, watts(100));
    for (int cap = 101; cap <= 700; ++cap) {
      const OperatingPoint higher = operate(job, watts(cap));
      EXPECT_GE(higher.clock.megahertz(), lower.clock.megahertz() - 1e-6) << cap;
      EXPECT_GE(higher.pace, lower.pace - 1e-9) << cap;
      EXPECT_GE(higher.power.watts(), lower.power.watts() - 1e-6) << cap;
      lower = higher;
    }
  }
}

TEST(JobPhysics, DrawRisesWithTheClockSoThatTheCapHasOneAnswer) {
  for (const JobPhysics& job : jobs()) {
    for (const StepPart& part : job.parts) {
      for (int mhz = 120; mhz < 1980; mhz += 20) {
        EXPECT_LT(part_at(job, part, Frequency::from_megahertz(mhz)).power,
                  part_at(job, part, Frequency::from_megahertz(mhz + 20)).power);
      }
    }
  }
}

TEST(JobPhysics, DutiesStayBetweenNoneAndAll) {
  for (const JobPhysics& job : jobs()) {
    for (const double cap : kCaps) {
      const OperatingPoint point = operate(job, watts(cap));
      EXPECT_GT(point.compute_duty, 0);
      EXPECT_LE(point.compute_duty, 1);
      EXPECT_GE(point.memory_duty, 0);
      EXPECT_LE(point.memory_duty, 1);
    }
  }
}

// tau(1980) = (1 + 0.75^2)^(1/2) + 0.25 = 1.5; at half the clock (4 + 0.5625)^(1/2) + 0.25.
TEST(JobPhysics, StepTimeIsThePNormOfComputeAndMemoryPlusTheExposedRest) {
  const JobPhysics job{.memory_floor = watts(100),
                       .memory_swing = watts(50),
                       .exposed = 0.25,
                       .overlap = 2,
                       .stalled = 0.5,
                       .parts = {{.share = 1, .activity = 1, .memory = 0.75}}};
  const PartPoint full = part_at(job, job.parts[0], kMaxClock);
  EXPECT_NEAR(full.time, 1, 1e-12);
  EXPECT_NEAR(full.compute_duty, 1 / 1.5, 1e-12);
  EXPECT_NEAR(full.memory_duty, 0.75 / 1.5, 1e-12);
  // phi(1980) = 1980 * 1.2736^2; 28.4 + 100 + 50 / 2 + 0.1578 phi (2/3 + 0.5 / 3).
  EXPECT_NEAR(full.power.watts(), 28.4 + 100 + 25 + 0.1578 * 1980 * 1.2736 * 1.2736 * (2.5 / 3), 1e-9);
  const PartPoint half = part_at(job, job.parts[0], kMaxClock / 2);
  EXPECT_NEAR(half.time, (2.1360009363293826 + 0.25) / 1.5, 1e-12);
}

TEST(JobPhysics, APartThatDrawsLittleIsNotSlowedByACapOnTheOther) {
  const JobPhysics job = two_part_step();
  const OperatingPoint point = operate(job, watts(500));
  ASSERT_EQ(point.parts.size(), 2U);
  EXPECT_LT(point.parts[0].clock, kMaxClock);
  EXPECT_EQ(point.parts[1].clock, kMaxClock);
  EXPECT_EQ(point.effect, CapEffect::binding);
  EXPECT_GT(point.bound_share, 0.6);  // the hot part takes longer than at full clock
  EXPECT_LT(point.bound_share, 1);
}

TEST(JobPhysics, SaysWhenEvenTheSlowestClockDrawsTooMuch) {
  const OperatingPoint point = operate(two_part_step(), watts(120));
  EXPECT_EQ(point.effect, CapEffect::exceeded);
  EXPECT_GT(point.power, enforced_draw(watts(120)));
}

TEST(JobPhysics, AnUnreachableCapChangesNothing) {
  const JobPhysics job = vision_transformer();
  EXPECT_EQ(operate(job, watts(700)).effect, CapEffect::slack);
  EXPECT_DOUBLE_EQ(operate(job, watts(700)).pace, 1);
  EXPECT_EQ(operate(job, watts(700)).power, operate(job, watts(2000)).power);
}

// Two published numbers cannot fix seven parameters, so results must not hang on one set of them.
TEST(JobPhysics, TenPercentMoreOrLessDrawAtFullClockMovesThroughputTheOtherWay) {
  for (const JobPhysics& job : jobs()) {
    const double base = operate(job, watts(400)).pace;
    EXPECT_LT(operate(scaled(job, 1.1), watts(400)).pace, base);
    EXPECT_GT(operate(scaled(job, 0.9), watts(400)).pace, base);
    const Power full = part_at(job, job.parts[0], kMaxClock).power;
    const Power more = part_at(scaled(job, 1.1), scaled(job, 1.1).parts[0], kMaxClock).power;
    EXPECT_GT(more, full);
  }
}

}  // namespace
}  // namespace wattflex::twin
