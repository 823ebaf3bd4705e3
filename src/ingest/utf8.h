// Whether bytes may be shown to people: valid UTF-8, no control characters (which could drive a terminal).
#pragma once

#include <string_view>

namespace wattflex::ingest {

constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace wattflex::ingest
