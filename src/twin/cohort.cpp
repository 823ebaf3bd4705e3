// The table behind cohort.h. One row a group: identity, grid, then the symbols of job_physics.h in its order
// (P_m0, P_md, w_x, p, s), the hot or only part (share, a, w_m), the cool part's a and w_m (0 0: there is
// none), and the counter factors.
#include "twin/cohort.h"

#include <cstdint>

namespace wattflex::twin {
namespace {

enum class Grid : std::uint8_t { six_caps, four_caps, three_caps };

struct Row {
  CohortSet set;
  std::string_view accelerator;
  std::string_view group;
  Architecture architecture;
  Task task;
  std::string_view model;
  int gpus;
  Grid grid;
  double memory_floor_w, memory_swing_w, exposed, overlap, stalled;
  StepPart only_or_hot;
  double cool_activity, cool_memory;
  TelemetryFactors telemetry;
};

constexpr auto kHeadline = CohortSet::headline;
constexpr auto kValidation = CohortSet::validation;
constexpr auto kH100 = CohortSet::h100;
constexpr auto kDense = Architecture::dense;
constexpr auto kMoe = Architecture::moe;
constexpr auto kPretraining = Task::pretraining;
constexpr auto kFineTuning = Task::fine_tuning;
constexpr auto kSix = Grid::six_caps;
constexpr auto kFour = Grid::four_caps;
constexpr auto kThree = Grid::three_caps;

// clang-format off
constexpr Row kRows[] = {
    {kHeadline, "H200", "dense-ft Llama-3.1-70B x16", kDense, kFineTuning, "Llama-3.1-70B", 16, kThree,
     116.3, 141.2, 0.072, 3.67, 0.316, {1, 1.382, 0.508}, 0, 0, {0.74, 0.94, 0.69}},
    {kHeadline, "H200", "dense-ft Llama-3.1-70B x8 no compile", kDense, kFineTuning, "Llama-3.1-70B", 8, kSix,
     130.1, 20.7, 0.045, 2.89, 0.318, {1, 1.397, 0.463}, 0, 0, {0.66, 0.96, 0.61}},
    {kHeadline, "H200", "dense-ft Llama-3.1-70B x8 compile", kDense, kFineTuning, "Llama-3.1-70B", 8, kSix,
     130.1, 22.8, 0.168, 2.22, 0.479, {1, 1.548, 0.467}, 0, 0, {0.72, 0.93, 0.66}},
    {kHeadline, "H200", "dense-ft Qwen3-32B x16", kDense, kFineTuning, "Qwen3-32B", 16, kFour,
     91.1, 88.7, 0.104, 4.1, 0.324, {1, 1.373, 0.512}, 0, 0, {0.88, 0.91, 0.72}},
    {kHeadline, "H200", "dense-pt Llama-3.1-70B x8 compile", kDense, kPretraining, "Llama-3.1-70B", 8, kSix,
     130.5, 102.4, 0.12, 2.35, 0.3, {1, 1.507, 0.504}, 0, 0, {0.73, 0.96, 0.74}},
    {kHeadline, "H200", "dense-pt Qwen3-32B x32 seq4096/bs8", kDense, kPretraining, "Qwen3-32B", 32, kFour,
     112.3, 147.9, 0.246, 3.93, 0.449, {1, 1.813, 0.388}, 0, 0, {0.70, 0.94, 0.90}},
    {kHeadline, "H200", "dense-pt Qwen3-32B x32 seq4096/bs4", kDense, kPretraining, "Qwen3-32B", 32, kFour,
     99.2, 29.4, 0.068, 2.51, 0.527, {1, 1.871, 0.44}, 0, 0, {0.78, 0.89, 0.90}},
    {kHeadline, "H200", "dense-pt Llama-3.1-70B x8 no compile", kDense, kPretraining, "Llama-3.1-70B", 8, kSix,
     130.2, 60.6, 0.259, 4.75, 0.3, {1, 1.503, 0.515}, 0, 0, {0.72, 0.83, 0.76}},
    {kHeadline, "H200", "dense-pt Qwen3-32B x32 seq8192/bs8", kDense, kPretraining, "Qwen3-32B", 32, kFour,
     71, 118.6, 0.039, 4.64, 0.327, {1, 1.783, 0.446}, 0, 0, {0.77, 0.92, 0.82}},
    {kHeadline, "H200", "dense-pt Qwen3-32B x8 no compile", kDense, kPretraining, "Qwen3-32B", 8, kSix,
     69.9, 24.7, 0.139, 4.75, 0.6, {1, 1.835, 0.417}, 0, 0, {0.81, 0.79, 0.67}},
    {kHeadline, "H200", "dense-pt Qwen3-32B x32 seq8192/bs4", kDense, kPretraining, "Qwen3-32B", 32, kFour,
     114.9, 125.9, 0.238, 4.45, 0.338, {1, 1.715, 0.351}, 0, 0, {0.80, 0.78, 0.82}},
    {kHeadline, "H200", "dense-pt Llama-3.1-70B x16", kDense, kPretraining, "Llama-3.1-70B", 16, kFour,
     96, 115.9, 0.246, 5.93, 0.448, {1, 1.831, 0.323}, 0, 0, {0.83, 0.86, 0.68}},
    {kHeadline, "H200", "dense-pt Qwen3-32B x16", kDense, kPretraining, "Qwen3-32B", 16, kFour,
     87.8, 116.9, 0.271, 5.16, 0.334, {1, 1.729, 0.378}, 0, 0, {0.72, 0.88, 0.62}},
    {kHeadline, "H200", "dense-pt Qwen3-32B x8 compile", kDense, kPretraining, "Qwen3-32B", 8, kSix,
     96.2, 108.4, 0.243, 5.96, 0.406, {1, 1.283, 0.518}, 0, 0, {0.78, 0.88, 0.60}},
    {kHeadline, "H200", "moe-ft gpt-oss-20b x8 seq2048/bs8", kMoe, kFineTuning, "gpt-oss-20b", 8, kSix,
     70, 98.8, 0.234, 6, 0.487, {1, 1.179, 0.752}, 0, 0, {0.64, 0.87, 0.30}},
    {kHeadline, "H200", "moe-ft Qwen3-30B-A3B x8", kMoe, kFineTuning, "Qwen3-30B-A3B", 8, kSix,
     69.5, 34.9, 0.026, 4.66, 0.6, {1, 1.083, 0.86}, 0, 0, {0.77, 0.96, 0.40}},
    {kHeadline, "H200", "moe-ft Qwen3-30B-A3B x16", kMoe, kFineTuning, "Qwen3-30B-A3B", 16, kFour,
     116.8, 136.1, 0.255, 2.2, 0.447, {1, 1.071, 0.844}, 0, 0, {0.82, 0.98, 0.43}},
    {kHeadline, "H200", "moe-ft gpt-oss-20b x8 seq4096/bs8", kMoe, kFineTuning, "gpt-oss-20b", 8, kSix,
     83.1, 125.8, 0.023, 2.57, 0.469, {1, 1.211, 1.502}, 0, 0, {0.74, 0.87, 0.34}},
    {kHeadline, "H200", "moe-pt gpt-oss-20b x8 EP1/no compile", kMoe, kPretraining, "gpt-oss-20b", 8, kSix,
     86.2, 50, 0.143, 2.87, 0.6, {0.144, 2.305, 0.474}, 0.76, 0.859, {0.72, 0.95, 0.46}},
    {kHeadline, "H200", "moe-pt gpt-oss-20b x8 EP1/compile", kMoe, kPretraining, "gpt-oss-20b", 8, kSix,
     70, 31.8, 0.042, 2.18, 0.569, {0.336, 1.91, 0.104}, 0.828, 0.873, {0.81, 0.92, 0.42}},
    {kHeadline, "H200", "moe-pt Qwen3-30B-A3B x8 EP1", kMoe, kPretraining, "Qwen3-30B-A3B", 8, kSix,
     70.8, 21.1, 0.177, 2.3, 0.327, {0.262, 2.29, 0.184}, 1.016, 0.693, {0.69, 0.91, 0.40}},
    {kHeadline, "H200", "moe-pt gpt-oss-20b x8 EP8/compile", kMoe, kPretraining, "gpt-oss-20b", 8, kSix,
     95.5, 90.5, 0.107, 4.1, 0.437, {1, 1.269, 0.436}, 0, 0, {0.77, 0.94, 0.42}},
    {kHeadline, "H200", "moe-pt gpt-oss-20b x8 EP4/compile", kMoe, kPretraining, "gpt-oss-20b", 8, kSix,
     130, 72.6, 0.134, 3.97, 0.409, {1, 1.145, 0.752}, 0, 0, {0.69, 0.96, 0.45}},
    {kHeadline, "H200", "moe-pt Qwen3-30B-A3B x8 EP8", kMoe, kPretraining, "Qwen3-30B-A3B", 8, kSix,
     69.9, 119, 0.277, 6, 0.6, {1, 1.463, 0.625}, 0, 0, {0.72, 0.88, 0.49}},
    {kHeadline, "H200", "moe-pt gpt-oss-20b x8 EP8/no compile", kMoe, kPretraining, "gpt-oss-20b", 8, kSix,
     69.7, 150.1, 0.034, 6, 0.492, {1, 1.036, 0.382}, 0, 0, {0.76, 0.85, 0.34}},
    {kValidation, "H200", "dense-ft Mistral-Small-24B-Base-2501 x8", kDense, kFineTuning, "Mistral-Small-24B-Base-2501", 8, kSix,
     105.4, 139.7, 0.288, 4.95, 0.317, {1, 1.532, 0.494}, 0, 0, {0.75, 0.90, 0.70}},
    {kValidation, "H200", "dense-pt Mistral-Small-24B-Base-2501 x8", kDense, kPretraining, "Mistral-Small-24B-Base-2501", 8, kSix,
     88.5, 81.9, 0.01, 5.61, 0.57, {1, 1.602, 0.447}, 0, 0, {0.75, 0.90, 0.70}},
    {kValidation, "H200", "moe-ft gemma-4-26B-A4B x8", kMoe, kFineTuning, "gemma-4-26B-A4B", 8, kSix,
     70, 52.4, 0.037, 5.06, 0.31, {1, 1.329, 1.112}, 0, 0, {0.74, 0.92, 0.37}},
    {kValidation, "H200", "moe-pt DeepSeek-V2-Lite x8", kMoe, kPretraining, "DeepSeek-V2-Lite", 8, kSix,
     85, 128, 0.194, 2.76, 0.557, {1, 1.218, 0.606}, 0, 0, {0.74, 0.92, 0.44}},
    {kH100, "H100", "dense-pt Mistral-Small-24B-Base-2501 x8", kDense, kPretraining, "Mistral-Small-24B-Base-2501", 8, kSix,
     83.5, 77.8, 0.131, 4.22, 0.432, {1, 1.698, 0.462}, 0, 0, {0.75, 0.90, 0.70}},
    {kH100, "H100", "dense-ft Llama-3.1-70B x8", kDense, kFineTuning, "Llama-3.1-70B", 8, kFour,
     83.5, 73.5, 0.011, 4.48, 0.511, {1, 1.857, 0.526}, 0, 0, {0.75, 0.90, 0.70}},
    {kH100, "H100", "dense-ft Mistral-Small-24B-Base-2501 x8", kDense, kFineTuning, "Mistral-Small-24B-Base-2501", 8, kSix,
     79.6, 73.8, 0.033, 2.51, 0.453, {1, 1.564, 0.485}, 0, 0, {0.75, 0.90, 0.70}},
    {kH100, "H100", "moe-pt gpt-oss-20b x8", kMoe, kPretraining, "gpt-oss-20b", 8, kSix,
     84.7, 66.9, 0.026, 5.7, 0.473, {1, 1.309, 0.514}, 0, 0, {0.74, 0.92, 0.44}},
    {kH100, "H100", "moe-pt DeepSeek-V2-Lite x8", kMoe, kPretraining, "DeepSeek-V2-Lite", 8, kSix,
     81.5, 64.8, 0.01, 4.13, 0.451, {1, 1.159, 0.53}, 0, 0, {0.74, 0.92, 0.44}},
    {kH100, "H100", "moe-ft Qwen3-30B-A3B x8", kMoe, kFineTuning, "Qwen3-30B-A3B", 8, kSix,
     98.1, 79.3, 0.016, 3.76, 0.477, {1, 1.132, 1.065}, 0, 0, {0.74, 0.92, 0.37}},
};
// clang-format on

std::vector<Power> caps_of(Grid grid) {
  const auto watts = [](std::initializer_list<double> values) {
    std::vector<Power> caps;
    for (const double value : values) caps.push_back(Power::from_watts(value));
    return caps;
  };
  switch (grid) {
    case Grid::six_caps:
      return watts({700, 600, 500, 400, 300, 200});
    case Grid::four_caps:
      return watts({700, 600, 500, 200});
    case Grid::three_caps:
      break;
  }
  // Table 6 counts three runs and does not say which; 600 W missing is the reading that fits PFI 1.10.
  return watts({700, 500, 200});
}

SimulatedJob job_of(const Row& row) {
  SimulatedJob job{row.set,  row.accelerator,   row.group, row.architecture, row.task, row.model,
                   row.gpus, caps_of(row.grid), {},        row.telemetry};
  job.physics = {.memory_floor = Power::from_watts(row.memory_floor_w),
                 .memory_swing = Power::from_watts(row.memory_swing_w),
                 .exposed = row.exposed,
                 .overlap = row.overlap,
                 .stalled = row.stalled,
                 .parts = {row.only_or_hot}};
  if (row.only_or_hot.share < 1) {
    job.physics.parts.push_back({1 - row.only_or_hot.share, row.cool_activity, row.cool_memory});
  }
  return job;
}

}  // namespace

std::span<const SimulatedJob> simulated_jobs() {
  static const std::vector<SimulatedJob> kJobs = [] {
    std::vector<SimulatedJob> jobs;
    for (const Row& row : kRows) jobs.push_back(job_of(row));
    return jobs;
  }();
  return kJobs;
}

}  // namespace wattflex::twin
