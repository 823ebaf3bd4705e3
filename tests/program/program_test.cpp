// The built program as a shell sees it: start-up, pipes and signals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace wattflex {
namespace {

constexpr const char* kProgram = WATTFLEX_PROGRAM;
const std::string kSweep = WATTFLEX_SOURCE_DIR "/examples/phoenix/sweep.csv";

struct Ran {
  int status = 0;
  std::string text;  // both streams
};

Ran shell(const std::string& script) {
  FILE* const pipe = popen(("exec 2>&1; " + script).c_str(), "r");
  Ran ran;
  std::array<char, 4096> buffer{};
  while (const std::size_t read = fread(buffer.data(), 1, buffer.size(), pipe))
    ran.text.append(buffer.data(), read);
  ran.status = WEXITSTATUS(pclose(pipe));
  return ran;
}

std::string bash(const std::string& script) {
  return "bash -c 'set -o pipefail; " + script + "'";
}

#ifdef NDEBUG
// The best of twenty: what the program needs, not what else the machine was doing.
TEST(Program, ShowsItsHelpWithinTwentyMilliseconds) {
  std::vector<double> milliseconds;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(shell(std::string("exec ") + kProgram + " --help >/dev/null").status, 0);
    milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  EXPECT_LT(*std::ranges::min_element(milliseconds), 20);
}
#endif

TEST(Program, EndsQuietlyWhenItsReaderHasSeenEnough) {
  const Ran ran = shell(bash(std::string(kProgram) + " pfi " + kSweep + " --ci 0 -q -o json | head -n 1"));
  EXPECT_EQ(ran.text, "{\n");
  // The same under a parent that ignores the signal, as some schedulers do.
  const Ran ignoring = shell(
      bash("trap \"\" PIPE; " + std::string(kProgram) + " pfi " + kSweep + " --ci 0 -q -o json | head -n 1"));
  EXPECT_EQ(ignoring.text, "{\n");
}

TEST(Program, SaysThatTheDiskIsFull) {
  const Ran ran = shell(std::string(kProgram) + " pfi " + kSweep + " --ci 0 -q >/dev/full");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.text, ::testing::HasSubstr("standard output: write failed"));
}

TEST(Program, EndsOnInterruptWithStatus130) {
  const Ran ran =
      shell(bash("sleep 1 | timeout --preserve-status -s INT 0.3 " + std::string(kProgram) + " check -"));
  EXPECT_EQ(ran.status, 130);
  EXPECT_EQ(ran.text, "");
}

// At most 8 MiB of scratch file and ten seconds, however much comes.
TEST(Program, RefusesEndlessInputAtOnce) {
  const std::string header = "group,gpus,cap_w,power_w,throughput";
  for (const auto& [input, problem] : {
           std::pair<std::string, std::string>("yes", "row 1, column group: this column is missing"),
           {"yes \"\"", "blank or comments"},
           {"yes \"# comment\"", "blank or comments"},
           {"(echo " + header + "; yes)", "row 2: 1 cell for 5 columns"},
           {"cat /dev/zero", "row 1: holds a NUL byte"},
           {"(echo " + header + "; cat /dev/zero)", "row 2: holds a NUL byte"},
       }) {
    for (const char* words : {" pfi -", " check -", " curve /dev/stdin"}) {
      const Ran ran =
          shell(bash("ulimit -f 8192; " + input + " 2>/dev/null | timeout 10 " + kProgram + words));
      EXPECT_EQ(ran.status, 1) << input << words;
      EXPECT_THAT(ran.text, ::testing::HasSubstr(problem)) << input << words;
    }
  }
  EXPECT_EQ(shell(std::string("ulimit -f 8192; timeout 10 ") + kProgram + " pfi /dev/urandom").status, 1);
  EXPECT_THAT(
      shell(std::string("timeout 10 ") + kProgram + " plan " + kSweep + " --cut 10% --fleet /dev/zero").text,
      ::testing::HasSubstr("/dev/zero, row 1: holds a NUL byte"));
}

}  // namespace
}  // namespace wattflex
