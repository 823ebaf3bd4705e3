// The order of a table's rows and groups carries nothing: the numbers of these verbs stay what they are.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/wattflex/test_run.h"
#include "base/random.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

std::string output_of(Words words) {
  Ran ran = run(std::move(words));
  EXPECT_EQ(ran.status, 0) << ran.err;
  return std::move(ran.out);
}

// Elements that name their group are put in order of that name; texts may name a first row or group.
json ordered(const json& value) {
  if (value.is_object()) {
    json result = json::object();
    for (const auto& [key, child] : value.items()) {
      if (key != "warnings") result[key] = ordered(child);
    }
    return result;
  }
  if (!value.is_array()) return value;
  std::vector<json> elements;
  for (const json& child : value) elements.push_back(ordered(child));
  for (const char* key : {"group", "group_a", "accelerator"}) {
    if (elements.empty() || !elements.front().is_object() || !elements.front().contains(key)) continue;
    std::ranges::stable_sort(elements, {},
                             [&](const json& e) { return std::pair(e[key], e.value("accelerator", "")); });
    break;
  }
  return elements;
}

// Sums may be added up in another order: equal to 1e-9.
void expect_alike(const json& a, const json& b, const std::string& path) {
  if (a.is_number() && b.is_number()) {
    EXPECT_NEAR(double(a), double(b), 1e-9 * std::abs(double(a))) << path;
  } else if (a.is_structured() && a.type() == b.type() && a.size() == b.size()) {
    auto other = b.begin();
    for (const auto& [key, child] : a.items()) expect_alike(child, *other++, fmt::format("{}/{}", path, key));
  } else {
    EXPECT_EQ(a, b) << path;
  }
}

class OrderOfRows : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // The rows of a table, as they are or shuffled, so that groups are split and in another order too.
  std::string written(const std::string& text, const std::string& folder, std::uint64_t seed) const {
    std::istringstream lines(text);
    std::string header;
    std::getline(lines, header);
    std::vector<std::string> rows;
    for (std::string row; std::getline(lines, row);) rows.push_back(row);
    if (seed > 0) std::ranges::shuffle(rows, RandomStream(seed));
    const std::filesystem::path path = folder_ / folder / "sweep.csv";  // one name: it is printed
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path);
    file << header << '\n';
    for (const std::string& row : rows) file << row << '\n';
    return path;
  }

  static json document(const std::string& verb, const std::string& table) {
    if (verb == "compare")
      return json::parse(output_of({verb, table, kPhoenixSweep, "--ci", "100", "-o", "json"}));
    Words words = {verb, table, "-o", "json"};
    if (verb == "pfi" || verb == "curve") words.insert(words.end(), {"--ci", "100"});
    if (verb == "analyze") words.insert(words.end(), {"--grid", "700,500,300"});
    if (verb == "study") words.insert(words.end(), {"--workloads", "5", "--jobs", "20", "--cuts", "10%,25%"});
    if (verb == "plan") words.insert(words.end(), {"--cut", "25%", "--policy", "all"});
    return json::parse(output_of(words));
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("order_of_rows_" + std::string(GetParam()));
};

TEST_P(OrderOfRows, ChangesNoNumber) {
  const std::string verb = GetParam();
  std::string text = output_of({"cohort", "-o", "csv"});
  if (verb == "compare") {
    std::ostringstream phoenix;
    phoenix << std::ifstream(kPhoenixSweep).rdbuf();
    text = phoenix.str();
  }
  const json before = ordered(document(verb, written(text, "as_is", 0)));
  for (const std::uint64_t seed : {1, 2}) {
    expect_alike(before, ordered(document(verb, written(text, "shuffled", seed))), verb);
  }
}

INSTANTIATE_TEST_SUITE_P(Verbs, OrderOfRows,
                         testing::Values("pfi", "curve", "compare", "analyze", "study", "plan"),
                         [](const auto& verb) { return std::string(verb.param); });

}  // namespace
}  // namespace wattflex::app
