#include "apps/wattflex/cap_journal_option.h"

#include <fmt/core.h>

#include <algorithm>

#include "apps/wattflex/arguments.h"
#include "base/counted.h"

namespace wattflex::app {
namespace {

using control::BackState;
using control::CapJournal;
using control::CapWriter;
using control::ForeignLimit;
using control::Hold;

}  // namespace

Option journal_option() {
  return {"--journal", "FILE", "",
          "where found limits are kept; else /var/lib/wattflex for root, the state folder for others"};
}

std::string journal_path(const Arguments& arguments, const ChosenGpus& gpus) {
  return arguments.has("journal") ? std::string(arguments.text("journal"))
                                  : control::default_cap_journal(gpus.inventory.pedigree);
}

Result<CapJournal> open_journal(const Arguments& arguments, const ChosenGpus& gpus) {
  auto journal = CapJournal::open(journal_path(arguments, gpus));
  if (!journal) return journal;
  if (const auto forgotten = forget_absent(gpus, *journal); !forgotten)
    return std::unexpected(forgotten.error());
  return journal;
}

std::vector<GpuUuid> uuids_of(const ChosenGpus& gpus) {
  std::vector<GpuUuid> uuids;
  for (const GpuIdentity& gpu : gpus.identities) uuids.push_back(gpu.uuid);
  return uuids;
}

Result<void> forget_absent(const ChosenGpus& gpus, CapJournal& journal) {
  if (gpus.inventory.pedigree != Pedigree::simulated) return {};
  for (const Hold hold : {Hold::session, Hold::standing}) {
    std::vector<GpuUuid> absent;
    for (const control::JournalEntry& entry : journal.entries()) {
      const bool here = std::ranges::any_of(gpus.inventory.gpus,
                                            [&](const GpuIdentity& gpu) { return gpu.uuid == entry.gpu; });
      if (!here && entry.hold == hold) absent.push_back(entry.gpu);
    }
    if (const auto removed = journal.remove(absent, hold); !removed) return removed;
  }
  return {};
}

Result<bool> recover(const ChosenGpus& gpus, CapJournal& journal, Console& console) {
  std::vector<GpuUuid> left;
  for (const control::JournalEntry& entry : journal.entries()) {
    if (entry.hold == Hold::session) left.push_back(entry.gpu);
  }
  if (left.empty()) return true;
  // Also those that this command is not about.
  device::GpuWorkers workers(gpus.backend, left);
  CapWriter writer(workers, journal, {.hold = Hold::session, .patience = kDriverPatience});
  const auto backs = writer.put_back(left, ForeignLimit::leave);
  if (!backs) return std::unexpected(backs.error());
  std::size_t restored = 0;
  bool whole = true;
  for (const control::BackOutcome& back : *backs) {
    if (back.error) {
      console.warn(back.error->message + ": " + back.error->remedy);
      whole = false;
    } else {
      ++restored;
    }
  }
  console.warn(fmt::format("an earlier run was killed with GPUs capped: {} put back to what was found",
                           counted(restored, "GPU")));
  return whole;
}

}  // namespace wattflex::app
