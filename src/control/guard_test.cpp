#include "control/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace wattflex::control {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kLong = 60'000ms;

std::vector<std::string> shell(const std::string& script) {
  return {"/bin/sh", "-c", script};
}

TEST(Guard, IsWaitedForUntilItWatches) {
  const std::string mark = testing::TempDir() + "guard_mark";
  std::filesystem::remove(mark);
  // Says that it watches only after it has done what comes before.
  ASSERT_TRUE(start_guard(shell("echo $$ > " + mark + "; echo watching; exit 0"), kLong));
  EXPECT_TRUE(std::filesystem::exists(mark));
  std::filesystem::remove(mark);
  EXPECT_GT(waitpid(-1, nullptr, 0), 0);
}

TEST(Guard, LivesInASessionOfItsOwn) {
  // Its process leads its session, which ours does not share.
  const std::string script = "test $(cut -d ' ' -f 6 /proc/$$/stat) -eq $$ && echo watching";
  EXPECT_TRUE(start_guard(shell(script), kLong));
  EXPECT_GT(waitpid(-1, nullptr, 0), 0);
}

TEST(Guard, ThatCannotStartIsAnError) {
  const auto absent = start_guard({"/nowhere/wattflex"}, kLong);
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message, HasSubstr("/nowhere/wattflex"));
}

TEST(Guard, ThatEndsAtOnceIsAnErrorAndLeavesNoProcess) {
  const auto ended = start_guard(shell("exit 3"), kLong);
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("ended at once"));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(Guard, ThatDoesNotAnswerIsEndedAndAnError) {
  const auto silent = start_guard({"/bin/sleep", "1000"}, 50ms);
  ASSERT_FALSE(silent);
  EXPECT_THAT(silent.error().message, HasSubstr("in time"));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

}  // namespace
}  // namespace wattflex::control
