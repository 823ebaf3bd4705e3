// The samples of simulated runs as CSV files, one a run, in a directory that appears whole or not at all.
// Columns: time_s, our own telemetry names, throughput (empty while the trainer reports no step), one column
// per GPU for its draw, and the pedigree. For looking at and for trying tools on; nothing here reads them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/held_signals.h"
#include "model/run_samples.h"
#include "twin/cohort.h"

namespace wattflex::study {

// Not thread-safe. Until finish() succeeds the files lie in the neighbour "<path>.partial-<process>", which
// the destructor removes. Ctrl-C and its like wait meanwhile: add() fails when one has come, and it takes
// effect once the neighbour is gone. Only kill -9 leaves it.
class TraceDirectory {
 public:
  // Refused when `path` exists and is not an empty directory. Links are followed.
  static Result<TraceDirectory> create(const std::string& path);

  TraceDirectory(TraceDirectory&& other) noexcept;
  TraceDirectory& operator=(TraceDirectory&&) = delete;
  TraceDirectory(const TraceDirectory&) = delete;
  TraceDirectory& operator=(const TraceDirectory&) = delete;
  ~TraceDirectory();

  Result<void> add(const twin::SimulatedJob& job, Power cap, const RunSamples& run);
  // Gives the directory its name.
  Result<void> finish();
  int files() const { return files_; }

 private:
  using Held = std::unique_ptr<SignalsHeldBack>;
  TraceDirectory(std::filesystem::path path, std::filesystem::path partial, Held held);

  Held held_;
  std::filesystem::path path_;
  std::filesystem::path partial_;  // empty once finished or moved from
  int files_ = 0;
};

// One run as CSV.
std::string trace_csv(const RunSamples& run);

}  // namespace wattflex::study
