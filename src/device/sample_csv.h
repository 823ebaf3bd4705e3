// Samples of GPUs as a CSV: one row a GPU and moment, our own column names, empty cells for missing readings.
// A row with a gap tells that there is no sample and why; its readings are empty. Numbers are written so that
// reading them gives the same values; the energy counter and the time are exact.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/gpu.h"

namespace wattflex::device {

struct SampleRow {
  GpuUuid uuid;
  std::optional<int> index;
  Pedigree pedigree = Pedigree::measured;
  GpuSample sample;
  std::string gap;  // "timed_out", "gpu_lost", "missed:3" (moments let pass); empty: none
};

// The columns that hold readings, in the order of the file.
std::span<const std::string_view> reading_columns();
// The problem of each of those readings; nothing where there is one.
std::vector<std::optional<Problem>> missing_readings(const GpuSample& sample);

std::string sample_csv_header();
// Appends one line. Readings that are missing although the GPU has them are named in the last column.
void append_sample_csv(const SampleRow& row, std::string& text);

// Lines that start with # are passed over; columns stand in any order, unknown ones are ignored.
Result<std::vector<SampleRow>> parse_sample_csv(std::string_view text, const std::string& name);

}  // namespace wattflex::device
