// Any bytes as a fleet file: never a crash; what is accepted is sound, what is refused says why.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ingest/fleet_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto fleet = wattflex::parse_fleet(text, "f.csv");
  if (!fleet) {
    if (fleet.error().message.empty() || fleet.error().remedy.empty()) std::abort();
    return 0;
  }
  if (fleet->jobs.empty()) std::abort();
  for (const wattflex::FleetJob& job : fleet->jobs) {
    if (job.gpus <= 0 || !(job.value > 0) || !std::isfinite(job.value) || job.job.empty()) std::abort();
  }
  return 0;
}
