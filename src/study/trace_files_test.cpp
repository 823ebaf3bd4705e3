#include "study/trace_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "twin/chip.h"
#include "twin/measured_run.h"

namespace wattflex::study {
namespace {

namespace fs = std::filesystem;

class TraceFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     ("traces_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

const twin::SimulatedJob& job() {
  return twin::simulated_jobs().front();
}

RunSamples samples() {
  return twin::SweepSession(job(), twin::Noise::run_to_run, 1).run(twin::kUncappedLimit);
}

TEST_F(TraceFiles, AppearUnderTheirNameOnlyWhenAllAreWritten) {
  const fs::path path = folder_ / "traces";
  auto traces = TraceDirectory::create(path.string() + "/");
  ASSERT_TRUE(traces) << traces.error().message;
  ASSERT_TRUE(traces->add(job(), twin::kUncappedLimit, samples()));
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(traces->finish());
  EXPECT_EQ(traces->files(), 1);
  EXPECT_TRUE(fs::exists(path / "h200_dense-ft_llama-3.1-70b_x16_700w.csv"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(TraceFiles, AnAbandonedDirectoryLeavesNothingBehind) {
  {
    auto traces = TraceDirectory::create((folder_ / "traces").string());
    ASSERT_TRUE(traces->add(job(), twin::kUncappedLimit, samples()));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(TraceFiles, FillAnEmptyDirectoryAndRefuseAFullOneOrAFile) {
  fs::create_directory(folder_ / "empty");
  auto traces = TraceDirectory::create((folder_ / "empty").string());
  ASSERT_TRUE(traces);
  EXPECT_TRUE(traces->finish());
  std::ofstream(folder_ / "empty" / "note.txt") << "mine";
  const auto full = TraceDirectory::create((folder_ / "empty").string());
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().kind, ErrorKind::refused);
  EXPECT_FALSE(TraceDirectory::create((folder_ / "empty" / "note.txt").string()));
}

TEST_F(TraceFiles, SayWhereTheyCannotBeWritten) {
  const auto traces = TraceDirectory::create((folder_ / "missing" / "traces").string());
  ASSERT_FALSE(traces);
  EXPECT_EQ(traces.error().kind, ErrorKind::io);
  EXPECT_NE(traces.error().message.find("missing"), std::string::npos);
}

TEST(TraceCsv, HasOneRowASampleOneColumnAGpuAndSaysSimulated) {
  const std::string text = trace_csv(samples());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 361);
  const std::string header = text.substr(0, text.find('\n'));
  EXPECT_TRUE(header.starts_with("time_s,fb_used_mib,gpu_util,throughput,dram_active,")) << header;
  EXPECT_TRUE(header.ends_with(",gpu15_power_w,pedigree")) << header;
  EXPECT_TRUE(text.ends_with(",simulated\n"));
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_EQ(commas(last), commas(header));
}

}  // namespace
}  // namespace wattflex::study
