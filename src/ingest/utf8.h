// Whether bytes may be shown to people: valid UTF-8, no control characters (which could drive a terminal).
#pragma once

#include <cstddef>
#include <string_view>

namespace wattflex::ingest {

constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// Bytes at the start of `text` that control a display and show nothing: C0 and C1 controls, and the marks
// that reorder what follows (U+202A..202E, U+2066..2069); 0 when it starts with anything else.
std::size_t control_length(std::string_view text);
// UTF-8 without any of them.
bool is_plain_text(std::string_view text);

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace wattflex::ingest
