// For tests of `wattflex plan`: the Phoenix example, and small tables of their own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/wattflex/test_run.h"

namespace wattflex::app {

inline const std::string kTable = WATTFLEX_SOURCE_DIR "/examples/phoenix/sweep.csv";
inline const std::string kFleet = WATTFLEX_SOURCE_DIR "/examples/phoenix/fleet.csv";

inline Ran plan(std::vector<std::string> arguments) {
  return run_verb("plan", std::move(arguments));
}

inline Ran plan_phoenix(std::vector<std::string> more) {
  std::vector<std::string> arguments = {kTable, "--fleet", kFleet, "-o", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return plan(std::move(arguments));
}

// A file with these lines, for as long as the object lives; named after the running test.
class TestFile {
 public:
  explicit TestFile(std::string_view lines)
      : path_(::testing::TempDir() + "/wattflex_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv") {
    std::ofstream(path_) << lines;
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  ~TestFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace wattflex::app
