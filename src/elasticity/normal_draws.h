// Standard normal draws for the points of a sweep, made once and reused for every group. The draws of the
// k-th point are the same for a seed whatever was asked for before, so a group's interval does not depend on
// the others in its table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wattflex::elasticity {

// Not thread-safe: draws are made when first asked for.
class NormalDraws {
 public:
  struct Columns {
    std::span<const float> power;
    std::span<const float> throughput;
  };

  // Points whose draws are kept; the longest public sweep has 31. Beyond, they are made anew each time, so
  // that a group of thousands of points costs time and not memory.
  static constexpr std::size_t kKeptPoints = 48;

  NormalDraws(int count, std::uint64_t seed) : count_(static_cast<std::size_t>(count)), seed_(seed) {}

  std::size_t count() const { return count_; }
  // The draws of point `index`, `count` each, independent of all other points'. Valid as long as this object
  // for the first kKeptPoints, else until the next call.
  Columns of(std::size_t index);

 private:
  struct Pair {
    std::vector<float> power;
    std::vector<float> throughput;
  };
  void fill(Pair& pair, std::size_t index) const;

  std::size_t count_;
  std::uint64_t seed_;
  std::vector<Pair> kept_;  // of the first points
  Pair scratch_;            // of the last one asked for beyond those
};

}  // namespace wattflex::elasticity
