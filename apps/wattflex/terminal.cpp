#include "apps/wattflex/terminal.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>

#include "base/parse.h"

namespace wattflex::app {
namespace {

constexpr std::size_t kUsualWidth = 100;
constexpr std::size_t kLeastWidth = 20;  // narrower, nothing can be read

}  // namespace

std::size_t line_width(int descriptor) {
  if (const char* const columns = std::getenv("COLUMNS")) {
    const auto width = parse_integer(columns);
    if (width && *width > 0) return std::max(static_cast<std::size_t>(*width), kLeastWidth);
  }
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max<std::size_t>(size.ws_col, kLeastWidth);
  return kUsualWidth;
}

}  // namespace wattflex::app
