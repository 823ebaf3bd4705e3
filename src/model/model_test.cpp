#include <gtest/gtest.h>

#include "model/fleet.h"
#include "model/sweep.h"

namespace wattflex {
namespace {

TEST(SweepVocabulary, ReadsBackWhatItPrints) {
  for (const Task task :
       {Task::unknown, Task::pretraining, Task::fine_tuning, Task::training, Task::inference}) {
    EXPECT_EQ(parse_task(to_string(task)), task);
  }
  for (const Limiter limiter :
       {Limiter::unstated, Limiter::none, Limiter::power_cap, Limiter::thermal, Limiter::other}) {
    EXPECT_EQ(parse_limiter(to_string(limiter)), limiter);
  }
  EXPECT_EQ(parse_limiter("HW_Thermal"), Limiter::thermal);
  EXPECT_EQ(parse_task("fly-fishing"), std::nullopt);
  EXPECT_EQ(parse_power_kind(""), PowerKind::mean);
}

TEST(FlexTier, KeepsThePromisesOfThePhoenixFleet) {
  EXPECT_DOUBLE_EQ(promised_throughput(*parse_flex_tier("Flex 1")), 0.90);
  EXPECT_DOUBLE_EQ(promised_throughput(*parse_flex_tier("flex2")), 0.75);
  EXPECT_DOUBLE_EQ(promised_throughput(*parse_flex_tier("3")), 0.50);
  EXPECT_EQ(parse_flex_tier(""), FlexTier::none);
  EXPECT_EQ(*parse_flex_tier("Flex-0"), FlexTier::flex0);
  for (const char* text : {"FLEX 2", "fLeX_2", "FLEX-2", "FLEX2", "flex 2"}) {
    EXPECT_EQ(parse_flex_tier(text), FlexTier::flex2) << text;
  }
  for (const char* text : {"NONE", "None"}) EXPECT_EQ(parse_flex_tier(text), FlexTier::none) << text;
  for (const char* bad : {"none2", "non", "Flexi 2", "Flex 4", "-1", "_2", "---3", " 1", "Flex  1", "Flex"}) {
    EXPECT_EQ(parse_flex_tier(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace wattflex
