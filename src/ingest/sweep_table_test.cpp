#include "ingest/sweep_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "base/random.h"
#include "ingest/group_walker.h"
#include "ingest/sweep_table_reader.h"
#include "ingest/sweep_table_writer.h"
#include "ingest/telemetry_names.h"
#include "tests/support/outside_data.h"

namespace wattflex {
namespace {

std::vector<SweepGroup> streamed(SweepTableReader& reader) {
  std::vector<SweepGroup> groups;
  for (;;) {
    auto group = reader.next();
    if (!group) {
      ADD_FAILURE() << group.error().message;
      return groups;
    }
    if (!*group) return groups;
    groups.push_back(**std::move(group));
  }
}

void expect_same(const SweepPoint& a, const SweepPoint& b) {
  EXPECT_EQ(a.cap, b.cap);
  EXPECT_EQ(a.power, b.power);
  EXPECT_EQ(a.throughput, b.throughput);
  EXPECT_EQ(a.power_stderr, b.power_stderr);
  EXPECT_EQ(a.throughput_stderr, b.throughput_stderr);
  EXPECT_EQ(a.requested, b.requested);
  EXPECT_EQ(a.enforced, b.enforced);
  EXPECT_EQ(a.limited_by, b.limited_by);
  EXPECT_EQ(a.power_kind, b.power_kind);
  EXPECT_EQ(a.telemetry, b.telemetry);
}

void expect_same(const std::vector<SweepGroup>& a, const std::vector<SweepGroup>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].id, b[i].id);
    EXPECT_EQ(a[i].architecture, b[i].architecture);
    EXPECT_EQ(a[i].task, b[i].task);
    EXPECT_EQ(a[i].model, b[i].model);
    EXPECT_EQ(a[i].pedigree, b[i].pedigree);
    EXPECT_EQ(a[i].gpus, b[i].gpus);
    ASSERT_EQ(a[i].points.size(), b[i].points.size());
    for (std::size_t j = 0; j < a[i].points.size(); ++j) expect_same(a[i].points[j], b[i].points[j]);
  }
}

// Any double between `low` and `high`, with all its digits.
double draw(RandomStream& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

std::string random_name(RandomStream& random) {
  static constexpr std::string_view kLetters[] = {"a", "Z", "7", ",",  ";", "\"", " ",
                                                  "#", "/", "ö", "漢", "x", "-"};
  std::string name = "n";
  const int length = static_cast<int>(draw(random, 0, 12));
  for (int i = 0; i < length; ++i) name += kLetters[static_cast<std::size_t>(draw(random, 0, 13))];
  return draw(random, 0, 1) < 0.1 ? "#" + name : name;
}

std::optional<double> sometimes(RandomStream& random, double low, double high) {
  return draw(random, 0, 1) < 0.5 ? std::optional(draw(random, low, high)) : std::nullopt;
}

std::optional<Power> sometimes_watts(RandomStream& random, double low, double high) {
  const auto value = sometimes(random, low, high);
  return value ? std::optional(Power::from_watts(*value)) : std::nullopt;
}

SweepGroup random_group(RandomStream& random, std::size_t index) {
  SweepGroup group;
  group.id = {"t", random_name(random) + std::to_string(index), random_name(random)};
  group.architecture = static_cast<Architecture>(draw(random, 0, 3));
  group.task = static_cast<Task>(draw(random, 0, 5));
  group.model = draw(random, 0, 1) < 0.5 ? random_name(random) : "";
  group.pedigree = static_cast<Pedigree>(draw(random, 0, 3));
  group.gpus = static_cast<int>(draw(random, 1, 5000));
  const int points = static_cast<int>(draw(random, 2, 9));
  for (int i = 0; i < points; ++i) {
    SweepPoint point;
    point.cap = Power::from_watts(draw(random, 900, 999) - 100.0 * i);
    point.power = Power::from_watts(draw(random, 1, 1000) * group.gpus);
    point.throughput = draw(random, 1e-9, 1e9);
    point.power_stderr = sometimes_watts(random, 0, 10);
    point.throughput_stderr = sometimes(random, 0, 10);
    point.requested = sometimes_watts(random, 100, 1000);
    point.enforced = sometimes_watts(random, 100, 1000);
    point.limited_by = static_cast<Limiter>(draw(random, 0, 5));
    point.power_kind = static_cast<PowerKind>(draw(random, 0, 4));
    point.telemetry = {sometimes(random, 0, 1), sometimes(random, 0, 5000)};
    group.points.push_back(std::move(point));
  }
  return group;
}

TEST(SweepTableWriting, ReadsBackExactly) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomStream random(seed);
    SweepTable table;
    table.name = "t";
    table.telemetry_columns = {"dram_active", "sm_clock_mhz"};
    for (std::size_t i = 0; i < 5; ++i) table.groups.push_back(random_group(random, i));
    const auto again = parse_sweep_table(write_sweep_table(table), "t.csv");
    ASSERT_TRUE(again) << again.error().message << '\n' << write_sweep_table(table);
    EXPECT_EQ(again->telemetry_columns, table.telemetry_columns);
    expect_same(again->groups, table.groups);
  }
}

