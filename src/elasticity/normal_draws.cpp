#include "elasticity/normal_draws.h"

#include <cmath>

#include "base/random.h"

namespace wattflex::elasticity {
namespace {

// Marsaglia's polar method, as RandomStream::normal, but both coordinates from one 64-bit word: 32 bits are
// enough for draws kept as float, and making draws is a fifth of all time.
void fill_normal(std::vector<float>& draws, std::size_t count, RandomStream random) {
  draws.clear();
  draws.reserve(count + 1);
  while (draws.size() < count) {
    const std::uint64_t word = random();
    const double u = static_cast<std::int32_t>(word) * 0x1.0p-31;
    const double v = static_cast<std::int32_t>(word >> 32) * 0x1.0p-31;
    const double square = u * u + v * v;
    if (square >= 1 || square == 0) continue;
    const double factor = std::sqrt(-2 * std::log(square) / square);
    draws.push_back(static_cast<float>(u * factor));
    draws.push_back(static_cast<float>(v * factor));
  }
  draws.resize(count);
}

}  // namespace

NormalDraws::Columns NormalDraws::of(std::size_t index) {
  if (index >= kKeptPoints) {
    fill(scratch_, index);
    return {scratch_.power, scratch_.throughput};
  }
  if (index >= kept_.size()) kept_.resize(index + 1);
  Pair& pair = kept_[index];
  if (pair.power.empty()) fill(pair, index);
  return {pair.power, pair.throughput};
}

void NormalDraws::fill(Pair& pair, std::size_t index) const {
  fill_normal(pair.power, count_, RandomStream(seed_, 2 * index));
  fill_normal(pair.throughput, count_, RandomStream(seed_, 2 * index + 1));
}

}  // namespace wattflex::elasticity
