// A count with its noun for messages: "1 job", "2 jobs". For nouns whose plural ends in s.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wattflex {

inline std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace wattflex
