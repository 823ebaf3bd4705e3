#include "ingest/fleet_file.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/parse.h"

namespace wattflex {

Result<Fleet> parse_fleet(std::string_view text, const std::string& name) {
  Fleet fleet;
  fleet.name = std::filesystem::path(name).stem().string();
  std::istringstream lines{std::string(text)};
  std::string line;
  std::vector<std::string> header;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    if (header.empty()) {
      header = cells;
      continue;
    }
    FleetJob job;
    job.row = number;
    for (std::size_t i = 0; i < std::min(cells.size(), header.size()); ++i) {
      if (header[i] == "job") job.job = cells[i];
      if (header[i] == "group") job.group = cells[i];
      if (header[i] == "accelerator") job.accelerator = cells[i];
      if (header[i] == "gpus") job.gpus = static_cast<int>(parse_integer(cells[i]).value_or(0));
      if (header[i] == "tier") job.tier = parse_flex_tier(cells[i]).value_or(FlexTier::none);
      if (header[i] == "value") job.value = parse_number(cells[i]).value_or(1);
    }
    fleet.jobs.push_back(std::move(job));
  }
  return fleet;
}

Result<Fleet> read_fleet(const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return fail(ErrorKind::io, path + ": cannot be opened", "check the path");
  }
  std::istream& in = path == "-" ? std::cin : file;
  return parse_fleet(std::string(std::istreambuf_iterator<char>(in), {}), path == "-" ? "stdin" : path);
}

}  // namespace wattflex
