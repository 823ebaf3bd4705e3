// The GPUs that a verb is about: which library they are read through, which of them, and what is odd about
// them as a whole. Every call to them has a deadline.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "apps/wattflex/verb.h"
#include "device/gpu_workers.h"

namespace wattflex::app {

// Long enough for a slow driver; then a GPU counts as hung.
inline constexpr std::chrono::seconds kDriverPatience{5};

Option nvml_option();
// Which GPUs; for verbs that write, never all unasked.
enum class Unasked { all, none };
Option gpus_option(Unasked unasked = Unasked::all);

struct ChosenGpus {
  device::Inventory inventory;
  std::vector<GpuIdentity> identities;  // those asked for, in the driver's order
  std::shared_ptr<device::GpuBackend> backend;
  std::shared_ptr<device::GpuWorkers> workers;  // in the same order
};

// By the options --nvml and --gpus.
Result<ChosenGpus> open_gpus(const Arguments& arguments);
Result<ChosenGpus> open_all_gpus(const Arguments& arguments);
// GPUs by "0-3,5", by UUID or the beginning of one; all without a list, or by "all". An index is the driver's
// of today.
Result<std::vector<GpuIdentity>> choose_gpus(const std::vector<GpuIdentity>& all, std::string_view list);

// GPUs the driver does not show though they are on the bus or in its count (CAP-14).
std::vector<std::string> absent_gpus(const device::Inventory& inventory);
// "simulated" or "measured".
std::string_view pedigree_of(const device::Inventory& inventory);
// What a person reads below a table of simulated readings; empty for real ones.
std::string pedigree_line(const device::Inventory& inventory);

}  // namespace wattflex::app
