#include "device/nvml/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace wattflex::nvml {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Folder {
 public:
  // A name of its own: the loader knows a path that it has once loaded, whether or not it is still there.
  Folder()
      : path_(fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "usr/lib/x86_64-linux-gnu");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// CAP-18: a driver that lives in a root of its own.
TEST(NvmlLibrary, IsFoundUnderTheRootOfAContainerisedDriver) {
  const Folder root;
  const fs::path library = root.path() / "usr/lib/x86_64-linux-gnu" / kLibraryName;
  fs::create_symlink(WATTFLEX_FAKE_NVML, library);
  const auto loaded = load_library(root.path());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->path, library);
  EXPECT_NE(loaded->functions.nvmlDeviceGetCount_v2, nullptr);
}

TEST(NvmlLibrary, IsFoundInTheFolderThatHoldsIt) {
  const Folder root;
  fs::create_symlink(WATTFLEX_FAKE_NVML, root.path() / kLibraryName);
  EXPECT_TRUE(load_library(root.path()));
}

TEST(NvmlLibrary, SaysWhereItLookedInVain) {
  const Folder root;
  const auto missing = load_library(root.path());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().problem, Problem::no_driver);
  EXPECT_THAT(missing.error().message, HasSubstr(root.path().string()));
  const auto no_file = load_library("/nowhere/libnvidia-ml.so.1");
  ASSERT_FALSE(no_file);
  EXPECT_THAT(no_file.error().message, HasSubstr("/nowhere/libnvidia-ml.so.1"));
}

TEST(NvmlLibrary, IsLookedForByTheLoaderFirst) {
  EXPECT_EQ(library_candidates("").front(), "libnvidia-ml.so.1");
  EXPECT_EQ(library_candidates("/a/libnvidia-ml.so.1"), std::vector<std::string>{"/a/libnvidia-ml.so.1"});
}

TEST(NvmlLibrary, RefusesAnotherLibrary) {
  const auto other = load_library("libm.so.6");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("nvmlInit_v2"));
}

TEST(NvmlLibrary, LacksWhatTheDriverDoesNotHave) {
  const auto loaded = load_library(WATTFLEX_FAKE_NVML);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->functions.nvmlDeviceGetMinorNumber, nullptr);
}

}  // namespace
}  // namespace wattflex::nvml
