#include "ingest/fleet_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wattflex {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kFleetHeader = "job,group,gpus,tier,value\n";

TEST(FleetFile, GivesTheJobsInOrder) {
  const auto fleet = parse_fleet(
      kFleetHeader + "tune,ft_p3,32,Flex 2,1\nserve,infer,48,,2.5\nidle,infer,8,none,\n", "site/fleet.csv");
  ASSERT_TRUE(fleet) << fleet.error().message;
  EXPECT_EQ(fleet->name, "fleet");
  ASSERT_EQ(fleet->jobs.size(), 3);
  EXPECT_EQ(fleet->jobs[0].job, "tune");
  EXPECT_EQ(fleet->jobs[0].group, "ft_p3");
  EXPECT_EQ(fleet->jobs[0].gpus, 32);
  EXPECT_EQ(fleet->jobs[0].tier, FlexTier::flex2);
  EXPECT_EQ(fleet->jobs[0].row, 2);
  EXPECT_EQ(fleet->jobs[1].tier, FlexTier::none);
  EXPECT_EQ(fleet->jobs[1].value, 2.5);
  EXPECT_EQ(fleet->jobs[2].value, 1);
}

TEST(FleetFile, ReadsThePhoenixExample) {
  const auto fleet = read_fleet(WATTFLEX_SOURCE_DIR "/examples/phoenix/fleet.csv");
  ASSERT_TRUE(fleet) << fleet.error().message;
  int gpus = 0;
  for (const FleetJob& job : fleet->jobs) gpus += job.gpus;
  EXPECT_EQ(gpus, 256);
}

TEST(FleetFile, RefusesWithRowAndColumn) {
  const std::pair<std::string, std::string> bad[] = {
      {"", "the file is empty"},
      {kFleetHeader, "a header and no jobs"},
      {"job,group,tier\n", "row 1, column gpus: this column is missing"},
      {"job,group,gpus,teir\n", "row 1, column teir: this column is not part of a fleet"},
      {"job,group,gpus,gpus\n", "row 1, column gpus: this column is there twice"},
      {kFleetHeader + "a,g,8,Flex 4,1\n", "row 2, column tier: 'Flex 4' is no tier"},
      {kFleetHeader + "a,g,0,,1\n", "row 2, column gpus: '0' must be above zero"},
      {kFleetHeader + "a,g,1.5,,1\n", "row 2, column gpus: '1.5' is not a number of GPUs"},
      {kFleetHeader + "a,g,8,,-1\n", "row 2, column value: '-1' must be above zero"},
      {kFleetHeader + "a,g,8,,1.0001e9\n", "row 2, column value: '1.0001e9' is outside 1e-09 to 1e+09"},
      {kFleetHeader + "a,g,8,,9.999e-10\n", "row 2, column value: '9.999e-10' is outside 1e-09 to 1e+09"},
      {kFleetHeader + "a,g,8,,nan\n", "row 2, column value: 'nan' is not a finite number"},
      {kFleetHeader + "a,g,8,,1\na,g,8,,1\n", "row 3, column job: 'a' is there twice"},
      {kFleetHeader + ",g,8,,1\n", "row 2, column job: is empty"},
      {kFleetHeader + "a,,8,,1\n", "row 2, column group: is empty"},
      {kFleetHeader + "a,g,8\n", "row 2: 3 cells for 5 columns"},
      {kFleetHeader + "a,g,8,,1\nb,g,4", "row 3: 3 cells for 5 columns"},  // a cut fleet lacks a job
      {kFleetHeader + std::string("a,g\0,8,,1\n", 10), "row 2: holds a NUL byte"},
  };
  for (const auto& [text, message] : bad) {
    const auto fleet = parse_fleet(text, "f.csv");
    ASSERT_FALSE(fleet) << text;
    EXPECT_THAT(fleet.error().message, HasSubstr(message));
    EXPECT_FALSE(fleet.error().remedy.empty());
  }
}

TEST(FleetFile, BoundsGpusAndValueOnBothSides) {
  for (const char* row : {"a,g,1,,1e-9\n", "a,g,10000000,,1e9\n"}) {
    EXPECT_TRUE(parse_fleet(kFleetHeader + row, "f.csv")) << row;
  }
  for (const auto& [row, message] :
       {std::pair("a,g,10000001,,1\n", "row 2, column gpus: '10000001' is outside 1 to 1e+07"),
        std::pair("a,g,1e400,,1\n", "row 2, column gpus: '1e400' is out of range"),
        std::pair("a,g,8,,0.9e-9\n", "row 2, column value: '0.9e-9' is outside 1e-09 to 1e+09"),
        std::pair("a,g,8,,1000000001\n", "row 2, column value: '1000000001' is outside 1e-09 to 1e+09"),
        std::pair("a,g,8,,1e400\n", "row 2, column value: '1e400' is out of range")}) {
    const auto fleet = parse_fleet(kFleetHeader + row, "f.csv");
    ASSERT_FALSE(fleet) << row;
    EXPECT_EQ(fleet.error().message, "f.csv, " + std::string(message));
    EXPECT_EQ(fleet.error().remedy, "gpus run from 1 to 10000000, value from 1e-9 to 1e9");
  }
}

TEST(FleetFile, TakesTheDocumentedTiersOnly) {
  for (const char* tier : {"Flex 0", "Flex 3", "none", ""}) {
    EXPECT_TRUE(parse_fleet(kFleetHeader + "a,g,8," + tier + ",1\n", "f.csv")) << tier;
  }
  for (const char* tier : {"Flex -1", "Flex 4", "-1", "4", "1e400"}) {
    const auto fleet = parse_fleet(kFleetHeader + "a,g,8," + tier + ",1\n", "f.csv");
    ASSERT_FALSE(fleet) << tier;
    EXPECT_EQ(fleet.error().message, "f.csv, row 2, column tier: '" + std::string(tier) + "' is no tier");
  }
}

TEST(FleetFile, RemediesAreAboutFleetsAndNotSweepTables) {
  for (const std::string& text :
       {std::string(), kFleetHeader, std::string("job,gpus\n"), kFleetHeader + "a,g,nan,,1\n",
        kFleetHeader + "a,g,x,,1\n", kFleetHeader + "a,g,,,1\n", kFleetHeader + "a,g,8\n",
        kFleetHeader + "a,g,8,,1\na,g,8,,1\n", std::string("a\rb\r"), std::string(300'000, '\0'),
        std::string(70'000, 'a')}) {
    const auto fleet = parse_fleet(text, "f.csv");
    ASSERT_FALSE(fleet);
    EXPECT_THAT(fleet.error().message, testing::StartsWith("f.csv"));
    for (const char* alien : {"--template", "cap", "telemetry", "measure"}) {
      EXPECT_THAT(fleet.error().remedy, testing::Not(HasSubstr(alien))) << fleet.error().message;
    }
  }
}

TEST(FleetFile, WarnsOfWhatItDropped) {
  const auto fleet = parse_fleet("\xEF\xBB\xBFjob;group;gpus;value\r\na;g;8;1,5", "f.csv");
  ASSERT_TRUE(fleet) << fleet.error().message;
  EXPECT_EQ(fleet->jobs[0].value, 1.5);
  EXPECT_THAT(fleet->warnings, ElementsAre(HasSubstr("row 2: the file ends without a newline"),
                                           HasSubstr("byte order mark"), HasSubstr("CR LF")));
}

}  // namespace
}  // namespace wattflex
