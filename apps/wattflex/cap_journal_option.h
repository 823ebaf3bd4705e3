// The journal of caps as verbs use it: where it lies, and what a process that died left in it.
#pragma once

#include <string>

#include "apps/wattflex/console.h"
#include "apps/wattflex/gpu_options.h"
#include "control/cap_writer.h"

namespace wattflex::app {

Option journal_option();
// As given, or the place for this kind of GPUs.
std::string journal_path(const Arguments& arguments, const ChosenGpus& gpus);
Result<control::CapJournal> open_journal(const Arguments& arguments, const ChosenGpus& gpus);

// What a process that was killed left capped is put back before anything else is done, and told. False when
// something of it stays.
Result<bool> recover(const ChosenGpus& gpus, control::CapJournal& journal, Console& console);

// Entries of a twin that is gone: nothing can be put back there, ever. For simulated GPUs only.
Result<void> forget_absent(const ChosenGpus& gpus, control::CapJournal& journal);

std::vector<GpuUuid> uuids_of(const ChosenGpus& gpus);

}  // namespace wattflex::app
