#include "twin/job_name.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cctype>
#include <utility>

#include "base/parse.h"

namespace wattflex::twin {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kSizeNames{
    {{"gpt-oss-20b", "20b"},
     {"Qwen3-30B-A3B", "30b"},
     {"Qwen3-32B", "32b"},
     {"Llama-3.1-70B", "70b"},
     {"DeepSeek-V2-Lite", "v2-lite"},
     {"Mistral-Small-24B-Base-2501", "24b"},
     {"gemma-4-26B-A4B", "26b"}}};

std::string_view size_of(std::string_view model) {
  for (const auto& [name, size] : kSizeNames) {
    if (name == model) return size;
  }
  assert(false);  // every model of the cohort is listed
  return model;
}

// Letters and digits; one dash for whatever else stands between them.
std::string dashed(std::string_view text) {
  std::string result;
  for (const char c : lower_case(text)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      result += c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  return result;
}

// What follows "x8" in a group's name.
std::string_view variant_of(const SimulatedJob& job) {
  const std::string gpus = fmt::format(" x{}", job.gpus);
  const std::size_t found = job.group.rfind(gpus);
  assert(found != std::string_view::npos);
  return job.group.substr(found + gpus.size());
}

}  // namespace

std::string short_name(const SimulatedJob& job) {
  std::string name = fmt::format("{}-{}-{}", job.architecture == Architecture::moe ? "moe" : "dense",
                                 job.task == Task::fine_tuning ? "ft" : "pt", size_of(job.model));
  if (job.gpus != 8) name += fmt::format("-x{}", job.gpus);
  if (const std::string variant = dashed(variant_of(job)); !variant.empty()) name += "-" + variant;
  if (job.accelerator != "H200") name += "-" + lower_case(job.accelerator);
  return name;
}

Result<const SimulatedJob*> find_job(std::string_view wanted) {
  std::string near;
  const std::string_view kind = wanted.substr(0, wanted.find('-', wanted.find('-') + 1));
  for (const SimulatedJob& job : simulated_jobs()) {
    const std::string name = short_name(job);
    if (name == wanted) return &job;
    if (!kind.empty() && name.starts_with(kind)) near += (near.empty() ? "" : ", ") + name;
  }
  return fail(ErrorKind::usage, fmt::format("no job '{}'", wanted),
              near.empty() ? "use a name like moe-ft-30b or dense-pt-32b-x16" : "use one of " + near);
}

}  // namespace wattflex::twin
