// `wattflex cap`, `release` and `restore` end to end, on the fake library.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "apps/wattflex/fake_gpus.h"
#include "control/cap_journal.h"

namespace wattflex::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Cap : public FakeGpus {
 protected:
  Cap()
      : folder_(fs::path(testing::TempDir()) /
                ("cap_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
  }
  Cap(const Cap&) = delete;
  Cap& operator=(const Cap&) = delete;
  ~Cap() override { fs::remove_all(folder_); }

  std::string journal() const { return folder_ / "caps.json"; }
  Ran with_journal(std::string_view verb, std::vector<std::string> words) const {
    words.insert(words.end(), {"--journal", journal()});
    return on_fake(verb, std::move(words));
  }
  std::vector<control::JournalEntry> entries() const { return control::read_cap_journal(journal()).value(); }

 private:
  fs::path folder_;
};

TEST_F(Cap, IsTakenOffByReleaseAndLeavesWhatWasFound) {
  fake.gpus[1].requested = 480'000;  // the house's own limit
  const Ran capped = with_journal("cap", {"300W", "--gpus", "0,1"});
  EXPECT_EQ(capped.status, 0) << capped.err;
  EXPECT_EQ(fake.gpus[0].requested, 300'000U);
  EXPECT_EQ(fake.gpus[1].requested, 300'000U);
  EXPECT_EQ(fake.gpus[2].writes + fake.gpus[3].writes, 0);
  const Ran released = with_journal("release", {});
  EXPECT_EQ(released.status, 0) << released.err;
  EXPECT_EQ(fake.gpus[0].requested, 700'000U);
  EXPECT_EQ(fake.gpus[1].requested, 480'000U);
  EXPECT_EQ(fake.gpus[2].writes + fake.gpus[3].writes, 0);
  EXPECT_THAT(entries(), IsEmpty());
  EXPECT_THAT(with_journal("release", {}).out, HasSubstr("Nothing is capped"));
}

TEST_F(Cap, OfACapStillPutsBackWhatWasThereFirst) {
  with_journal("cap", {"400W", "--gpus", "0"});
  with_journal("cap", {"300W", "--gpus", "0"});
  with_journal("release", {});
  EXPECT_EQ(fake.gpus[0].requested, 700'000U);
}

// SAFE-06
TEST_F(Cap, TouchesNoGpuThatIsNotNamed) {
  EXPECT_EQ(with_journal("cap", {"300W"}).status, 2);
  EXPECT_EQ(writes(), 0);
}

TEST_F(Cap, WritesNothingInADryRun) {
  const Ran ran = with_journal("cap", {"65%", "--gpus", "all", "--dry-run", "-o", "json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.document()["gpus"][3]["asked_w"], 455.0);
  EXPECT_EQ(ran.document()["dry_run"], true);
  EXPECT_EQ(writes(), 0);
  EXPECT_FALSE(fs::exists(journal()));
}

// CAP-09, CAP-11
TEST_F(Cap, IsRefusedOutsideTheRangeBeforeAnythingIsWritten) {
  fake.gpus[3].least = 350'000;
  for (const char* const cap : {"300W", "50W", "701W", "0W", "0%", "-5W"}) {
    const Ran ran = with_journal("cap", {cap, "--gpus", "all"});
    EXPECT_NE(ran.status, 0) << cap;
    EXPECT_EQ(writes(), 0) << cap;
  }
  EXPECT_THAT(with_journal("cap", {"300W", "--gpus", "all"}).err, HasSubstr("GPU-d"));
  const json document = with_journal("cap", {"300W", "--gpus", "all", "--clamp", "-o", "json"}).document();
  EXPECT_EQ(document["gpus"][3]["requested_w"], 350.0);
  EXPECT_EQ(document["gpus"][0]["requested_w"], 300.0);
}

// CAP-03
TEST_F(Cap, SaysOnceThatThePermissionIsMissing) {
  for (nvml::FakeGpu& gpu : fake.gpus)
    gpu.answers["nvmlDeviceSetPowerManagementLimit"] = nvml::Status::no_permission;
  const Ran ran = with_journal("cap", {"300W", "--gpus", "all"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("CAP_SYS_ADMIN"));
  EXPECT_EQ(fake.calls["nvmlDeviceSetPowerManagementLimit"], 1);
  EXPECT_THAT(entries(), IsEmpty());
}

// CAP-04, CAP-02
TEST_F(Cap, TellsOfOtherLimitersAndOfPersistence) {
  fake.gpus[0].other_limit = 500'000;
  fake.gpus[1].persistence = nvml::EnableState::disabled;
  const Ran ran = with_journal("cap", {"600W", "--gpus", "0,1", "-o", "json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const json gpu = ran.document()["gpus"][0];
  EXPECT_EQ(gpu["enforced_w"], 500.0);
  EXPECT_EQ(gpu["limited_elsewhere"], true);
  EXPECT_THAT(ran.err, HasSubstr("GPU-a: another limiter"));
  EXPECT_THAT(ran.err, HasSubstr("GPU-b: persistence mode is off"));
}

// CAP-13: what another program set since is not ours to undo.
TEST_F(Cap, IsReleasedOverAForeignLimitOnlyWhenAsked) {
  with_journal("cap", {"300W", "--gpus", "0,1"});
  fake.gpus[0].requested = 550'000;
  const Ran ran = with_journal("release", {});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("550 W"));
  EXPECT_EQ(fake.gpus[0].requested, 550'000U);
  EXPECT_EQ(fake.gpus[1].requested, 700'000U);
  EXPECT_EQ(with_journal("release", {"--foreign", "overwrite"}).status, 0);
  EXPECT_EQ(fake.gpus[0].requested, 700'000U);
}

// What a process that was killed left: a session entry, and the limit at its cap.
void leave_behind(const std::string& path, nvml::FakeGpu& gpu) {
  gpu.requested = 250'000;
  auto journal = control::CapJournal::open(path);
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->add({{.gpu = {gpu.uuid},
                             .hold = control::Hold::session,
                             .found = Power::from_watts(480),
                             .caps = {Power::from_watts(250)},
                             .since = Time()}}));
}

TEST_F(Cap, FirstPutsBackWhatAKilledRunLeft) {
  leave_behind(journal(), fake.gpus[2]);
  const Ran ran = with_journal("cap", {"300W", "--gpus", "0"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(fake.gpus[2].requested, 480'000U);
  EXPECT_THAT(ran.err, HasSubstr("killed"));
}

TEST_F(Cap, IsPutBackByRestoreWithEverythingElse) {
  with_journal("cap", {"300W", "--gpus", "0"});
  leave_behind(journal(), fake.gpus[2]);
  const Ran ran = with_journal("restore", {"--all", "-o", "json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.document()["gpus"].size(), 2U);
  EXPECT_EQ(fake.gpus[0].requested, 700'000U);
  EXPECT_EQ(fake.gpus[2].requested, 480'000U);
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(Cap, IsNotPutBackByRestoreWhileItsProcessLives) {
  auto open = control::CapJournal::open(journal());
  ASSERT_TRUE(open);
  const Ran ran = with_journal("restore", {"--all"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("process " + std::to_string(getpid())));
}

TEST_F(Cap, StaysWhenAGuardedProcessEndsAndItsSessionIsPutBack) {
  with_journal("cap", {"300W", "--gpus", "0"});
  leave_behind(journal(), fake.gpus[2]);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  const Ran ran = with_journal("restore", {"--all", "--after", std::to_string(child)});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(fake.gpus[0].requested, 300'000U);
  EXPECT_EQ(fake.gpus[2].requested, 480'000U);
}

TEST_F(Cap, ShowsInStatusWhatWasFound) {
  fake.gpus[0].requested = 480'000;
  with_journal("cap", {"300W", "--gpus", "0"});
  const Ran ran = with_journal("status", {"--local"});
  EXPECT_THAT(ran.out, HasSubstr("\n  nvidia-smi -i GPU-a -pl 480\n"));
  with_journal("release", {});
  // A limit below the default that was never ours.
  EXPECT_THAT(with_journal("status", {"--local"}).out, HasSubstr("\n  nvidia-smi -i GPU-a -pl 700\n"));
}

TEST_F(Cap, LeavesADamagedJournalAloneAndWritesNothing) {
  fs::create_directories(fs::path(journal()).parent_path());
  std::ofstream(journal()) << "{\"version\": 1, \"entr";
  const Ran ran = with_journal("cap", {"300W", "--gpus", "0"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr(journal()));
  EXPECT_EQ(writes(), 0);
}

}  // namespace
}  // namespace wattflex::app
