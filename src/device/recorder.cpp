#include "device/recorder.h"

#include <fmt/core.h>

#include <utility>

namespace wattflex::device {
namespace {

constexpr double kTrustedShare = 0.01;

}  // namespace

std::vector<std::string_view> RecordedGpu::distrusted() const {
  std::vector<std::string_view> columns;
  for (std::size_t i = 0; i < impossible.size(); ++i) {
    if (static_cast<double>(impossible[i]) > kTrustedShare * static_cast<double>(readings[i]))
      columns.push_back(reading_columns()[i]);
  }
  return columns;
}

Recorder::Recorder(GpuWorkers& workers, std::vector<GpuIdentity> identities, std::vector<Power> most,
                   RecorderSettings settings)
    : workers_(workers), settings_(settings) {
  for (std::size_t gpu = 0; gpu < identities.size(); ++gpu) {
    energy_.emplace_back(most[gpu]);
    gpus_.push_back({.identity = std::move(identities[gpu]),
                     .impossible = std::vector<std::size_t>(reading_columns().size()),
                     .readings = std::vector<std::size_t>(reading_columns().size())});
  }
}

SampleRow Recorder::row_of(std::size_t gpu) const {
  const GpuIdentity& identity = gpus_[gpu].identity;
  return {.uuid = identity.uuid, .index = identity.index, .pedigree = settings_.pedigree};
}

void Recorder::count(std::size_t gpu, const GpuSample& sample) {
  RecordedGpu& recorded = gpus_[gpu];
  ++recorded.samples;
  const auto missing = missing_readings(sample);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const bool impossible = missing[i] == Problem::impossible_value;
    recorded.impossible[i] += impossible ? 1 : 0;
    recorded.readings[i] += impossible || !missing[i] ? 1 : 0;
  }
  // The account keeps to one scope: the module's counter beside the module's draw.
  const bool module = sample.energy && sample.energy->scope == PowerScope::module;
  const Reading<Power>& average = module ? sample.module_draw_average : sample.draw_average;
  const Reading<Power>& instant = module ? sample.module_draw_instant : sample.draw_instant;
  energy_[gpu].add(sample.time, sample.energy, average ? average : instant);
}

void Recorder::sample_all(Time moment) {
  const auto answers = workers_.on_all<GpuSample>(
      [depth = settings_.depth](GpuBackend& backend, const GpuUuid& uuid) {
        return backend.sample(uuid, depth);
      },
      settings_.patience);
  for (std::size_t gpu = 0; gpu < answers.size(); ++gpu) {
    SampleRow row = row_of(gpu);
    if (answers[gpu]) {
      row.sample = *answers[gpu];
      count(gpu, row.sample);
    } else {
      row.sample.time = moment;
      row.gap = to_string(answers[gpu].error().problem);
      ++gpus_[gpu].gaps;
    }
    rows_.push_back(std::move(row));
  }
}

void Recorder::mark_missed(Time first, long long moments) {
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
    SampleRow row = row_of(gpu);
    row.sample.time = first;
    row.gap = fmt::format("missed:{}", moments);
    ++gpus_[gpu].gaps;
    rows_.push_back(std::move(row));
  }
}

Result<Recording> Recorder::run(const Sink& sink) {
  Clock& clock = workers_.backend().clock();
  Recording recording{.begin = clock.now()};
  Time moment = recording.begin;
  while (!settings_.duration || moment - recording.begin < *settings_.duration) {
    if (clock.wait_until(moment) == Woken::by_signal) {
      recording.interrupted = true;
      break;
    }
    rows_.clear();
    const Time now = clock.now();
    // Whole moments that went by unseen: the machine slept, or a round took too long.
    if (const auto passed = (now - moment) / settings_.interval; passed > 0) {
      mark_missed(moment, passed);
      moment += passed * settings_.interval;
    }
    sample_all(moment);
    if (const auto written = sink(rows_); !written) return std::unexpected(written.error());
    moment += settings_.interval;
  }
  recording.end = clock.now();
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) gpus_[gpu].energy = energy_[gpu].total();
  recording.gpus = gpus_;
  return recording;
}

}  // namespace wattflex::device
