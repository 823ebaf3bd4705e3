#include "model/fleet.h"

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
  if (text.empty() || text == "none") return FlexTier::none;
  if (text.starts_with("Flex") || text.starts_with("flex")) {
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
