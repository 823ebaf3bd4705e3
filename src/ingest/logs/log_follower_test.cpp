// A log that grows, is rotated, and is cut while it is read. No waiting: the test brings the time.
#include "ingest/logs/log_follower.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace wattflex::logs {
namespace {

namespace fs = std::filesystem;

class GrowingLog : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    write("");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path() const { return folder_ + "/train.log"; }
  void write(const std::string& text) const {
    std::ofstream(path(), std::ios::app | std::ios::binary) << text;
  }
  static std::string step(int number) { return "step " + std::to_string(number) + " tok/s nan tokens 100\n"; }

  LogFollower follow() const {
    auto follower = LogFollower::open(path(), {.framework = Framework::generic});
    EXPECT_TRUE(follower);
    return *std::move(follower);
  }
  static std::vector<std::int64_t> numbers(const Result<std::vector<StepRecord>>& steps) {
    std::vector<std::int64_t> numbers;
    EXPECT_TRUE(steps);
    for (const StepRecord& record : *steps) numbers.push_back(record.interval.line.step.value_or(-1));
    return numbers;
  }

 private:
  std::string folder_ = testing::TempDir() + "wattflex_log_" + std::to_string(getpid());
};

using Numbers = std::vector<std::int64_t>;

TEST_F(GrowingLog, GivesStepsAsTheyCome) {
  auto follower = follow();
  EXPECT_EQ(numbers(follower.poll(Seconds(0))), Numbers{});
  write(step(1));
  EXPECT_EQ(numbers(follower.poll(Seconds(10))), Numbers{1});
  write("step 2 tok");
  EXPECT_EQ(numbers(follower.poll(Seconds(11))), Numbers{}) << "half a line is awaited";
  write("/s nan tokens 100\n");
  const auto steps = follower.poll(Seconds(12));
  EXPECT_EQ(numbers(steps), Numbers{2});
  EXPECT_EQ(steps->front().step_time, 2) << "by when its lines were complete";
  EXPECT_EQ(steps->front().tokens_per_s, 50);
}

TEST_F(GrowingLog, DoesNotTimeWhatWasThereBefore) {
  write(step(1) + step(2) + step(3));
  auto follower = follow();
  const auto steps = follower.poll(Seconds(100));
  EXPECT_EQ(numbers(steps), (Numbers{1, 2, 3}));
  EXPECT_EQ(steps->back().step_time, std::nullopt);
  write(step(4));
  EXPECT_EQ(follower.poll(Seconds(101))->front().step_time, std::nullopt) << "nor from there";
  write(step(5));
  EXPECT_EQ(follower.poll(Seconds(104))->front().step_time, 3);
}

TEST_F(GrowingLog, GoesOnInTheNewFileWhenItIsRenamed) {
  auto follower = follow();
  write(step(1));
  EXPECT_EQ(numbers(follower.poll(Seconds(1))), Numbers{1});
  write(step(2) + "step 3 tok/s 5");
  fs::rename(path(), path() + ".1");
  EXPECT_EQ(numbers(follower.poll(Seconds(2))), Numbers{2})
      << "the old file is read to its end; there is no new one yet";
  EXPECT_EQ(numbers(follower.poll(Seconds(3))), Numbers{});
  write(step(4));
  EXPECT_EQ(numbers(follower.poll(Seconds(4))), (Numbers{3, 4}))
      << "a last line without its end does not run into the new file";
}

TEST_F(GrowingLog, StartsAgainWhenItIsCutInPlace) {
  auto follower = follow();
  write(step(1) + step(2));
  EXPECT_EQ(numbers(follower.poll(Seconds(1))), (Numbers{1, 2}));
  fs::resize_file(path(), 0);
  write(step(3));
  EXPECT_EQ(numbers(follower.poll(Seconds(2))), Numbers{3});
}

TEST_F(GrowingLog, ReadsABoundedPieceAtATime) {
  std::string text;
  for (int i = 0; text.size() < 3 * kMostBytesPerPoll; ++i) text += step(i);
  write(text);
  auto follower = follow();
  std::size_t polls = 0;
  std::size_t steps = 0;
  do {
    steps += follower.poll(Seconds(1))->size();
    ++polls;
  } while (follower.more());
  EXPECT_GE(polls, 3U);
  EXPECT_EQ(follower.finish().tracked.step_lines, steps);
}

TEST_F(GrowingLog, GivesAStepOfAHigherRankAfterAWhile) {
  auto follower = follow();
  write("[rank2] " + step(1));
  EXPECT_EQ(numbers(follower.poll(Seconds(1))), Numbers{}) << "rank 0 may still speak";
  EXPECT_EQ(numbers(follower.poll(Seconds(1) + kRankPatience)), Numbers{1});
}

TEST(FollowedFile, TellsWhatItCannotOpen) {
  for (const std::string path : {"/nonexistent/train.log", "/"}) {
    const auto file = FollowedFile::open(path);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().kind, ErrorKind::io);
    EXPECT_NE(file.error().message.find(path), std::string::npos);
  }
}

}  // namespace
}  // namespace wattflex::logs
