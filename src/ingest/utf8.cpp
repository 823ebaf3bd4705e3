#include "ingest/utf8.h"

#include <cstddef>

namespace wattflex::ingest {
namespace {

// Length of the sequence a byte begins (0: it cannot begin one) and the range of the byte after it.
struct Lead {
  std::size_t length;
  unsigned char lowest_second = 0x80;
  unsigned char highest_second = 0xBF;
};

Lead lead_of(unsigned char c) {
  if (c < 0x80) return {1};
  if (c >= 0xC2 && c <= 0xDF) return {2};
  if (c == 0xE0) return {3, 0xA0};
  if (c == 0xED) return {3, 0x80, 0x9F};
  if (c >= 0xE1 && c <= 0xEF) return {3};
  if (c == 0xF0) return {4, 0x90};
  if (c == 0xF4) return {4, 0x80, 0x8F};
  if (c >= 0xF1 && c <= 0xF3) return {4};
  return {0};
}

}  // namespace

std::size_t control_length(std::string_view text) {
  if (text.empty()) return 0;
  if (is_control(text[0])) return 1;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (text.size() >= 2 && byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) return 2;
  if (text.size() < 3 || byte(0) != 0xE2) return 0;
  const bool embeds = byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE;
  const bool isolates = byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
  return embeds || isolates ? 3 : 0;
}

bool is_plain_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (control_length(text.substr(at)) != 0) return false;
  }
  return is_utf8(text);
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[at]));
    if (lead.length == 0 || at + lead.length > text.size()) return false;
    for (std::size_t i = 1; i < lead.length; ++i) {
      const auto c = static_cast<unsigned char>(text[at + i]);
      if (c < (i == 1 ? lead.lowest_second : 0x80) || c > (i == 1 ? lead.highest_second : 0xBF)) return false;
    }
    at += lead.length;
  }
  return true;
}

}  // namespace wattflex::ingest
