// The readings that NVML gives as "fields": draws by kind and scope, energy, memory temperature. All that a
// GPU has are asked in one call; those it does not have are found out once and never asked again.
#pragma once

#include <array>
#include <cstddef>

#include "device/nvml/functions.h"
#include "model/gpu.h"

namespace wattflex::nvml {

struct PowerFields {
  Reading<std::uint64_t> draw_instant;  // mW
  Reading<std::uint64_t> draw_average;
  Reading<std::uint64_t> module_draw_instant;
  Reading<std::uint64_t> module_draw_average;
  Reading<std::uint64_t> energy;  // mJ
  Reading<std::int64_t> memory_temperature;
};

class FieldReader {
 public:
  PowerFields read(const Functions& functions, Device device);

 private:
  static constexpr std::size_t kCount = 6;

  // Drivers may refuse a whole call for one id they do not know.
  void probe(const Functions& functions, Device device);

  bool probed_ = false;
  std::array<Problem, kCount> absent_{};  // not_asked: the GPU has it
};

}  // namespace wattflex::nvml
