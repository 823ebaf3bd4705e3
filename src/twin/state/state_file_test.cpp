#include "twin/state/state_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "twin/state/transaction.h"

namespace wattflex::twin {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TwinState : public testing::Test {
 protected:
  TwinState()
      : path_(fs::path(testing::TempDir()) /
              ("state_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove(path_);
  }
  TwinState(const TwinState&) = delete;
  TwinState& operator=(const TwinState&) = delete;
  ~TwinState() override { fs::remove(path_); }

  const std::string& path() const { return path_.native(); }

 private:
  fs::path path_;
};

TEST_F(TwinState, IsReadableByItsUserOnlyAndThereOnce) {
  const auto file = StateFile::create(path(), {.gpus = 4});
  ASSERT_TRUE(file) << file.error().message;
  struct stat status{};
  ASSERT_EQ(stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600);
  EXPECT_FALSE(StateFile::create(path(), {.gpus = 4}));
  EXPECT_TRUE(StateFile::open(path()));
}

TEST_F(TwinState, IsMadeAnewAfterItWasStopped) {
  auto file = StateFile::create(path(), {.gpus = 4});
  const auto other = StateFile::open(path());
  ASSERT_TRUE(other);
  ASSERT_TRUE(file->remove());
  EXPECT_TRUE(other->state().header.stopped);
  EXPECT_FALSE(StateFile::open(path()));
  EXPECT_TRUE(StateFile::create(path(), {.gpus = 2}));
}

TEST_F(TwinState, RefusesWhatIsNoTwin) {
  EXPECT_EQ(StateFile::open(path()).error().kind, ErrorKind::no_data);
  std::ofstream(path()) << "something else";
  EXPECT_EQ(StateFile::open(path()).error().kind, ErrorKind::refused);
  ASSERT_TRUE(StateFile::create(path() + "x", {.gpus = 1}));
  fs::permissions(path() + "x", fs::perms::group_read, fs::perm_options::add);
  EXPECT_EQ(StateFile::open(path() + "x").error().kind, ErrorKind::refused);
  fs::permissions(path() + "x", fs::perms::group_read, fs::perm_options::remove);
  ASSERT_TRUE(StateFile::open(path() + "x"));
  {
    auto damaged = StateFile::open(path() + "x");
    damaged->state().header.gpus = 100'000;
  }
  EXPECT_EQ(StateFile::open(path() + "x").error().kind, ErrorKind::refused);
  fs::remove(path() + "x");
  for (const std::uint32_t gpus : {0U, 1025U}) EXPECT_FALSE(StateFile::create(path() + "y", {.gpus = gpus}));
  EXPECT_FALSE(StateFile::create(path() + "y", {.board = "h900"}));
}

// Two GPUs are always changed together; whoever dies in between leaves both or neither.
TEST_F(TwinState, KeepsAChangeWholeWhenItsProcessIsKilled) {
  const auto file = StateFile::create(path(), {.gpus = 2});
  ASSERT_TRUE(file);
  for (int round = 0; round < 30; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (std::uint32_t value = 1;; ++value) {
        auto change = Transaction::begin(file->state());
        if (!change) _exit(1);
        change->edit_gpu(0).requested_mw = value;
        change->edit_gpu(1).requested_mw = value;
        change->commit();
      }
    }
    usleep(static_cast<useconds_t>(500 + 137 * round));  // any instant will do
    ASSERT_EQ(kill(child, SIGKILL), 0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    const auto change = Transaction::begin(file->state());
    ASSERT_TRUE(change) << change.error().message;
    EXPECT_EQ(change->gpu(0).requested_mw, change->gpu(1).requested_mw);
  }
}

TEST_F(TwinState, ForgetsAChangeThatWasNotCommitted) {
  const auto file = StateFile::create(path(), {.gpus = 1});
  ASSERT_TRUE(file);
  const std::uint32_t before = Transaction::begin(file->state())->gpu(0).requested_mw;
  {
    auto change = Transaction::begin(file->state());
    change->edit_gpu(0).requested_mw = 1;
    EXPECT_EQ(change->gpu(0).requested_mw, 1U);
  }
  EXPECT_EQ(Transaction::begin(file->state())->gpu(0).requested_mw, before);
}

}  // namespace
}  // namespace wattflex::twin
