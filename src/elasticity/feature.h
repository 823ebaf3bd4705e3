// What a predictor may look at: readings of a group's uncapped run, ratios and products of them, and what is
// known of the job before it runs. Never a capped point and never an index.
//
//   dram_copy_product     dram_active mem_copy_util       the best predictor of arXiv:2609.11542
//   arithmetic_intensity  tensor_active / dram_active     tensor work per memory traffic
//   tensor_per_sm         tensor_active / sm_active       how much of the busy time is tensor work
//   is_moe, is_fine_tuning, log2_gpus                     job metadata; these three reproduce the paper's
//                                                         `job_metadata` row (docs/math/predictor.md)
// A reading is refused, never repaired, when it is missing, physically impossible (telemetry_names.h), of an
// uncapped run that something else than its cap held back, or a profiling counter that cannot be true: all of
// them exactly 0, or memory or SM activity exactly 0, while the job made progress (NVIDIA/DCGM#303: counters
// stay 0 after an Xid 31 though the GPU is busy).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/sweep.h"

namespace wattflex::elasticity {

struct FeatureReading {
  std::optional<double> value;
  std::string reason;  // without value: why
};

// `columns` are the telemetry columns of the group's table. `name` must be a feature (assertion).
FeatureReading read_feature(std::string_view name, std::span<const std::string> columns,
                            const SweepGroup& group);

bool is_feature(std::string_view name);

// All telemetry columns and the composites made of them, in that order.
std::vector<std::string> telemetry_features(std::span<const std::string> columns);

// A comma-separated list; the sets `job_metadata` and `all_telemetry` stand for their members. Unknown names
// are a usage error that lists the known ones.
Result<std::vector<std::string>> parse_features(std::string_view list, std::span<const std::string> columns);

}  // namespace wattflex::elasticity
