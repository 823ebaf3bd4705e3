#include "twin/assumptions.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <iterator>
#include <string_view>

#include "twin/chip.h"

namespace wattflex::twin {
namespace {

constexpr double kPeakFlopsPerSecond = 989.5e12;
constexpr double kFlopsPerParameterAndToken = 6;  // forward 2, backward 4
constexpr int kGpusPerNode = 8;

struct ModelSize {
  std::string_view model;
  double active_b;
};
constexpr ModelSize kSizes[] = {{"gpt-oss-20b", 3.6},      {"Qwen3-30B-A3B", 3.3},
                                {"Qwen3-32B", 32.8},       {"Llama-3.1-70B", 70.6},
                                {"DeepSeek-V2-Lite", 2.4}, {"Mistral-Small-24B-Base-2501", 23.6},
                                {"gemma-4-26B-A4B", 4.0}};

double utilization_of(const SimulatedJob& job) {
  const bool fine_tuning = job.task == Task::fine_tuning;
  const bool moe = job.architecture == Architecture::moe;
  double utilization = moe ? (fine_tuning ? 0.08 : 0.16) : (fine_tuning ? 0.38 : 0.44);
  if (job.group.find("no compile") != std::string_view::npos) utilization *= 0.8;
  if (job.gpus > kGpusPerNode) utilization *= 0.92;
  return utilization;
}

// The number behind `mark` in a group's name ("seq8192/bs4"), or `otherwise`.
double option_of(std::string_view group, std::string_view mark, double otherwise) {
  const std::size_t found = group.find(mark);
  if (found == std::string_view::npos) return otherwise;
  const std::string_view digits = group.substr(found + mark.size());
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  assert(value > 0);
  return value;
}

}  // namespace

WorkAssumption assume_work(const SimulatedJob& job) {
  const auto* const size = std::ranges::find(kSizes, job.model, &ModelSize::model);
  assert(size != std::end(kSizes));
  WorkAssumption work;
  work.active_parameters_b = size->active_b;
  work.utilization = utilization_of(job);
  work.tokens_per_s = work.utilization * kPeakFlopsPerSecond * job.gpus /
                      (kFlopsPerParameterAndToken * work.active_parameters_b * 1e9);
  const double node_tokens = option_of(job.group, " seq", 4096) * option_of(job.group, "/bs", 8);
  const double nodes = static_cast<double>(job.gpus) / kGpusPerNode;
  work.step_time = Seconds(node_tokens * nodes / work.tokens_per_s);
  work.max_power = operate(job.physics, kUncappedLimit).power * job.gpus;
  return work;
}

}  // namespace wattflex::twin
