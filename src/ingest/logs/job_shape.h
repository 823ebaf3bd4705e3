// How many tokens a step of the whole job holds: what the log declares of batch, sequence and layout, what
// options give, and what follows from them. Readings only; a figure that does not follow is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattflex::logs {

using Count = std::optional<std::int64_t>;

struct JobShape {
  Count seq_len;        // tokens of one sequence
  Count global_batch;   // sequences of one step, whole job
  Count micro_batch;    // sequences of one micro-step on one data-parallel rank
  Count accumulation;   // micro-steps of one step
  Count data_parallel;  // ranks with different sequences
  Count tensor_parallel;
  Count context_parallel;
  Count pipeline_parallel;
  Count gpus;
  Count step_tokens;  // of one step, where the log says just that

  // Sequences of one step: declared, or micro batch x accumulation x data-parallel size.
  Count samples_per_step() const;
  Count tokens_per_step() const;
  // GPUs of the job: declared, or the product of the parallel sizes when all that matter are known.
  Count job_gpus() const;
  Count replicas() const;
  // `given` before what stands here.
  JobShape overridden_by(const JobShape& given) const;

  friend bool operator==(const JobShape&, const JobShape&) = default;
};

struct ShapeField {
  std::string_view name;  // as options and JSON have it
  Count JobShape::* member;
};
const std::vector<ShapeField>& shape_fields();

// Reads declarations out of a line into `shape`: headers, argument dumps, configurations, command lines.
// Whether anything was found.
bool read_declarations(std::string_view line, JobShape& shape);
// A regular expression that every line with a declaration matches.
std::string declaration_words();

// Where the declarations contradict each other, or an option the log: a sentence each.
std::vector<std::string> contradictions(const JobShape& declared, const JobShape& given);

}  // namespace wattflex::logs
