#include "ingest/cell_text.h"

#include <algorithm>
#include <cstddef>

#include "ingest/utf8.h"

namespace wattflex::ingest {
namespace {

constexpr std::size_t kMostShownBytes = 40;

}  // namespace

std::string shown(std::string_view cell) {
  std::string text;
  const std::string_view kept = cell.substr(0, kMostShownBytes);
  for (std::size_t at = 0; at < kept.size();) {
    const std::size_t hidden = control_length(kept.substr(at));
    text += hidden > 0 ? '?' : kept[at];
    at += std::max<std::size_t>(hidden, 1);
  }
  if (cell.size() > kMostShownBytes) {
    for (int i = 0; i < 3 && !is_utf8(text); ++i) text.pop_back();  // a character cut in the middle
    text += "...";
  }
  return is_utf8(text) ? text : "(not UTF-8)";
}

FaultText text_of(NumberFault fault) {
  switch (fault) {
    case NumberFault::empty:
      return {FindingKind::missing_value, "is empty"};
    case NumberFault::not_available:
      return {FindingKind::missing_value, "is a missing reading"};
    case NumberFault::not_finite:
      return {FindingKind::not_finite, "is not a finite number"};
    case NumberFault::out_of_range:
      return {FindingKind::out_of_range, "is out of range"};
    case NumberFault::thousands_mark:
      return {FindingKind::thousands_mark, "has thousands marks"};
    case NumberFault::decimal_comma:
      return {FindingKind::decimal_comma, "mixes up decimal comma and decimal point"};
    case NumberFault::unit:
      return {FindingKind::unit_in_cell, "has a unit behind the number"};
    case NumberFault::none:
    case NumberFault::not_a_number:
      break;
  }
  return {FindingKind::not_a_number, "is not a number"};
}

}  // namespace wattflex::ingest
