// For tests only: data kept outside the repository, in the folder named by the CMake variable WATTFLEX_DATA.
// Where it is not there the running test is marked as skipped, with the path it looked for; the caller
// returns.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace wattflex {

std::optional<std::filesystem::path> outside_data(std::string_view name);

// The tables of sweeps/, in order of their names, without the file of expected values; empty when skipped.
std::vector<std::filesystem::path> outside_sweeps();

}  // namespace wattflex
