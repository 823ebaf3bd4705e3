// What one line of a training log says about a step, as printed: nothing is computed here. Times are seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wattflex::logs {

enum class Framework {
  user_pattern,
  megatron,
  torchtitan,
  nemo,
  maxtext,
  litgpt,
  torchtune,
  nanogpt,
  hugging_face,
  deepspeed,
  lightning,
  generic,
};

std::string_view to_string(Framework framework);
std::optional<Framework> parse_framework(std::string_view name);

// What a printed throughput counts: all GPUs of the job, one of them, or nobody says.
enum class Scope { job, device, unknown };

// Whether padding is in a token count. Runs are comparable only when their kinds are equal and known.
enum class TokenKind { padded, real, unknown };
std::string_view to_string(TokenKind kind);
constexpr bool comparable(TokenKind a, TokenKind b) {
  return a == b && a != TokenKind::unknown;
}

struct StepLine {
  std::optional<std::int64_t> step;
  int rank = -1;                              // -1: the line names none
  std::optional<double> stamp;                // the line's own date, Unix seconds, read as UTC without a zone
  std::optional<double> wall_elapsed;         // since the start of the run, pauses included
  std::optional<double> train_elapsed;        // since the start, pauses left out
  double elapsed_resolution = 0;              // of wall_elapsed: progress bars show whole seconds
  std::optional<double> step_time;            // of one step
  std::optional<double> step_samples;         // of one step, whole job
  std::optional<double> step_tokens;          // of one step, as the log counts them
  std::optional<double> samples_seen;         // since the first start
  std::optional<double> tokens_seen;          // likewise
  std::optional<double> printed_tokens_rate;  // tokens/s
  std::optional<double> printed_samples_rate;
  std::optional<double> epoch;
  Scope scope = Scope::unknown;  // of printed_tokens_rate
  int skipped_steps = 0;         // of those the line covers: they took time and made no progress
  bool loss_is_nan = false;
};

}  // namespace wattflex::logs
