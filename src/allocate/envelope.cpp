#include "allocate/envelope.h"

namespace wattflex::allocate {
namespace {

EnvelopePiece piece_between(const std::vector<Breakpoint>& curve, std::size_t from, std::size_t to) {
  const double width = curve[to].draw - curve[from].draw;
  return {from, to, width, (curve[to].yield - curve[from].yield) / width};
}

}  // namespace

std::vector<EnvelopePiece> concave_envelope(const std::vector<Breakpoint>& curve, std::size_t first,
                                            std::size_t last) {
  // Andrew's monotone chain: a piece that rises less than the next one is swallowed by their chord.
  std::vector<EnvelopePiece> envelope;
  for (std::size_t k = first; k < last; ++k) {
    EnvelopePiece piece = piece_between(curve, k, k + 1);
    while (!envelope.empty() && envelope.back().slope <= piece.slope) {
      piece = piece_between(curve, envelope.back().from, piece.to);
      envelope.pop_back();
    }
    envelope.push_back(piece);
  }
  return envelope;
}

}  // namespace wattflex::allocate
