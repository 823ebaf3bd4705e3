// Writes power limits, and puts back what was there: every GPU by itself, all attempted, each read back.
// Nothing is written before the journal has what was found, and the journal forgets a GPU only when its limit
// has been read back as it was. Judges by the hardware, never by what is remembered (CAP-07). Not for
// deciding caps.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/cap_journal.h"
#include "device/gpu_workers.h"

namespace wattflex::control {

struct CapRequest {
  GpuUuid gpu;
  Power cap;
};

// What becomes of the others when a GPU of a job can't be capped (CAP-06): a job of several GPUs runs at the
// slowest one.
enum class WhenPartial { put_back, keep };

enum class CapState {
  applied,    // read back as asked
  unchanged,  // it was so already: nothing was written
  rounded,    // the driver made another value of it, which holds now
  ignored,    // the driver said success and the limit did not move
  failed,     // not written, or not known to be
  not_tried,  // others showed that it would fail, or a dry run
  put_back,   // applied, and taken back because another one failed
};

std::string_view to_string(CapState state);

struct CapOutcome {
  GpuUuid gpu;
  Power asked;
  CapState state = CapState::not_tried;
  std::optional<PowerLimits> before;
  std::optional<PowerLimits> after;          // as read back
  std::optional<device::DeviceError> error;  // why, where it failed

  // In force as asked, or as the driver made of it.
  bool holds() const;
  bool wrote() const;
};

enum class BackState {
  restored,   // written and read back
  unchanged,  // had its value already: only the journal forgets it
  foreign,    // someone else set another limit since: left alone, and kept in the journal
  failed,     // kept in the journal
};

std::string_view to_string(BackState state);

struct BackOutcome {
  JournalEntry entry;
  BackState state = BackState::failed;
  std::optional<PowerLimits> after;
  std::optional<device::DeviceError> error;
};

enum class ForeignLimit { leave, overwrite };

struct CapWriterSettings {
  Hold hold = Hold::session;
  // Of this machine's time, for each round of calls.
  std::chrono::milliseconds patience{5000};
  int tries = 3;                               // to put a limit back
  std::chrono::milliseconds first_pause{100};  // between tries; fourfold each time
};

class CapWriter {
 public:
  // Both outlive the writer.
  CapWriter(device::GpuWorkers& workers, CapJournal& journal, CapWriterSettings settings)
      : workers_(workers), journal_(journal), settings_(settings) {}

  // One request a GPU at most, of the workers' GPUs. Fails as a whole only when the journal can't be written:
  // then no limit was. The first write goes alone: where permission is missing, the others are not tried
  // (CAP-03).
  Result<std::vector<CapOutcome>> apply(std::span<const CapRequest> requests, WhenPartial when_partial);
  // Announces caps that will be written often, so that each write need not sync the journal.
  Result<void> announce(std::span<const GpuUuid> gpus, const std::vector<Power>& caps);

  // What the journal says of these GPUs for the settings' hold; those without an entry are passed over. An
  // error is the journal's, which then still has all.
  Result<std::vector<BackOutcome>> put_back(std::span<const GpuUuid> gpus, ForeignLimit foreign);

 private:
  using Limits = device::DeviceResult<PowerLimits>;

  std::vector<Limits> read_limits(std::span<const GpuUuid> gpus);
  std::vector<Limits> write_limits(std::span<const CapRequest> requests);
  Result<void> record(std::span<const CapOutcome> outcomes);
  void write(std::vector<CapOutcome>& outcomes);
  Result<void> take_back(std::vector<CapOutcome>& outcomes);
  std::vector<BackOutcome> try_back(std::span<const GpuUuid> gpus, ForeignLimit foreign);
  BackOutcome back_of(const JournalEntry& entry, const Limits& now, ForeignLimit foreign) const;

  device::GpuWorkers& workers_;
  CapJournal& journal_;
  CapWriterSettings settings_;
};

}  // namespace wattflex::control
