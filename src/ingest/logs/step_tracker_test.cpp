// Which lines are new steps: ranks, copies, resumed runs, clocks.
#include "ingest/logs/step_tracker.h"

#include <gtest/gtest.h>

#include <vector>

namespace wattflex::logs {
namespace {

class Track {
 public:
  Track& step(std::int64_t number, double time, int rank = -1) {
    tracker_.add({.step = number, .rank = rank, .stamp = time}, ++line_, std::nullopt, intervals);
    return *this;
  }
  Track& mark(Mark mark) {
    tracker_.mark(mark);
    return *this;
  }
  Track& end() {
    tracker_.flush(intervals);
    return *this;
  }
  std::uint64_t duplicates() const { return tracker_.counts().duplicates; }

  std::vector<Interval> intervals;

 private:
  StepTracker tracker_;
  std::uint64_t line_ = 0;
};

TEST(StepTracker, GivesTheTimeBetweenLines) {
  Track track;
  track.step(10, 100).step(20, 120).step(40, 160);
  ASSERT_EQ(track.intervals.size(), 3U);
  EXPECT_TRUE(track.intervals[0].first);
  EXPECT_EQ(track.intervals[0].step_time(), std::nullopt);
  EXPECT_EQ(track.intervals[1].step_time(), 2);
  EXPECT_EQ(track.intervals[2].steps, 20);
  EXPECT_EQ(track.intervals[2].step_time(), 2);
}

TEST(StepTracker, BeginsASegmentWhereStepsGoBack) {
  Track track;
  for (int i = 1; i <= 20; ++i) track.step(i, i);
  for (int i = 11; i <= 30; ++i) track.step(i, 100 + i);
  ASSERT_EQ(track.intervals.size(), 40U);
  EXPECT_EQ(track.intervals[19].segment, 0U);
  EXPECT_EQ(track.intervals[20].segment, 1U);
  EXPECT_TRUE(track.intervals[20].first);
  EXPECT_EQ(track.duplicates(), 0U);
}

TEST(StepTracker, BeginsASegmentAtARestartEvenWhereStepsGoOn) {
  Track track;
  track.step(1, 1).step(2, 2).mark(Mark::restart).step(3, 500).step(4, 501);
  ASSERT_EQ(track.intervals.size(), 4U);
  EXPECT_TRUE(track.intervals[2].first);
  EXPECT_EQ(track.intervals[3].step_time(), 1);
  track.mark(Mark::restart).step(4, 900);
  EXPECT_EQ(track.intervals.size(), 5U) << "the step is done again, not said again";
}

TEST(StepTracker, CountsOtherRanksLinesAsSaidAgain) {
  Track track;
  for (int step = 1; step <= 3; ++step) {
    for (const int rank : {3, 1, 0, 2}) track.step(step, step + 0.01 * rank, rank);
  }
  track.end();
  ASSERT_EQ(track.intervals.size(), 3U);
  EXPECT_EQ(track.duplicates(), 9U);
  for (const Interval& interval : track.intervals) EXPECT_EQ(interval.line.rank, 0);
}

TEST(StepTracker, TakesTheLowestRankWhereRankZeroIsSilent) {
  Track track;
  track.step(1, 1, 2).step(1, 1, 1).step(2, 2, 1).step(2, 2, 2).step(3, 3, 2).step(3, 3, 1).end();
  ASSERT_EQ(track.intervals.size(), 3U);
  for (const Interval& interval : track.intervals) EXPECT_EQ(interval.line.rank, 1);
  EXPECT_EQ(track.duplicates(), 3U);
}

TEST(StepTracker, KnowsACopyOfABarFromASecondRun) {
  const auto bars = [](double lag) {
    std::vector<Interval> out;
    StepTracker tracker;
    for (const double late : {0.0, lag}) {
      for (int i = 0; i <= 6; ++i)
        tracker.add({.step = i, .wall_elapsed = 30 * i + late, .elapsed_resolution = 1}, 1, std::nullopt,
                    out);
    }
    return std::pair(out.size(), tracker.counts().duplicates);
  };
  EXPECT_EQ(bars(1), std::pair(std::size_t{7}, std::uint64_t{7})) << "another rank's bar";
  EXPECT_EQ(bars(3).first, 14U) << "another run";
}

TEST(StepTracker, ReadsCoarseClocksOverManySteps) {
  std::vector<Interval> out;
  StepTracker tracker;
  for (int i = 0; i <= 100; ++i)
    tracker.add({.step = i, .wall_elapsed = i / 4, .elapsed_resolution = 1}, 1, std::nullopt, out);
  ASSERT_EQ(out.size(), 3U) << "the first, and two of ten seconds";
  EXPECT_EQ(out[1].steps, 40);
  EXPECT_EQ(out[1].step_time(), 0.25);
}

TEST(StepTracker, LabelsPausesAndLeavesTheirStepTimeOpen) {
  Track track;
  track.step(1, 1)
      .step(2, 2)
      .mark(Mark::evaluation)
      .step(3, 30)
      .mark(Mark::checkpoint)
      .mark(Mark::evaluation)
      .step(4, 60)
      .step(5, 61);
  EXPECT_EQ(track.intervals[2].pause, Pause::evaluation);
  EXPECT_EQ(track.intervals[2].step_time(), std::nullopt);
  EXPECT_EQ(track.intervals[3].pause, Pause::evaluation_and_checkpoint);
  EXPECT_EQ(track.intervals[4].pause, Pause::none);
}

TEST(StepTracker, DropsAGapWhereTheClockGoesBack) {
  Track track;
  track.step(1, 100).step(2, 50).step(3, 52);
  EXPECT_EQ(track.intervals[1].gap, std::nullopt);
  EXPECT_EQ(track.intervals[2].step_time(), 2);
}

TEST(StepTracker, TakesArrivalWhereALogHasNoClock) {
  std::vector<Interval> out;
  StepTracker tracker;
  for (int i = 0; i < 3; ++i) tracker.add({.step = i}, 1, 5.0 + 2 * i, out);
  EXPECT_EQ(out[2].step_time(), 2);
  EXPECT_EQ(out[2].time, 9);
}

}  // namespace
}  // namespace wattflex::logs
