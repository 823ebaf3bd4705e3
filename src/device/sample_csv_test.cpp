#include "device/sample_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/replay_backend.h"

namespace wattflex::device {
namespace {

using testing::HasSubstr;

SampleRow full_row() {
  SampleRow row{.uuid = {"GPU-a"}, .index = 3, .pedigree = Pedigree::simulated};
  row.sample.time = Time(std::chrono::microseconds(1'770'000'000'000'007));
  row.sample.draw_instant = Power::from_watts(402.125);
  row.sample.draw_average = Power::from_watts(398.001);
  row.sample.energy = EnergyCount{18'446'744'073'709'551'614ULL, PowerScope::module};
  row.sample.requested = Power::from_watts(149.4);
  row.sample.enforced = Power::from_watts(149.4);
  row.sample.sm_clock = Frequency::from_megahertz(1755);
  row.sample.gpu_util = 0.97;
  row.sample.memory_used = 8e10;
  row.sample.temperature = -3.0;
  row.sample.throttle = ThrottleReasons(0x84);
  row.sample.activity.dram_active = 1.0 / 3;
  return row;
}

std::vector<SampleRow> round_trip(const std::vector<SampleRow>& rows) {
  std::string text = "# a comment\n" + sample_csv_header();
  for (const SampleRow& row : rows) append_sample_csv(row, text);
  auto read = parse_sample_csv(text, "a.csv");
  if (!read) throw std::runtime_error(read.error().message);
  return *read;
}

TEST(SampleCsv, GivesBackEveryReadingToTheLastBit) {
  const SampleRow row = full_row();
  const SampleRow back = round_trip({row}).at(0);
  EXPECT_EQ(back.uuid, row.uuid);
  EXPECT_EQ(back.index, row.index);
  EXPECT_EQ(back.pedigree, row.pedigree);
  EXPECT_EQ(back.sample.time, row.sample.time);
  EXPECT_EQ(back.sample.draw_instant, row.sample.draw_instant);
  EXPECT_EQ(back.sample.draw_average, row.sample.draw_average);
  EXPECT_EQ(back.sample.energy, row.sample.energy);
  EXPECT_EQ(back.sample.requested, row.sample.requested);
  EXPECT_EQ(back.sample.sm_clock, row.sample.sm_clock);
  EXPECT_EQ(back.sample.gpu_util, row.sample.gpu_util);
  EXPECT_EQ(back.sample.memory_used, row.sample.memory_used);
  EXPECT_EQ(back.sample.temperature, row.sample.temperature);
  EXPECT_EQ(back.sample.throttle, row.sample.throttle);
  EXPECT_EQ(back.sample.activity.dram_active, row.sample.activity.dram_active);
  EXPECT_FALSE(back.sample.module_draw_average);
  EXPECT_FALSE(back.sample.activity.sm_active);
}

TEST(SampleCsv, LeavesMissingReadingsEmptyAndNamesThoseThatShouldBeThere) {
  SampleRow row = full_row();
  row.sample.gpu_util = Problem::impossible_value;
  row.sample.sm_clock = Problem::timed_out;
  row.sample.module_draw_average = Problem::not_supported;
  std::string text;
  append_sample_csv(row, text);
  EXPECT_THAT(text, HasSubstr(",sm_clock_mhz=timed_out+gpu_util=impossible_value\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("module_draw")));
  EXPECT_FALSE(round_trip({row}).at(0).sample.gpu_util);
}

TEST(SampleCsv, MarksGaps) {
  SampleRow gap{.uuid = {"GPU-a"}, .gap = "timed_out"};
  gap.sample.time = Time(std::chrono::seconds(1'770'000'001));
  const auto rows = round_trip({full_row(), gap});
  EXPECT_EQ(rows.at(1).gap, "timed_out");
  EXPECT_EQ(rows.at(0).gap, "");
}

TEST(SampleCsv, RefusesWhatIsNoRecordingWithItsLine) {
  const auto message_of = [](const std::string& text) {
    const auto rows = parse_sample_csv(text, "a.csv");
    return rows ? std::string("accepted") : rows.error().message;
  };
  EXPECT_THAT(message_of("time,power\n1,2\n"), HasSubstr("a.csv:1"));
  EXPECT_THAT(message_of("time_unix_s,uuid,gpu_util\n1.5,GPU-a,0.5\n2.5,GPU-a\n3,b,\n"),
              HasSubstr("a.csv:3"));
  EXPECT_THAT(message_of("time_unix_s,uuid,gpu_util\n1.5,GPU-a,nan\n"), HasSubstr("gpu_util"));
  EXPECT_THAT(message_of("time_unix_s,uuid\n1.1234567,GPU-a\n"), HasSubstr("time_unix_s"));
  EXPECT_THAT(message_of("time_unix_s,uuid\n"), HasSubstr("no samples"));
  EXPECT_THAT(message_of(""), HasSubstr("no samples"));
}

// IMP-03: a row that was cut is left out, whatever is left of it.
TEST(SampleCsv, LeavesOutARowThatWasCut) {
  const std::string head = "time_unix_s,uuid,gpu_util\r\n1.5,GPU-a,0.5\r\n";
  for (const std::string_view cut : {"2", "2.5,GPU-a", "2.5,GPU-a,0.", "2.5,GPU-a,0.25"}) {
    const auto rows = parse_sample_csv(head + std::string(cut), "a.csv");
    ASSERT_TRUE(rows) << cut;
    EXPECT_EQ(rows->size(), 1U) << cut;
  }
}

TEST(ReplayBackend, GivesWhatTheRecordingHasAtItsTime) {
  SampleRow later = full_row();
  later.sample.time += std::chrono::seconds(2);
  later.sample.draw_average = Power::from_watts(300);
  ReplayBackend replay({later, full_row()}, "a.csv");
  const GpuUuid uuid{"GPU-a"};
  EXPECT_EQ(replay.inventory()->pedigree, Pedigree::simulated);
  EXPECT_EQ(replay.sample(uuid, Depth::basic)->draw_average, Power::from_watts(398.001));
  const Time start = replay.clock().now();
  replay.clock().wait_until(start + std::chrono::microseconds(1'999'999));
  EXPECT_EQ(replay.sample(uuid, Depth::basic)->draw_average, Power::from_watts(398.001));
  replay.clock().wait_until(start + std::chrono::seconds(2));
  EXPECT_EQ(replay.sample(uuid, Depth::basic)->draw_average, Power::from_watts(300));
  EXPECT_EQ(replay.limits(uuid)->requested, Power::from_watts(149.4));
  EXPECT_FALSE(replay.set_limit(uuid, Power::from_watts(300)));
  EXPECT_FALSE(replay.sample({"GPU-b"}, Depth::basic));
}

TEST(ReplayBackend, HasNoSampleInAGapOrBeforeItsFirst) {
  SampleRow gap{.uuid = {"GPU-a"}, .gap = "timed_out"};
  gap.sample.time = full_row().sample.time + std::chrono::seconds(1);
  SampleRow other = full_row();
  other.uuid = {"GPU-b"};
  other.sample.time += std::chrono::seconds(1);
  ReplayBackend replay({full_row(), gap, other}, "a.csv");
  EXPECT_EQ(replay.sample({"GPU-b"}, Depth::basic).error().problem, Problem::not_ready);
  replay.clock().wait_until(gap.sample.time);
  EXPECT_TRUE(replay.sample({"GPU-b"}, Depth::basic));
  EXPECT_THAT(replay.sample({"GPU-a"}, Depth::basic).error().message, HasSubstr("timed_out"));
}

}  // namespace
}  // namespace wattflex::device
