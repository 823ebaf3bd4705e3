// For tests only: another process that sets a limit. Usage: limit_probe LIBRARY UUID WATTS
#include <cstdlib>

#include "device/nvml/nvml_backend.h"

int main(int count, char** words) {
  if (count != 4) return 2;
  const auto backend = wattflex::nvml::NvmlBackend::open(words[1]);
  if (!backend) return 3;
  const auto cap = wattflex::Power::from_watts(std::strtod(words[3], nullptr));
  const auto limits = (*backend)->set_limit({words[2]}, cap);
  return limits && limits->requested == cap ? 0 : 1;
}