TEST(SweepTableReading, WholeAndStreamingGiveTheSameGroups) {
  RandomStream random(7);
  SweepTable table;
  table.telemetry_columns = {"dram_active", "sm_clock_mhz"};
  for (std::size_t i = 0; i < 300; ++i) table.groups.push_back(random_group(random, i));
  const std::string text = write_sweep_table(table);
  auto reader = SweepTableReader::of_text(text, "t.csv");
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->group_count(), 300);
  expect_same(streamed(*reader), parse_sweep_table(text, "t.csv")->groups);
}

TEST(SweepTableReading, TheOrderOfRowsDoesNotMatter) {
  RandomStream random(8);
  SweepTable table;
  for (std::size_t i = 0; i < 100; ++i) {
    table.groups.push_back(random_group(random, i));
    for (SweepPoint& point : table.groups.back().points) point.telemetry.clear();
  }
  const std::string text = write_sweep_table(table);
  std::vector<std::string> rows;
  const std::size_t header_end = text.find('\n') + 1;
  for (std::size_t at = header_end; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    rows.push_back(text.substr(at, end - at));
    at = end;
  }
  std::shuffle(rows.begin(), rows.end(), std::mt19937(3));  // NOLINT(cert-msc32-c)
  std::string shuffled = text.substr(0, header_end);
  for (const std::string& row : rows) shuffled += row;
  const auto by_name = [](std::vector<SweepGroup> groups) {
    std::ranges::sort(groups, {}, [](const SweepGroup& group) { return group.id.group; });
    return groups;
  };
  auto reader = SweepTableReader::of_text(shuffled, "t.csv");
  ASSERT_TRUE(reader) << reader.error().message;
  const auto whole = parse_sweep_table(shuffled, "t.csv");
  ASSERT_TRUE(whole);
  expect_same(by_name(whole->groups), by_name(table.groups));
  expect_same(by_name(streamed(*reader)), by_name(table.groups));
  EXPECT_EQ(reader->warnings().size(), whole->warnings.size());
}

TEST(SplitGroups, AreThoseMetMoreThanOnceHoweverManyThereAre) {
  ingest::SplitGroups runs;  // more runs than are kept at once
  const std::uint64_t groups = 150'000;
  for (std::uint64_t group = 0; group < groups; ++group) runs.add_run(group);
  for (std::uint64_t group = 0; group < groups; group += 1000) runs.add_run(group);
  runs.settle();
  std::uint64_t wrong = 0;
  for (std::uint64_t group = 0; group < groups; ++group) {
    wrong += runs.contains(group) == (group % 1000 == 0) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
  ingest::SplitGroups once;
  once.add_run(1);
  once.add_run(2);
  once.settle();
  EXPECT_TRUE(once.empty());
}

TEST(SweepTableReading, AFileThatChangesBetweenTheReadingsIsAnError) {
  const std::string path = testing::TempDir() + "wattflex_changing.csv";
  const std::string header = "group,gpus,cap_w,power_w,throughput\n";
  std::string rows;  // more than the reader takes at once
  for (int i = 0; i < 20'000; ++i) {
    const std::string group = "g" + std::to_string(i);
    rows += group + ",8,700,5200,100\n" + group + ",8,500,3900,90\n";
  }
  std::ofstream(path) << header << rows;
  auto reader = SweepTableReader::open(path);
  ASSERT_TRUE(reader) << reader.error().message;
  std::ofstream(path) << header << rows.substr(0, rows.size() / 2);
  std::string message;
  for (;;) {
    const auto group = reader->next();
    if (!group) message = group.error().message;
    if (!group || !*group) break;
  }
  EXPECT_THAT(message, testing::HasSubstr("changed while it was read"));
  std::filesystem::remove(path);
}

TEST(SweepTableReading, All169PublicSweepsPass) {
  const auto paths = outside_sweeps();
  if (paths.empty()) return;
  std::size_t groups = 0;
  for (const auto& path : paths) {
    const auto table = read_sweep_table(path);
    ASSERT_TRUE(table) << table.error().message;
    groups += table->groups.size();
    EXPECT_THAT(table->warnings, testing::Not(testing::Contains(testing::HasSubstr("look exchanged"))))
        << path;
    auto reader = SweepTableReader::open(path);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ(reader->warnings(), table->warnings);
    expect_same(streamed(*reader), table->groups);
    expect_same(parse_sweep_table(write_sweep_table(*table), path)->groups, table->groups);
  }
  EXPECT_EQ(groups, 169);
}

TEST(SweepTableReading, TheAbortedPublicRunIsTold) {
  const auto path = outside_data("sweeps/video_v100.csv");
  if (!path) return;
  const auto table = read_sweep_table(*path);
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_THAT(table->warnings, testing::Contains(testing::HasSubstr("row 6, column throughput")));
}

}  // namespace
}  // namespace wattflex
