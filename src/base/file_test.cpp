#include "base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace wattflex {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

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

// Ctrl-C at any moment: the file is the whole old text or the whole new one, and the neighbour is gone.
TEST_F(WriteFile, IsNeverHalfWrittenWhenInterrupted) {
  const fs::path path = folder_ / "a.txt";
  const std::string old_text(20'000, 'o');
  const std::string new_text(30'000, 'n');
  for (int moment = 0; moment < 10; ++moment) {
    ASSERT_TRUE(write_file(path, old_text));
    const pid_t child = fork();
    if (child == 0) {
      while (write_file(path, new_text)) {
      }
      _exit(1);
    }
    usleep(static_cast<useconds_t>(200 + 300 * moment));
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    const std::string found = content(path);
    EXPECT_TRUE(found == old_text || found == new_text) << found.size() << " bytes";
    EXPECT_EQ(files(), 1);
  }
}

}  // namespace
}  // namespace wattflex
