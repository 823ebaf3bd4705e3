// Tables of 1 GB and of 100,000 groups pass through `wattflex check` and `wattflex pfi` in bounded memory.
// The programs run as processes of their own, so that their peak memory can be read from the kernel.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace wattflex {
namespace {

constexpr long kMostPeakMiB = 256;

class LargeTable : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
#ifndef NDEBUG
    GTEST_SKIP() << "an unoptimised build would take minutes";
#else
    if (std::filesystem::space(folder_).available < 4'000'000'000U)
      GTEST_SKIP() << "less than 4 GB free in " << folder_;
#endif
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ + "/" + name; }

  // `groups` groups of `caps` caps; `interleaved` puts the rows of a group far apart.
  std::string write_table(int groups, int caps, bool interleaved) const {
    const std::string file = path("table.csv");
    std::FILE* const out = std::fopen(file.c_str(), "w");
    if (out == nullptr) throw std::runtime_error("cannot write " + file);
    std::fputs("group,accelerator,gpus,cap_w,power_w,throughput,dram_active\n", out);
    const auto row = [&](int group, int cap) {
      const double watts = 900 * std::pow(0.985, cap);
      std::fprintf(out, "job-%07d/llama-70b,H200,8,%.2f,%.6f,%.8f,0.%04d\n", group, watts, 7.7 * watts,
                   1000 * watts / (watts + 200), 1000 + cap);
    };
    if (interleaved) {
      for (int cap = 0; cap < caps; ++cap) {
        for (int group = 0; group < groups; ++group) row(group, cap);
      }
    } else {
      for (int group = 0; group < groups; ++group) {
        for (int cap = 0; cap < caps; ++cap) row(group, cap);
      }
    }
    if (std::ferror(out) != 0 || std::fclose(out) != 0) throw std::runtime_error("cannot write " + file);
    return file;
  }

  struct Ran {
    int status = -1;
    long peak_mib = 0;
    std::string out;  // its first 64 KiB
  };

  Ran run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), WATTFLEX_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const std::string output = path("output");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const std::string temporary = "TMPDIR=" + folder_;
    char* environment[] = {const_cast<char*>(temporary.c_str()), nullptr};
    pid_t child = 0;
    Ran ran;
    if (posix_spawn(&child, WATTFLEX_PROGRAM, &actions, nullptr, argv.data(), environment) == 0) {
      int status = 0;
      rusage usage{};
      wait4(child, &status, 0, &usage);
      ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      ran.peak_mib = usage.ru_maxrss / 1024;
    }
    posix_spawn_file_actions_destroy(&actions);
    std::ifstream file(output);
    ran.out.resize(64 << 10);
    file.read(ran.out.data(), static_cast<std::streamsize>(ran.out.size()));
    ran.out.resize(static_cast<std::size_t>(file.gcount()));
    return ran;
  }

 private:
  std::string folder_ = testing::TempDir() + "wattflex_large_" + std::to_string(getpid());
};

TEST_F(LargeTable, OfAGigabyteIsCheckedInBoundedMemory) {
  const std::string file = write_table(2'300'000, 7, false);
  EXPECT_GE(std::filesystem::file_size(file), 1'000'000'000U);
  const Ran ran = run({"check", file});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, testing::HasSubstr("16100000 rows, 2300000 groups; usable, nothing odd"));
  EXPECT_LT(ran.peak_mib, kMostPeakMiB);
}

TEST_F(LargeTable, WhoseGroupsAreScatteredIsCheckedInBoundedMemory) {
  const std::string file = write_table(100'000, 40, true);
  EXPECT_GE(std::filesystem::file_size(file), 250'000'000U);
  const Ran ran = run({"check", file});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, testing::HasSubstr("4000000 rows, 100000 groups; usable, with 1 warning"));
  EXPECT_LT(ran.peak_mib, kMostPeakMiB);
}

TEST_F(LargeTable, OfAHundredThousandGroupsGivesItsIndicesInBoundedMemory) {
  const Ran ran = run({"pfi", write_table(100'000, 7, false), "--ci", "0", "-o", "csv", "-q"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, testing::HasSubstr("job-0000000/llama-70b"));
  EXPECT_LT(ran.peak_mib, kMostPeakMiB);
}

}  // namespace
}  // namespace wattflex
