#include "elasticity/normal_draws.h"

#include "base/random.h"

namespace wattflex::elasticity {
namespace {

void fill_normal(std::vector<float>& draws, std::size_t count, RandomStream random) {
  draws.resize(count);
  for (float& draw : draws) draw = static_cast<float>(random.normal());
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
