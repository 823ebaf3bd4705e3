#include "base/durable_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace wattflex {
namespace {

namespace fs = std::filesystem;

class DurableFile : public testing::Test {
 protected:
  DurableFile()
      : folder_(fs::path(testing::TempDir()) /
                ("durable_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile() override { fs::remove_all(folder_); }

  std::string path() const { return folder_ / "journal"; }
  std::string text() const {
    std::ifstream file(path());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

 private:
  fs::path folder_;
};

TEST_F(DurableFile, ReplacesTheWholeTextAndLeavesNothingElse) {
  ASSERT_TRUE(write_file_durably(path(), std::string(100'000, 'x')));
  ASSERT_TRUE(write_file_durably(path(), "short\n"));
  EXPECT_EQ(text(), "short\n");
  EXPECT_EQ(files(), 1);
  struct stat status{};
  ASSERT_EQ(stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600);
}

TEST_F(DurableFile, KeepsTheOldTextWhereTheNewOneCannotBeWritten) {
  ASSERT_TRUE(write_file_durably(path(), "old"));
  fs::create_directory(path() + ".next");
  const auto written = write_file_durably(path(), "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::io);
  EXPECT_NE(written.error().message.find(path()), std::string::npos);
  EXPECT_EQ(text(), "old");
}

TEST_F(DurableFile, FollowsNoLinkThatLiesInWait) {
  std::ofstream(path() + ".victim") << "precious";
  fs::create_symlink(path() + ".victim", path() + ".next");
  EXPECT_FALSE(write_file_durably(path(), "new"));
  std::ifstream victim(path() + ".victim");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(victim), {}), "precious");
}

}  // namespace
}  // namespace wattflex
