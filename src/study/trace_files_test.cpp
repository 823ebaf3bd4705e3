#include "study/trace_files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
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

// Ctrl-C in any step, from creating the directory on, ends the program by that signal and leaves neither
// directory.
TEST_F(TraceFiles, LeaveNothingBehindWhenInterrupted) {
  const RunSamples run = samples();
  for (int moment = 0; moment < 10; ++moment) {
    std::array<int, 2> begun = {};
    ASSERT_EQ(pipe(begun.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      const auto begin = [&] { return write(begun[1], "b", 1) == 1; };
      if (!begin()) _exit(1);
      auto traces = TraceDirectory::create((folder_ / "traces").string());
      while (begin() && traces->add(job(), twin::kUncappedLimit, run)) {
      }
      traces = std::unexpected(Error{});
      _exit(1);
    }
    char byte = 0;
    for (int i = 0; i <= moment; ++i) ASSERT_EQ(read(begun[0], &byte, 1), 1);
    kill(child, SIGTERM);
    close(begun[0]);
    close(begun[1]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    EXPECT_TRUE(fs::is_empty(folder_));
  }
}

TEST_F(TraceFiles, AreNotMixedWithWhatAKilledRunLeft) {
  const fs::path left = folder_ / ("traces.partial-" + std::to_string(getpid()));
  fs::create_directory(left);
  std::ofstream(left / "old.csv") << "old";
  auto traces = TraceDirectory::create((folder_ / "traces").string());
  ASSERT_TRUE(traces) << traces.error().message;
  ASSERT_TRUE(traces->finish());
  EXPECT_TRUE(fs::is_empty(folder_ / "traces"));
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(TraceFiles, FillTheDirectoryALinkLeadsToAndKeepItsMode) {
  fs::create_directory(folder_ / "private");
  fs::permissions(folder_ / "private", fs::perms(0700));
  fs::create_directory_symlink("private", folder_ / "link");
  auto traces = TraceDirectory::create((folder_ / "link").string());
  ASSERT_TRUE(traces && traces->add(job(), twin::kUncappedLimit, samples()) && traces->finish());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_FALSE(fs::is_empty(folder_ / "private"));
  EXPECT_EQ(fs::status(folder_ / "private").permissions(), fs::perms(0700));
}

TEST_F(TraceFiles, NameTheUsersDirectoryWhenTheyCannotBeWritten) {
  auto traces = TraceDirectory::create((folder_ / "traces").string());
  ASSERT_TRUE(traces);
  fs::remove(folder_ / ("traces.partial-" + std::to_string(getpid())));
  const auto added = traces->add(job(), twin::kUncappedLimit, samples());
  ASSERT_FALSE(added);
  EXPECT_TRUE(added.error().message.starts_with((folder_ / "traces/").string())) << added.error().message;
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
