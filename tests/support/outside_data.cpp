#include "tests/support/outside_data.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wattflex {
namespace {

void skip_without(const std::filesystem::path& path) {
  GTEST_SKIP() << path.string() << " is not there; cmake -DWATTFLEX_DATA=FOLDER says where the data is";
}

}  // namespace

std::optional<std::filesystem::path> outside_data(std::string_view name) {
  std::filesystem::path path = std::filesystem::path(WATTFLEX_DATA) / name;
  if (std::filesystem::exists(path)) return path;
  skip_without(path);
  return std::nullopt;
}

std::vector<std::filesystem::path> outside_sweeps() {
  std::vector<std::filesystem::path> tables;
  const auto folder = outside_data("sweeps");
  if (!folder) return tables;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() == ".csv" && entry.path().stem() != "expected_pfi")
      tables.push_back(entry.path());
  }
  std::ranges::sort(tables);
  return tables;
}

}  // namespace wattflex
