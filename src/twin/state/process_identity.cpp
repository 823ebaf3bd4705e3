#include "twin/state/process_identity.h"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

namespace wattflex::twin {
namespace {

constexpr unsigned kProcessBits = 22;  // the kernel's largest pid_max is 2^22
constexpr int kStateField = 3;
constexpr int kStartField = 22;

// Of /proc/PID/stat, from the third on: the second, the name, may hold anything, but its end is the last ')'.
std::string field_of(const std::string& stat, int number) {
  std::istringstream rest(stat.substr(stat.rfind(')') + 1));
  std::string field;
  for (int i = kStateField; i <= number; ++i) rest >> field;
  return field;
}

}  // namespace

std::uint64_t identity_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string stat;
  if (!std::getline(file, stat) || stat.rfind(')') == std::string::npos) return 0;
  const std::string state = field_of(stat, kStateField);
  if (state == "Z" || state == "X") return 0;
  const std::string start = field_of(stat, kStartField);
  std::uint64_t ticks = 0;
  const auto read = std::from_chars(start.data(), start.data() + start.size(), ticks);
  if (read.ec != std::errc()) return 0;
  return (ticks << kProcessBits) | static_cast<std::uint64_t>(process);
}

pid_t process_of(std::uint64_t identity) {
  return static_cast<pid_t>(identity & ((1U << kProcessBits) - 1));
}

bool is_alive(std::uint64_t identity) {
  return identity != 0 && identity_of(process_of(identity)) == identity;
}

}  // namespace wattflex::twin
