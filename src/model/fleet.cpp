#include "model/fleet.h"

#include <algorithm>
#include <cctype>

namespace wattflex {

double promised_throughput(FlexTier tier) {
  switch (tier) {
    case FlexTier::flex0:
      return 1;
    case FlexTier::flex1:
      return 0.90;
    case FlexTier::flex2:
      return 0.75;
    case FlexTier::flex3:
      return 0.50;
    case FlexTier::none:
      break;
  }
  return 0;
}

std::string_view to_string(FlexTier tier) {
  switch (tier) {
    case FlexTier::flex0:
      return "Flex 0";
    case FlexTier::flex1:
      return "Flex 1";
    case FlexTier::flex2:
      return "Flex 2";
    case FlexTier::flex3:
      return "Flex 3";
    case FlexTier::none:
      break;
  }
  return "none";
}

std::optional<FlexTier> parse_flex_tier(std::string_view text) {
  const auto starts_with = [&](std::string_view word) {
    const auto lower = [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); };
    return std::ranges::equal(text.substr(0, word.size()), word, {}, lower);
  };
  if (text.empty() || (starts_with("none") && text.size() == 4)) return FlexTier::none;
  if (starts_with("flex")) {
    text.remove_prefix(4);
    // Only after the word: "-1" is nobody's tier.
    if (text.starts_with(' ') || text.starts_with('-') || text.starts_with('_')) text.remove_prefix(1);
  }
  if (text == "0") return FlexTier::flex0;
  if (text == "1") return FlexTier::flex1;
  if (text == "2") return FlexTier::flex2;
  if (text == "3") return FlexTier::flex3;
  return std::nullopt;
}

}  // namespace wattflex
