// A tqdm progress bar: "desc:  6%|#   | 1/16 [00:58<14:41, 58.76s/it, loss=2]".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wattflex::logs {

struct ProgressBar {
  std::string_view description;  // in front of the percentage, without ": "
  std::int64_t done = 0;
  std::int64_t total = 0;
  double elapsed = 0;        // s, whole seconds
  std::string_view postfix;  // behind the rate
};

std::optional<ProgressBar> parse_bar(std::string_view line);

}  // namespace wattflex::logs
