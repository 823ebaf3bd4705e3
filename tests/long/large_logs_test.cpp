// A training log of 2 GB passes through `wattflex logs` in 64 MiB, from a pipe as its writer makes it: with
// step lines, other ranks' noise, endless lines and bars without a line end.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace wattflex {
namespace {

constexpr long kMostPeakMiB = 64;
constexpr std::size_t kLogBytes = 2'000'000'000;
constexpr std::size_t kRowsBytes = 500'000'000;  // writing rows takes longer than reading them

struct Ran {
  int status = -1;
  long peak_mib = 0;
  std::string out;
};

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_read();
    close_write();
  }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  std::array<int, 2> ends_ = {-1, -1};
};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Calls `next` for blocks of text until enough bytes have gone into the program's standard input.
template <class Next>
Ran read_log(const char* format, Next next) {
  (void)std::signal(SIGPIPE, SIG_IGN);
  Pipe input;
  Pipe output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read_end(), 0);
  if (std::string_view(format) == "csv") {
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&actions, output.write_end(), 1);
  }
  std::array<std::string, 7> words = {WATTFLEX_PROGRAM, "logs", "-", "--seq-len", "4096", "-o", format};
  std::array<char*, 8> argv{};
  for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
  std::array<char*, 1> environment{};
  pid_t child = 0;
  Ran ran;
  const int failed =
      posix_spawn(&child, WATTFLEX_PROGRAM, &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return ran;
  input.close_read();
  output.close_write();
  const std::size_t wanted = std::string_view(format) == "csv" ? kRowsBytes : kLogBytes;
  for (std::size_t written = 0; written < wanted;) {
    const std::string block = next();
    if (!write_all(input.write_end(), block)) break;
    written += block.size();
  }
  input.close_write();
  std::array<char, 4096> bytes{};
  for (ssize_t count = 0; (count = ::read(output.read_end(), bytes.data(), bytes.size())) > 0;)
    ran.out.append(bytes.data(), static_cast<std::size_t>(count));
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ran.peak_mib = usage.ru_maxrss / 1024;
  return ran;
}

class LargeLog : public testing::Test {
 protected:
  void SetUp() override {
#ifndef NDEBUG
    GTEST_SKIP() << "an unoptimised build would take minutes";
#endif
  }

  // A block of steps, each with the noise of other ranks.
  std::string steps() {
    std::string block;
    std::array<char, 512> line{};
    while (block.size() < (std::size_t{1} << 20)) {
      ++step_;
      const int size = std::snprintf(
          line.data(), line.size(),
          " iteration %8lld/ 90000000 | consumed samples: %12lld | elapsed time per iteration (ms): "
          "%.1f | global batch size:  1024 | lm loss: 2.1E+00 |\n[Rank %lld] memory (MB) | allocated: "
          "15492.84 | max allocated: 15492.84 | reserved: 18738.0\n",
          step_, 1024 * step_, 8000.0 + 0.1 * static_cast<double>(step_ % 97), step_ % 64);
      block.append(line.data(), static_cast<std::size_t>(size));
    }
    return block;
  }
  long long step_ = 0;
};

TEST_F(LargeLog, OfTwoGigabytesIsReadInBoundedMemory) {
  const Ran ran = read_log("json", [&] { return steps(); });
  EXPECT_EQ(ran.status, 0);
  // The mean of 8000..8009.6 ms.
  constexpr std::string_view kKey = "\"step_time_s\": ";
  const std::size_t at = ran.out.find(kKey);
  ASSERT_NE(at, std::string::npos) << ran.out.substr(0, 500);
  EXPECT_NEAR(std::strtod(ran.out.c_str() + at + kKey.size(), nullptr), 8.0048, 1e-3);
  EXPECT_NE(ran.out.find("\"step_lines\": " + std::to_string(step_)), std::string::npos);
  EXPECT_LT(ran.peak_mib, kMostPeakMiB);
}

TEST_F(LargeLog, GivesItsRowsInBoundedMemory) {
  const Ran ran = read_log("csv", [&] { return steps(); });
  EXPECT_EQ(ran.status, 0);
  EXPECT_LT(ran.peak_mib, kMostPeakMiB);
}

TEST_F(LargeLog, OfOneEndlessLineAndManyResumesIsReadInBoundedMemory) {
  bool first = true;
  int run = 0;
  const Ran ran = read_log("json", [&] {
    if (std::exchange(first, false)) return steps();
    if (run == 100'000) return std::string(std::size_t{1} << 20, 'x');
    std::string block;
    for (int i = 0; i < 1000; ++i, ++run)
      block +=
          " iteration   9/  90 | elapsed time per iteration (ms): 8000.0 | x |\n iteration   5/  90 | "
          "elapsed time per iteration "
          "(ms): 8000.0 | x |\n";
    return block;
  });
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("\"overlong\": 1,"), std::string::npos);
  EXPECT_LT(ran.peak_mib, kMostPeakMiB);
}

}  // namespace
}  // namespace wattflex
