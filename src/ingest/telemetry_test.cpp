// Telemetry columns and the other optional ones: what counts as missing, what is not trusted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ingest/sweep_table.h"
#include "ingest/sweep_table_reader.h"
#include "ingest/telemetry_names.h"

namespace wattflex {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

const std::string kTelemetryHeader = "group,gpus,cap_w,power_w,throughput,dram_active,sm_clock_mhz\n";

TEST(Telemetry, IsReadByOurNames) {
  const auto table =
      parse_sweep_table(kTelemetryHeader + "a,8,700,5200,100,0.42,1980\na,8,500,3900,90,,1410\n", "t.csv");
  ASSERT_TRUE(table);
  EXPECT_THAT(table->telemetry_columns, ElementsAre("dram_active", "sm_clock_mhz"));
  EXPECT_THAT(table->groups[0].points[0].telemetry, ElementsAre(Optional(0.42), Optional(1980)));
  EXPECT_THAT(table->groups[0].points[1].telemetry, ElementsAre(std::nullopt, Optional(1410)));
  EXPECT_THAT(table->warnings, IsEmpty());
}

TEST(Telemetry, NanInfinityAndMissingReadingsCountAsMissing) {  // LOG-14
  for (const char* odd : {"nan", "NaN", "inf", "-Infinity", "N/A", "[Not Supported]"}) {
    const auto table = parse_sweep_table(
        kTelemetryHeader + "a,8,700,5200,100," + odd + ",1980\na,8,500,3900,90,0.4,1410\n", "t");
    ASSERT_TRUE(table) << odd;
    EXPECT_THAT(table->groups[0].points[0].telemetry, ElementsAre(std::nullopt, Optional(1980)));
    EXPECT_THAT(table->warnings, ElementsAre(HasSubstr("row 2, column dram_active: '" + std::string(odd))));
  }
  EXPECT_FALSE(
      parse_sweep_table(kTelemetryHeader + "a,8,700,5200,100,abc,1980\na,8,500,3900,90,0.4,1410\n", "t"));
}

TEST(Telemetry, AnImpossibleReadingIsMissingAndNeverClipped) {  // TEL-05
  // 1 of 200 readings is impossible: that one is dropped, the column stays.
  std::string text = kTelemetryHeader;
  for (int i = 0; i < 100; ++i) {
    const std::string group = "g" + std::to_string(i);
    text += group + ",8,700,5200,100," + (i == 0 ? "1.31" : "0.93") + ",1980\n";
    text += group + ",8,500,3900,90,1,0\n";
  }
  const auto table = parse_sweep_table(text, "t.csv");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->groups[0].points[0].telemetry[0], std::nullopt);
  EXPECT_THAT(table->groups[0].points[1].telemetry[0], Optional(1));
  EXPECT_THAT(table->groups[1].points[0].telemetry[0], Optional(0.93));
  EXPECT_THAT(table->warnings, ElementsAre(HasSubstr("1.31 is outside 0 to 1 ratio")));
}

TEST(Telemetry, AColumnWithMoreThanOnePerCentImpossibleReadingsIsNotTrusted) {
  for (const int impossible : {2, 3}) {  // of 200: one per cent, and above
    std::string text = kTelemetryHeader;
    for (int i = 0; i < 100; ++i) {
      const std::string group = "g" + std::to_string(i);
      text += group + ",8,700,5200,100," + (i < impossible ? "4294967295" : "0.5") + ",1980\n";
      text += group + ",8,500,3900,90,0.5,1410\n";
    }
    const auto table = parse_sweep_table(text, "t.csv");
    auto reader = SweepTableReader::of_text(text, "t.csv");
    ASSERT_TRUE(table && reader);
    const auto streamed = reader->next();
    ASSERT_TRUE(streamed && *streamed);
    for (const SweepGroup& group : {table->groups[0], **streamed}) {
      EXPECT_EQ(group.points[1].telemetry[0].has_value(), impossible == 2);
      EXPECT_THAT(group.points[1].telemetry[1], Optional(1410));
    }
    EXPECT_EQ(table->warnings.size(), impossible == 2 ? 1 : 2);
  }
}

TEST(Telemetry, CountersThatStoppedAtZeroAreTold) {  // DCG-02
  const std::string header = "group,gpus,cap_w,power_w,throughput,dram_active,tensor_active,gpu_util\n";
  const auto table = parse_sweep_table(header + "a,8,700,5200,100,0,0,1\na,8,500,3900,90,0,0.3,1\n", "t.csv");
  ASSERT_TRUE(table);
  EXPECT_THAT(table->warnings, ElementsAre(HasSubstr("row 2: every profiling counter reads 0")));
}

TEST(OptionalColumns, CarryWhatTheVerdictsNeed) {  // SWP-01, SWP-03
  const auto table = parse_sweep_table(
      "group,gpus,cap_w,power_w,throughput,requested_w,enforced_w,limited_by,power_stderr,throughput_stderr\n"
      "a,1,140,139,50,140,140,hw_thermal,0.5,0.1\na,1,120,139,50,120,140,sw_power_cap,,\na,1,100,99,38,100,"
      "100,,nan,\n",
      "t.csv");
  ASSERT_TRUE(table) << table.error().message;
  const auto& points = table->groups[0].points;
  EXPECT_EQ(points[0].limited_by, Limiter::thermal);
  EXPECT_EQ(points[1].limited_by, Limiter::power_cap);
  EXPECT_EQ(points[2].limited_by, Limiter::unstated);
  EXPECT_EQ(points[1].requested->watts(), 120);
  EXPECT_EQ(points[1].enforced->watts(), 140);
  EXPECT_EQ(points[0].power_stderr->watts(), 0.5);
  EXPECT_EQ(points[2].power_stderr, std::nullopt);
  EXPECT_THAT(table->warnings, Contains(HasSubstr("row 4, column power_stderr: 'nan' counts as missing")));
}

TEST(OptionalColumns, SourceIsAnotherNameForPedigree) {
  const std::string header = "group,gpus,cap_w,power_w,throughput,source\n";
  const auto table =
      parse_sweep_table(header + "a,8,700,5200,100,simulated\na,8,500,3900,90,simulated\n", "t.csv");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->groups[0].pedigree, Pedigree::simulated);
  EXPECT_FALSE(parse_sweep_table(header + "a,8,700,5200,100,invented\na,8,500,3900,90,\n", "t.csv"));
}

TEST(TelemetryNames, AreKnownByTheirDcgmNamesOldAndNew) {
  for (const char* name : {"DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_PROF_DRAM_UTIL_RATIO",
                           "dcgm_fi_prof_dram_active", "NVML_GPM_METRIC_DRAM_BW_UTIL"}) {
    const TelemetryName* const ours = find_foreign_telemetry_name(name);
    ASSERT_NE(ours, nullptr) << name;
    EXPECT_EQ(ours->name, "dram_active");
  }
  EXPECT_EQ(find_foreign_telemetry_name(""), nullptr);
  EXPECT_EQ(find_telemetry_name("dram_active")->dcgm_id, 1005);
}

}  // namespace
}  // namespace wattflex
