// Samples GPUs at a steady rate and hands on rows: exact times, and every moment without a sample as a gap
// with its reason. Keeps the account that a recording ends with. Not for deciding anything by the samples.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "device/energy_account.h"
#include "device/gpu_workers.h"
#include "device/sample_csv.h"

namespace wattflex::device {

struct RecorderSettings {
  std::chrono::microseconds interval{1'000'000};
  std::optional<std::chrono::microseconds> duration;  // nothing: until told to stop
  Depth depth = Depth::activity;
  Pedigree pedigree = Pedigree::measured;
  // Of this machine's time; a GPU that takes longer has a gap.
  std::chrono::milliseconds patience{800};
};

// What a GPU's part of a recording holds.
struct RecordedGpu {
  GpuIdentity identity;
  std::size_t samples = 0;
  std::size_t gaps = 0;  // rows without a sample
  EnergyTotal energy;
  std::vector<std::size_t> impossible;  // readings refused, by reading column
  std::vector<std::size_t> readings;    // answers, those refused included
  // Columns of which more than one reading in a hundred was impossible: not to be trusted (TEL-05).
  std::vector<std::string_view> distrusted() const;
};

struct Recording {
  Time begin;
  Time end;
  bool interrupted = false;  // by a signal that is held back
  std::vector<RecordedGpu> gpus;
};

class Recorder {
 public:
  // Rows of one moment; an error ends the recording.
  using Sink = std::function<Result<void>(std::span<const SampleRow>)>;

  // `identities` and `most` (largest limits) in the order of the workers' GPUs.
  Recorder(GpuWorkers& workers, std::vector<GpuIdentity> identities, std::vector<Power> most,
           RecorderSettings settings);

  Result<Recording> run(const Sink& sink);

 private:
  void sample_all(Time moment);
  void mark_missed(Time first, long long moments);
  SampleRow row_of(std::size_t gpu) const;
  void count(std::size_t gpu, const GpuSample& sample);

  GpuWorkers& workers_;
  RecorderSettings settings_;
  std::vector<EnergyAccount> energy_;
  std::vector<RecordedGpu> gpus_;
  std::vector<SampleRow> rows_;
};

}  // namespace wattflex::device
