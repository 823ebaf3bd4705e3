// How a refused cell is put into a message.
#pragma once

#include <string>
#include <string_view>

#include "ingest/finding.h"
#include "ingest/number_reader.h"

namespace wattflex::ingest {

// The cell, shortened, with nothing in it that could harm a terminal or a JSON document.
std::string shown(std::string_view cell);

struct FaultText {
  FindingKind kind;
  std::string_view problem;  // "has thousands marks"
};
FaultText text_of(NumberFault fault);

}  // namespace wattflex::ingest
