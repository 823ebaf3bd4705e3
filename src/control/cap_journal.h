// What a GPU's limit was before Wattflex first wrote it, on disk before that write: it survives kill -9 and a
// reboot. Keyed by UUID (SAFE-01, SAFE-03). One process at a time may hold it; anyone may read it. Writes no
// limits itself (cap_writer.h does).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/quantity.h"
#include "model/gpu.h"

namespace wattflex::control {

// Until when a cap is meant to stay.
enum class Hold {
  session,   // as long as the process that set it lives: a sweep
  standing,  // until it is released by hand: `wattflex cap`
};

std::string_view to_string(Hold hold);

struct JournalEntry {
  GpuUuid gpu;
  Hold hold = Hold::session;
  Power found;              // the requested limit before our first write
  std::vector<Power> caps;  // what we wrote, or were about to, and what a driver made of it: ours
  Time since;

  bool is_ours(Power limit) const;
};

class CapJournal {
 public:
  // Reads what an earlier process left, and keeps others out. `path`: the journal's file, its folder is made
  // if missing. Fails when another process holds it (the message has its number), or when the file can't be
  // understood: it is then left as it is.
  static Result<CapJournal> open(const std::string& path);
  ~CapJournal();
  CapJournal(CapJournal&& other) noexcept;
  CapJournal(const CapJournal&) = delete;
  CapJournal& operator=(const CapJournal&) = delete;
  CapJournal& operator=(CapJournal&&) = delete;

  const std::vector<JournalEntry>& entries() const { return entries_; }
  const JournalEntry* find(const GpuUuid& gpu, Hold hold) const;

  // On disk, synced, when these return. On failure the journal is as it was, on disk and here.
  Result<void> add(std::vector<JournalEntry> entries);  // of GPUs without an entry of that hold
  Result<void> add_caps(const std::vector<GpuUuid>& gpus, Hold hold, const std::vector<Power>& caps);
  Result<void> remove(const std::vector<GpuUuid>& gpus, Hold hold);

 private:
  CapJournal(std::string path, int lock, std::vector<JournalEntry> entries)
      : path_(std::move(path)), lock_(lock), entries_(std::move(entries)) {}
  Result<void> replace(std::vector<JournalEntry> entries);

  std::string path_;
  int lock_;
  std::vector<JournalEntry> entries_;
};

// Without holding it: for showing. An absent file is an empty journal.
Result<std::vector<JournalEntry>> read_cap_journal(const std::string& path);

// Where journals lie unless told otherwise: /var/lib/wattflex for root, else in the user's state folder
// ($XDG_STATE_HOME, ~/.local/state). One a machine, and one for the twin.
std::string default_cap_journal(Pedigree pedigree);

}  // namespace wattflex::control
