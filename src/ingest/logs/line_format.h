// How each framework prints a step. A format reads one line at a time and remembers at most what the next
// line needs; what the lines mean together (order, ranks, resumes, time) is step_tracker.h's business.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/logs/job_shape.h"
#include "ingest/logs/step_line.h"

namespace wattflex::logs {

inline constexpr double kMilliseconds = 1e-3;  // in seconds

enum class Reading {
  nothing,  // the line is not about a step
  part,     // it is, and a later one completes it (micro-steps, other bars)
  step,
  summary,  // figures of the whole run, printed at its end
  damaged,  // a step line with its figures missing: cut, or written over by another rank
};

class LineFormat {
 public:
  LineFormat() = default;
  LineFormat(const LineFormat&) = delete;
  LineFormat& operator=(const LineFormat&) = delete;
  virtual ~LineFormat() = default;

  virtual Framework framework() const = 0;
  // Every step line holds one of these; looked for before anything else.
  virtual std::span<const std::string_view> anchors() const = 0;
  // The words a record starts with, a number behind: where it comes twice, two records stand on one line.
  virtual std::string_view record_start() const = 0;
  virtual Reading read(std::string_view record, StepLine& step) = 0;
  // Whether the printed token counts hold padding, as far as the framework's source says.
  virtual TokenKind token_kind() const { return TokenKind::unknown; }
};

// All but the user's own, the most telling first: where two frameworks print into one log
// (Megatron-DeepSpeed, Trainer with DeepSpeed), the first of them counts.
std::vector<std::unique_ptr<LineFormat>> all_formats();

std::unique_ptr<LineFormat> megatron_format();
std::unique_ptr<LineFormat> torchtitan_format();
std::unique_ptr<LineFormat> nemo_format();
std::unique_ptr<LineFormat> maxtext_format();
std::unique_ptr<LineFormat> litgpt_format();
std::unique_ptr<LineFormat> torchtune_format();
std::unique_ptr<LineFormat> nanogpt_format();
std::unique_ptr<LineFormat> hugging_face_format();
std::unique_ptr<LineFormat> deepspeed_format();
std::unique_ptr<LineFormat> lightning_format();
std::unique_ptr<LineFormat> generic_format();

}  // namespace wattflex::logs
