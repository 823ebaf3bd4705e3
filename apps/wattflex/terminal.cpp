#include "apps/wattflex/terminal.h"

#include <sys/ioctl.h>

#include <cstdlib>

namespace wattflex::app {
namespace {

constexpr std::size_t kUsualWidth = 100;
constexpr std::size_t kLeastWidth = 40;  // narrower, tables fall apart
constexpr std::size_t kMostWidth = 1000;

bool usable(std::size_t width) {
  return width >= kLeastWidth && width <= kMostWidth;
}

}  // namespace

std::size_t line_width(int descriptor) {
  if (const char* const columns = std::getenv("COLUMNS")) {
    const auto width = static_cast<std::size_t>(std::strtoul(columns, nullptr, 10));
    if (usable(width)) return width;
  }
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && usable(size.ws_col)) return size.ws_col;
  return kUsualWidth;
}

}  // namespace wattflex::app
