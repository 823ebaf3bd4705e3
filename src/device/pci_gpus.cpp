#include "device/pci_gpus.h"

#include <filesystem>
#include <fstream>

namespace wattflex::device {
namespace {

constexpr std::string_view kNvidia = "0x10de";
// Display controllers: VGA compatible (0x0300) and 3D (0x0302), which data-centre boards are.
constexpr std::string_view kVga = "0x0300";
constexpr std::string_view k3d = "0x0302";

std::string first_word(const std::filesystem::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

}  // namespace

std::optional<std::size_t> pci_gpus(const std::string& folder) {
  std::error_code problem;
  std::filesystem::directory_iterator entries(folder, problem);
  if (problem) return std::nullopt;
  std::size_t count = 0;
  for (; entries != std::filesystem::directory_iterator(); entries.increment(problem)) {
    if (problem) return std::nullopt;
    if (first_word(entries->path() / "vendor") != kNvidia) continue;
    const std::string kind = first_word(entries->path() / "class");
    if (kind.starts_with(kVga) || kind.starts_with(k3d)) ++count;
  }
  return count;
}

}  // namespace wattflex::device
