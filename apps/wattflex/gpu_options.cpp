#include "apps/wattflex/gpu_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>

#include "apps/wattflex/arguments.h"
#include "base/counted.h"
#include "base/parse.h"
#include "device/nvml/nvml_backend.h"

namespace wattflex::app {
namespace {

using Identities = std::vector<GpuIdentity>;

std::unexpected<Error> wrong(std::string_view part, std::string_view problem) {
  return fail(ErrorKind::usage, fmt::format("--gpus: '{}' {}", part, problem),
              "'wattflex gpus' lists the GPUs; give e.g. 0-3 or the beginning of a UUID");
}

// "5" or "0-3" as first and last; nothing where it is neither.
std::optional<std::pair<long long, long long>> parse_indices(std::string_view part) {
  const std::size_t dash = part.find('-');
  const auto first = parse_integer(part.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_integer(part.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  if (*last > std::numeric_limits<int>::max()) return std::nullopt;
  return std::pair(*first, *last);
}

Result<void> add_part(const Identities& all, std::string_view part, std::set<GpuUuid>& chosen) {
  if (const auto range = parse_indices(part)) {
    for (long long index = range->first; index <= range->second; ++index) {
      const auto found = std::ranges::find(all, std::optional(static_cast<int>(index)), &GpuIdentity::index);
      if (found == all.end()) return wrong(part, fmt::format("names GPU {}, which is not here", index));
      chosen.insert(found->uuid);
    }
    return {};
  }
  const auto begins = [&](const GpuIdentity& gpu) { return gpu.uuid.text.starts_with(part); };
  const auto matches = std::ranges::count_if(all, begins);
  if (part.empty() || matches == 0) return wrong(part, "is no GPU here");
  if (matches > 1) return wrong(part, fmt::format("is the beginning of {} UUIDs", matches));
  chosen.insert(std::ranges::find_if(all, begins)->uuid);
  return {};
}

}  // namespace

Option nvml_option() {
  return {"--nvml", "PATH", "",
          "NVML library, or the root of a driver (/run/nvidia/driver); by default where drivers usually lie"};
}

Option gpus_option(Unasked unasked) {
  if (unasked == Unasked::all)
    return {"--gpus", "LIST", "", "only these: 0-3,5 or UUIDs or their beginnings"};
  return {"--gpus",     "LIST", "", "these and no others: 0-3,5 or UUIDs or their beginnings, or all",
          Takes::value, true};
}

Result<Identities> choose_gpus(const Identities& all, std::string_view list) {
  if (list.empty() || list == "all") return all;
  std::set<GpuUuid> chosen;
  for (const std::string_view part : split(list, ',')) {
    if (const auto added = add_part(all, part, chosen); !added) return std::unexpected(added.error());
  }
  Identities identities;
  std::ranges::copy_if(all, std::back_inserter(identities),
                       [&](const GpuIdentity& gpu) { return chosen.contains(gpu.uuid); });
  return identities;
}

namespace {

Result<ChosenGpus> open_listed(const Arguments& arguments, std::string_view list) {
  const auto backend = nvml::NvmlBackend::open(std::string(arguments.text("nvml")));
  if (!backend) return std::unexpected(device::to_error(backend.error()));
  auto inventory = (*backend)->inventory();
  if (!inventory) return std::unexpected(device::to_error(inventory.error()));
  if (inventory->gpus.empty()) {
    return fail(ErrorKind::no_data, inventory->source + ": the driver shows no GPU",
                "look into the kernel log, or give this container its GPUs");
  }
  const auto chosen = choose_gpus(inventory->gpus, list);
  if (!chosen) return std::unexpected(chosen.error());
  ChosenGpus gpus{.inventory = *std::move(inventory), .identities = *chosen, .backend = *backend};
  std::vector<GpuUuid> uuids;
  for (const GpuIdentity& gpu : gpus.identities) uuids.push_back(gpu.uuid);
  gpus.workers = std::make_shared<device::GpuWorkers>(*backend, std::move(uuids));
  return gpus;
}

}  // namespace

Result<ChosenGpus> open_gpus(const Arguments& arguments) {
  return open_listed(arguments, arguments.text("gpus"));
}

Result<ChosenGpus> open_all_gpus(const Arguments& arguments) {
  return open_listed(arguments, "");
}

std::vector<std::string> absent_gpus(const device::Inventory& inventory) {
  std::vector<std::string> absent;
  for (const device::Hole& hole : inventory.holes) {
    absent.push_back(fmt::format("GPU {} of the driver's count can't be opened ({}): lost until it is reset",
                                 hole.index, to_string(hole.problem)));
  }
  const std::size_t shown = inventory.gpus.size() + inventory.holes.size();
  if (inventory.pci_gpus && *inventory.pci_gpus > shown) {
    absent.push_back(fmt::format("{} on the PCI bus, {} known to the driver: {} fell off or is withheld",
                                 counted(*inventory.pci_gpus, "GPU"), shown, *inventory.pci_gpus - shown));
  }
  return absent;
}

std::string_view pedigree_of(const device::Inventory& inventory) {
  return to_string(inventory.pedigree);
}

std::string pedigree_line(const device::Inventory& inventory) {
  if (inventory.pedigree != Pedigree::simulated) return "";
  return fmt::format("Simulated: {} is the twin's library, no hardware was read.", inventory.source);
}

}  // namespace wattflex::app
