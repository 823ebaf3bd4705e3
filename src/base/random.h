// Reproducible random streams: one 64-bit seed and a stream number give the same draws on every machine and
// compiler. The distributions of <random> differ between standard libraries, so ours are written out.
// Not for secrets.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace wattflex {

// A stream number for a thing with a name (FNV-1a, 64 bits): the same on every machine, whatever else there
// is.
std::uint64_t stream_of(std::string_view name);

// xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47, 2021),
// seeded through SplitMix64. A value type: copies continue independently from the same state. Not
// thread-safe; give each thread or entity its own stream.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  // Uniform on [0, 1), 53 random bits.
  double uniform();
  // Uniform on 0..count-1 without bias; `count` is at least 1.
  std::uint64_t below(std::uint64_t count);
  // Standard normal, by the polar method.
  double normal();

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_normal_ = 0;
  bool has_spare_normal_ = false;
};

}  // namespace wattflex
