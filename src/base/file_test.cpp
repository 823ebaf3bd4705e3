#include "base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace wattflex {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// R runs, S waits for something, Z has ended: the letter after the name in brackets.
char state_of(pid_t process) {
  const std::string text = content("/proc/" + std::to_string(process) + "/stat");
  const auto bracket = text.rfind(')');
  return bracket + 2 < text.size() ? text[bracket + 2] : 'Z';
}

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path given(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }

  const fs::path folder_ = fs::temp_directory_path() / ("wattflex-file-test-" + std::to_string(getpid()));
};

TEST_F(WriteFile, ReplacesTheFileAndLeavesNothingElse) {
  const fs::path path = folder_ / "a.txt";
  ASSERT_TRUE(write_file(path, "first"));
  ASSERT_TRUE(write_file(path, "2"));
  EXPECT_EQ(content(path), "2");
  EXPECT_EQ(files(), 1);
}

TEST_F(WriteFile, ReportsAFullDisk) {
  const auto result = write_file("/dev/full", "text");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("/dev/full"));
  EXPECT_EQ(result.error().kind, ErrorKind::io);
}

TEST_F(WriteFile, SaysWhichFileWhenTheFolderIsMissing) {
  const fs::path path = folder_ / "none" / "a.txt";
  const auto result = write_file(path, "text");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, ::testing::HasSubstr(path.string()));
  EXPECT_EQ(files(), 0);
}

TEST_F(WriteFile, SaysWhichFileWhenItCannotBeReached) {
  const auto below_a_file = write_file(given("a.txt", "") / "b.txt", "text");
  ASSERT_FALSE(below_a_file);
  EXPECT_THAT(below_a_file.error().message,
              ::testing::HasSubstr("a.txt/b.txt: cannot open: Not a directory"));
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_FALSE(write_file(folder_ / "circle", "text"));
  EXPECT_EQ(files(), 2);
}

TEST_F(WriteFile, WritesWhereLinksLead) {
  const fs::path target = given("a.txt", "old");
  fs::create_directory(folder_ / "links");
  fs::create_symlink("../a.txt", folder_ / "links" / "near");
  fs::create_symlink(folder_ / "links" / "near", folder_ / "far");
  ASSERT_TRUE(write_file(folder_ / "far", "new"));
  EXPECT_EQ(content(target), "new");
  fs::create_symlink("b.txt", folder_ / "to nothing");
  ASSERT_TRUE(write_file(folder_ / "to nothing", "b"));
  EXPECT_EQ(content(folder_ / "b.txt"), "b");
  for (const char* const link : {"links/near", "far", "to nothing"}) {
    EXPECT_TRUE(fs::is_symlink(folder_ / link)) << link;
  }
}

TEST_F(WriteFile, KeepsTheModeAndGivesNewFilesWhatTheUmaskLeaves) {
  const fs::path path = given("a.txt", "old");
  const mode_t before = umask(027);
  for (const fs::perms mode : {fs::perms(0600), fs::perms(0755), fs::perms(0666)}) {
    fs::permissions(path, mode);
    EXPECT_TRUE(write_file(path, "new"));
    EXPECT_EQ(fs::status(path).permissions(), mode);
  }
  EXPECT_TRUE(write_file(folder_ / "b.txt", "new"));
  EXPECT_EQ(fs::status(folder_ / "b.txt").permissions(), fs::perms(0640));
  umask(before);
}

TEST_F(WriteFile, IsNotConfusedByWhatAKilledProcessLeft) {
  const fs::path path = given("a.txt", "old");
  given("a.txt.part-" + std::to_string(getpid()), "half of something, and longer");
  ASSERT_TRUE(write_file(path, "new"));
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(WriteFile, ReportsAFileThatMayNotGrowSoLarge) {
  const fs::path path = given("a.txt", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 1000, .rlim_max = before.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const auto fits = write_file(path, std::string(1000, 'n'));
  const auto result = write_file(path, std::string(1001, 'm'));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_TRUE(fits);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("a.txt: cannot write: File too large"));
  EXPECT_EQ(content(path), std::string(1000, 'n'));
  EXPECT_EQ(files(), 1);
}

// Ctrl-C in any write, the first as the tenth, wherever it is by then: the file is the whole old text or the
// whole new one, and the neighbour is gone.
TEST_F(WriteFile, IsNeverHalfWrittenWhenInterrupted) {
  const fs::path path = folder_ / "a.txt";
  const std::string old_text(20'000, 'o');
  const std::string new_text(30'000, 'n');
  for (int moment = 0; moment < 10; ++moment) {
    ASSERT_TRUE(write_file(path, old_text));
    std::array<int, 2> begun = {};
    ASSERT_EQ(pipe(begun.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      while (write(begun[1], "w", 1) == 1 && write_file(path, new_text)) {
      }
      _exit(1);
    }
    char byte = 0;
    for (int i = 0; i <= moment; ++i) ASSERT_EQ(read(begun[0], &byte, 1), 1);
    kill(child, SIGINT);
    close(begun[0]);
    close(begun[1]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    const std::string found = content(path);
    EXPECT_TRUE(found == old_text || found == new_text) << found.size() << " bytes";
    EXPECT_EQ(files(), 1);
  }
}

// Killed while it has the new text open: not even SIGKILL leaves more than the old file.
TEST_F(WriteFile, LeavesNothingWhenKilledInTheMiddle) {
  const fs::path path = given("a.txt", "old");
  const std::string text(std::size_t{64} << 20, 'n');
  const pid_t child = fork();
  if (child == 0) {
    _exit(write_file(path, text) ? 0 : 1);
  }
  const auto writes = [&] {
    std::error_code gone;
    for (const auto& file : fs::directory_iterator("/proc/" + std::to_string(child) + "/fd", gone)) {
      if (fs::read_symlink(file, gone).string().starts_with(folder_.string())) return true;
    }
    return false;
  };
  while (!writes() && waitpid(child, nullptr, WNOHANG) == 0) {
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(files(), 1);
}

// A pipe nobody reads would otherwise wait for ever.
TEST_F(WriteFile, CanBeInterruptedBeforeAPipe) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);  // ends it by another signal than the one expected
    _exit(write_file(pipe, "text") ? 0 : 1);
  }
  // Until it waits for a reader, or is gone.
  while (state_of(child) == 'R') sched_yield();
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

}  // namespace
}  // namespace wattflex
