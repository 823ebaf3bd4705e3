#include "control/cap_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "device/faulty_backend.h"
#include "device/test_backend.h"

namespace wattflex::control {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using device::FaultyBackend;
using device::GpuWorkers;
using device::TestBackend;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Call = FaultyBackend::Call;

Power watts_of(double value) {
  return Power::from_watts(value);
}

class CapWriterTest : public testing::Test {
 protected:
  CapWriterTest()
      : folder_(fs::path(testing::TempDir()) /
                ("writer_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    reopen();
  }
  CapWriterTest(const CapWriterTest&) = delete;
  CapWriterTest& operator=(const CapWriterTest&) = delete;
  ~CapWriterTest() override {
    faults->heal();
    workers.reset();
    journal.reset();
    fs::remove_all(folder_);
  }

  // As the next start of the program would.
  void reopen() {
    workers.reset();
    journal.reset();
    auto opened = CapJournal::open(folder_ / "caps.json");
    ASSERT_TRUE(opened) << opened.error().message;
    journal.emplace(*std::move(opened));
    workers.emplace(faults, gpus->uuids());
  }
  CapWriter writer() { return {*workers, *journal, {.patience = patience, .first_pause = 1ms}}; }
  std::vector<CapOutcome> apply(std::vector<double> caps, WhenPartial when = WhenPartial::put_back) {
    std::vector<CapRequest> requests;
    for (std::size_t i = 0; i < caps.size(); ++i) requests.push_back({gpus->uuids()[i], watts_of(caps[i])});
    auto outcomes = writer().apply(requests, when);
    EXPECT_TRUE(outcomes) << outcomes.error().message;
    return outcomes ? *outcomes : std::vector<CapOutcome>();
  }
  std::vector<BackOutcome> put_back(ForeignLimit foreign = ForeignLimit::leave) {
    auto backs = writer().put_back(gpus->uuids(), foreign);
    EXPECT_TRUE(backs) << backs.error().message;
    return backs ? *backs : std::vector<BackOutcome>();
  }
  double limit(std::size_t gpu) { return gpus->gpu(gpus->uuids()[gpu]).limits.requested->watts(); }
  void set_limit(std::size_t gpu, double watts) {
    gpus->gpu(gpus->uuids()[gpu]).limits.requested = watts_of(watts);
    gpus->gpu(gpus->uuids()[gpu]).limits.enforced = watts_of(watts);
  }
  int writes() {
    int all = 0;
    for (const GpuUuid& gpu : gpus->uuids()) all += gpus->gpu(gpu).writes;
    return all;
  }
  const std::string& folder() const { return folder_.native(); }

  std::shared_ptr<TestBackend> gpus = std::make_shared<TestBackend>(4);
  std::shared_ptr<FaultyBackend> faults = std::make_shared<FaultyBackend>(gpus);
  std::optional<CapJournal> journal;
  std::optional<GpuWorkers> workers;
  std::chrono::milliseconds patience{60'000};

 private:
  fs::path folder_;
};

std::vector<CapState> states_of(const std::vector<CapOutcome>& outcomes) {
  std::vector<CapState> states;
  for (const CapOutcome& outcome : outcomes) states.push_back(outcome.state);
  return states;
}

std::vector<BackState> states_of(const std::vector<BackOutcome>& outcomes) {
  std::vector<BackState> states;
  for (const BackOutcome& outcome : outcomes) states.push_back(outcome.state);
  return states;
}

TEST_F(CapWriterTest, CapsEachGpuAndReadsItBack) {
  const auto outcomes = apply({400, 300, 250, 700});
  EXPECT_THAT(states_of(outcomes),
              ElementsAre(CapState::applied, CapState::applied, CapState::applied, CapState::unchanged));
  EXPECT_EQ(limit(0), 400);
  EXPECT_EQ(limit(2), 250);
  EXPECT_EQ(*outcomes[0].after->requested, watts_of(400));
  EXPECT_EQ(*outcomes[0].before->requested, watts_of(700));
  EXPECT_EQ(gpus->gpu(gpus->uuids()[3]).writes, 0);
}

// SAFE-01: a house limit below the default.
TEST_F(CapWriterTest, PutsBackWhatItFoundAndNotTheDefault) {
  set_limit(0, 480);
  set_limit(1, 250);
  for (const double cap : {400.0, 350.0, 300.0}) apply({cap, cap});
  EXPECT_THAT(states_of(put_back()), Each(BackState::restored));
  EXPECT_EQ(limit(0), 480);
  EXPECT_EQ(limit(1), 250);
  EXPECT_THAT(journal->entries(), IsEmpty());
}

TEST_F(CapWriterTest, PutsBackAfterThePreviousProcessWasKilled) {
  set_limit(0, 480);
  apply({300, 300, 300, 300});
  reopen();
  EXPECT_EQ(put_back().size(), 4U);
  EXPECT_EQ(limit(0), 480);
  EXPECT_EQ(limit(1), 700);
}

TEST_F(CapWriterTest, WritesNothingBeforeTheJournalHasIt) {
  fs::create_directory(folder() + "/caps.json.next");  // the journal can't be written
  const CapRequest request{gpus->uuids()[0], watts_of(400)};
  const auto outcomes = writer().apply({&request, 1}, WhenPartial::put_back);
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(outcomes.error().kind, ErrorKind::io);
  EXPECT_EQ(writes(), 0);
}

// CAP-07
TEST_F(CapWriterTest, JudgesByTheHardwareAndNotByWhatItRemembers) {
  apply({230});
  set_limit(0, 370);
  EXPECT_EQ(apply({230})[0].state, CapState::applied);
  EXPECT_EQ(limit(0), 230);
  const int before = writes();
  EXPECT_EQ(apply({230})[0].state, CapState::unchanged);
  EXPECT_EQ(writes(), before);
}

// CAP-06
TEST_F(CapWriterTest, TakesAllBackWhereOneOfAJobCannotBeCapped) {
  faults->fail(gpus->uuids()[2], Call::set_limit, Problem::gpu_lost);
  const auto outcomes = apply({250, 250, 250, 250}, WhenPartial::put_back);
  EXPECT_THAT(states_of(outcomes),
              ElementsAre(CapState::put_back, CapState::put_back, CapState::failed, CapState::put_back));
  EXPECT_EQ(outcomes[2].error->problem, Problem::gpu_lost);
  EXPECT_EQ(limit(0), 700);
  EXPECT_EQ(limit(3), 700);
  // Whether the lost one took it is unknown.
  ASSERT_EQ(journal->entries().size(), 1U);
  EXPECT_EQ(journal->entries()[0].gpu, gpus->uuids()[2]);
}

TEST_F(CapWriterTest, KeepsTheOthersWhereToldTo) {
  faults->fail(gpus->uuids()[2], Call::set_limit, Problem::gpu_lost);
  EXPECT_THAT(states_of(apply({250, 250, 250, 250}, WhenPartial::keep)),
              ElementsAre(CapState::applied, CapState::applied, CapState::failed, CapState::applied));
  EXPECT_EQ(limit(3), 250);
}

// CAP-03
TEST_F(CapWriterTest, TriesOnceWhereThePermissionIsMissing) {
  for (const GpuUuid& gpu : gpus->uuids()) faults->fail(gpu, Call::set_limit, Problem::no_permission);
  const auto outcomes = apply({250, 250, 250, 250});
  EXPECT_THAT(states_of(outcomes),
              ElementsAre(CapState::failed, CapState::not_tried, CapState::not_tried, CapState::not_tried));
  EXPECT_EQ(outcomes[0].error->problem, Problem::no_permission);
  EXPECT_THAT(journal->entries(), IsEmpty());
}

// CAP-04: another limiter holds the GPU below what we ask.
TEST_F(CapWriterTest, PutsBackTheRequestedLimitAndNotTheEnforcedOne) {
  gpus->gpu(gpus->uuids()[0]).limits.enforced = watts_of(500);
  apply({600});
  EXPECT_EQ(journal->find(gpus->uuids()[0], Hold::session)->found, watts_of(700));
  put_back();
  EXPECT_EQ(limit(0), 700);
}

TEST_F(CapWriterTest, SaysWhenADriverIgnoresALimit) {
  faults->ignore_limits(gpus->uuids()[1]);
  const auto outcomes = apply({250, 250}, WhenPartial::keep);
  EXPECT_EQ(outcomes[1].state, CapState::ignored);
  EXPECT_FALSE(outcomes[1].holds());
  EXPECT_THAT(states_of(put_back()), ElementsAre(BackState::restored, BackState::unchanged));
}

TEST_F(CapWriterTest, NamesTheOneThatIgnoredItsLimitWhenItTakesTheOthersBack) {
  faults->ignore_limits(gpus->uuids()[1]);
  EXPECT_THAT(states_of(apply({250, 250}, WhenPartial::put_back)),
              ElementsAre(CapState::put_back, CapState::ignored));
  EXPECT_EQ(limit(0), 700);
  EXPECT_THAT(journal->entries(), IsEmpty());
}

// SAFE-02
TEST_F(CapWriterTest, KeepsAFailedOneInTheJournalAndRestoresTheOthers) {
  apply({300, 300, 300, 300});
  faults->fail(gpus->uuids()[1], Call::set_limit, Problem::failed);
  EXPECT_THAT(states_of(put_back()), testing::UnorderedElementsAre(BackState::restored, BackState::restored,
                                                                   BackState::restored, BackState::failed));
  EXPECT_EQ(limit(0), 700);
  EXPECT_EQ(limit(1), 300);
  reopen();
  ASSERT_EQ(journal->entries().size(), 1U);
  EXPECT_EQ(journal->entries()[0].gpu, gpus->uuids()[1]);
  faults->heal();
  EXPECT_THAT(states_of(put_back()), ElementsAre(BackState::restored));
  EXPECT_EQ(limit(1), 700);
}

TEST_F(CapWriterTest, LeavesAForeignLimitAloneUnlessToldOtherwise) {
  apply({300});
  set_limit(0, 550);
  const int before = writes();
  const auto left = put_back();
  EXPECT_THAT(states_of(left), ElementsAre(BackState::foreign));
  EXPECT_THAT(left[0].error->message, HasSubstr("550 W"));
  EXPECT_EQ(writes(), before);
  EXPECT_EQ(journal->entries().size(), 1U);
  EXPECT_THAT(states_of(put_back(ForeignLimit::overwrite)), ElementsAre(BackState::restored));
  EXPECT_EQ(limit(0), 700);
}

TEST_F(CapWriterTest, TakesABoardBackAtItsDefaultForAResetAndNotForAForeignLimit) {
  set_limit(0, 480);
  apply({300});
  set_limit(0, 700);  // the driver was reloaded
  EXPECT_THAT(states_of(put_back()), ElementsAre(BackState::restored));
  EXPECT_EQ(limit(0), 480);
}

// A process may die between journal and write: the limit is then still what was found.
TEST_F(CapWriterTest, HasNothingToPutBackWhereTheWriteNeverCame) {
  ASSERT_TRUE(writer().announce(gpus->uuids(), {watts_of(300), watts_of(400)}));
  EXPECT_EQ(journal->entries().size(), 4U);
  reopen();
  EXPECT_THAT(states_of(put_back()), Each(BackState::unchanged));
  EXPECT_EQ(writes(), 0);
  EXPECT_THAT(journal->entries(), IsEmpty());
}

TEST_F(CapWriterTest, NeedsNoJournalForCapsThatWereAnnounced) {
  ASSERT_TRUE(writer().announce(gpus->uuids(), {watts_of(300), watts_of(400)}));
  fs::create_directory(folder() + "/caps.json.next");  // any write of the journal would fail now
  EXPECT_THAT(states_of(apply({300, 400, 300, 400})), Each(CapState::applied));
  fs::remove(folder() + "/caps.json.next");
}

TEST_F(CapWriterTest, DoesNotCapWhatItCouldNotPutBack) {
  gpus->gpu(gpus->uuids()[0]).limits.requested = Problem::not_supported;
  const auto outcomes = apply({300});
  EXPECT_EQ(outcomes[0].state, CapState::failed);
  EXPECT_EQ(writes(), 0);
  EXPECT_THAT(journal->entries(), IsEmpty());
}

TEST_F(CapWriterTest, KeepsAGpuThatHangsInTheJournal) {
  faults->hang(gpus->uuids()[1], Call::set_limit);
  patience = 50ms;
  const auto outcomes = apply({300, 300}, WhenPartial::keep);
  EXPECT_EQ(outcomes[1].state, CapState::failed);
  EXPECT_EQ(outcomes[1].error->problem, Problem::timed_out);
  EXPECT_NE(journal->find(gpus->uuids()[1], Hold::session), nullptr);
}

TEST_F(CapWriterTest, RefusesAGpuThatIsNotHere) {
  const CapRequest request{{"GPU-elsewhere"}, watts_of(300)};
  const auto outcomes = writer().apply({&request, 1}, WhenPartial::keep);
  ASSERT_TRUE(outcomes);
  EXPECT_EQ(outcomes->front().state, CapState::failed);
  EXPECT_EQ(writes(), 0);
}

}  // namespace
}  // namespace wattflex::control
