#include "base/random.h"

#include <bit>
#include <cmath>

namespace wattflex {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t stream_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) : state_{} {
  // The seed is mixed before the stream joins it, so that (1, 0) and (0, 1) share nothing.
  std::uint64_t mixer = split_mix(seed) + stream;
  mixer = split_mix(mixer);
  for (std::uint64_t& word : state_) word = split_mix(mixer);
}

RandomStream::result_type RandomStream::operator()() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() {
  return static_cast<double>((*this)() >> 11) * 0x1.0p-53;
}

std::uint64_t RandomStream::below(std::uint64_t count) {
  // Values at or above the largest multiple of `count` would favour small results; draw again.
  const std::uint64_t limit = max() - max() % count;
  std::uint64_t draw = (*this)();
  while (draw >= limit) draw = (*this)();
  return draw % count;
}

double RandomStream::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  double u = 0;
  double v = 0;
  double square = 0;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    square = u * u + v * v;
  } while (square >= 1 || square == 0);
  const double factor = std::sqrt(-2 * std::log(square) / square);
  spare_normal_ = v * factor;
  has_spare_normal_ = true;
  return u * factor;
}

}  // namespace wattflex
