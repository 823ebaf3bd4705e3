// A job kind's weighted curve between two of its breakpoints, and the concave envelope of any stretch of it.
#pragma once

#include <cstddef>
#include <vector>

namespace wattflex::allocate {

struct Breakpoint {
  double draw = 0;   // watts
  double yield = 0;  // weighted throughput
};

// One straight piece of an envelope, from breakpoint `from` to `to`. Where to > from + 1 the curve itself
// lies below the piece: a gap.
struct EnvelopePiece {
  std::size_t from = 0;
  std::size_t to = 0;
  double width = 0;  // watts
  double slope = 0;  // yield per watt

  bool has_gap() const { return to > from + 1; }
};

// Pieces of the upper concave envelope of breakpoints first..last, left to right: slopes fall strictly.
std::vector<EnvelopePiece> concave_envelope(const std::vector<Breakpoint>& curve, std::size_t first,
                                            std::size_t last);

}  // namespace wattflex::allocate
