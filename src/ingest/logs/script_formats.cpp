// Training scripts of the nanoGPT family, each with a line of its own, and any log that writes its figures
// with plain keys ("step 5 tok/s 1000", {"step": 5, "tok_s": 990}).
#include <algorithm>
#include <array>
#include <cmath>

#include "ingest/logs/line_format.h"
#include "ingest/logs/log_text.h"

namespace wattflex::logs {
namespace {

// "135.20ms", "1014ms", "0.32s" behind `key`.
std::optional<double> time_behind(std::string_view record, std::string_view key) {
  const std::size_t at = find_text(record, key);
  if (at == std::string_view::npos) return std::nullopt;
  const auto number = scan_number(record, at + key.size());
  if (!number || number->value < 0) return std::nullopt;
  std::string_view unit = record.substr(number->end);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.starts_with("ms")) return number->value * kMilliseconds;
  return unit.starts_with('s') ? std::optional(number->value) : std::nullopt;
}

class NanoGpt final : public LineFormat {
 public:
  Framework framework() const override { return Framework::nanogpt; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 5> kAnchors = {"train_time:", ", time ", "| dt: ", " tok/s",
                                                                 " trl:"};
    return kAnchors;
  }
  std::string_view record_start() const override { return "step:"; }
  TokenKind token_kind() const override { return TokenKind::padded; }

  Reading read(std::string_view record, StepLine& step) override {
    if (const std::size_t time = find_text(record, ", time "); time != std::string_view::npos) {  // nanoGPT
      step.step = count_behind(record.substr(0, time), "iter ");
      if (!step.step) return Reading::nothing;
      step.step_time = time_behind(record.substr(time), ", time ");
      step.loss_is_nan = is_nan_behind(record.substr(0, time), "loss");
      return positive(step.step_time) ? Reading::step : Reading::damaged;
    }
    step.loss_is_nan = is_nan_behind(record, "loss");
    if (has_text(record, "train_time:")) return read_modded(record, step);
    if (has_text(record, "| dt: ")) {  // build-nanogpt, nanochat
      step.step = count_behind(record, "step ");
      step.step_time = time_behind(record, "| dt: ");
      step.printed_tokens_rate = number_behind(record, "tok/sec: ");
      step.scope = Scope::job;
      return step.step && positive(step.step_time) ? Reading::step : Reading::damaged;
    }
    if (const auto number = count_behind(record, "s:"); number && record.starts_with("s:")) {
      step.step = number;  // llm.c before it printed times
      return has_text(record, " trl:") ? Reading::step : Reading::nothing;
    }
    return read_llm_c(record, step);
  }

 private:
  static bool positive(const std::optional<double>& time) { return time && *time > 0; }

  // "step:1646/1670 train_time:156747ms step_avg:95.23ms"; the clock stands still during validation. The
  // script itself stands in front of the log, with the same words.
  static Reading read_modded(std::string_view record, StepLine& step) {
    step.step = count_behind(record, "step:");
    if (!step.step || has_text(record, "val_loss:")) return Reading::nothing;
    step.train_elapsed = time_behind(record, "train_time:");
    return step.train_elapsed ? Reading::step : Reading::damaged;
  }

  // "step    1/76294 | loss 10.98 | ... | 7456.89 ms | 35.4% bf16 MFU | 70309 tok/s".
  static Reading read_llm_c(std::string_view record, StepLine& step) {
    const std::size_t rate = record.rfind(" tok/s");
    const std::size_t time = find_text(record, " ms | ");
    if (rate == std::string_view::npos || time == std::string_view::npos || !has_text(record, "| loss "))
      return Reading::nothing;
    const auto number_before = [&](std::size_t end) {
      const std::size_t bar = record.substr(0, end).rfind('|');
      return bar == std::string_view::npos ? std::nullopt : number_at(record, bar + 1);
    };
    step.step = count_behind(record, "step ");
    step.printed_tokens_rate = number_before(rate);
    step.scope = Scope::job;
    if (const auto milliseconds = number_before(time)) step.step_time = *milliseconds * kMilliseconds;
    return step.step && positive(step.step_time) ? Reading::step : Reading::damaged;
  }
};

template <std::size_t N>
std::optional<double> first_of(std::string_view record, const std::array<std::string_view, N>& words) {
  for (const std::string_view word : words) {
    if (const auto number = number_of_word(record, word)) return number;
  }
  return std::nullopt;
}

class Generic final : public LineFormat {
 public:
  Framework framework() const override { return Framework::generic; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 10> kAnchors = {
        "tok/s",     "tokens/s",  "tok_s",         "tokens_per_s", "tps",
        "step_time", "samples/s", "samples_per_s", "tokens_seen",  "num_tokens"};
    return kAnchors;
  }
  std::string_view record_start() const override { return "step "; }

  Reading read(std::string_view record, StepLine& step) override {
    static constexpr std::array<std::string_view, 5> kSteps = {"step", "global_step", "iteration", "iter",
                                                               "Step"};
    static constexpr std::array<std::string_view, 9> kRates = {
        "tok/s",      "tokens/s", "tok_s", "tokens_per_s", "tokens_per_sec", "tokens_per_second",
        "tokens/sec", "tok/sec",  "tps"};
    static constexpr std::array<std::string_view, 4> kSamples = {"samples/s", "samples/sec", "samples_per_s",
                                                                 "samples_per_second"};
    static constexpr std::array<std::string_view, 4> kSeen = {"tokens_seen", "n_tokens_seen",
                                                              "num_input_tokens_seen", "num_tokens"};
    static constexpr std::array<std::string_view, 2> kTimes = {"step_time", "step_time_s"};
    if (const auto number = first_of(record, kSteps); number && *number >= 0 && *number < 1e15)
      step.step = static_cast<std::int64_t>(std::floor(*number));
    step.printed_tokens_rate = first_of(record, kRates);
    step.printed_samples_rate = first_of(record, kSamples);
    step.tokens_seen = first_of(record, kSeen);
    step.step_time = first_of(record, kTimes);
    step.step_tokens = number_of_word(record, "tokens");
    step.step_samples = number_of_word(record, "samples");
    step.epoch = number_of_word(record, "epoch");
    step.loss_is_nan = is_nan_behind(record, "loss");
    if (step.step_time && *step.step_time <= 0) step.step_time.reset();
    const auto names_any = [&](const auto& words) {
      return std::ranges::any_of(words, [&](std::string_view word) { return has_word(record, word); });
    };
    // A figure that is NaN or infinite is missing; the line is a step's all the same.
    const bool has_key = names_any(kRates) || names_any(kSamples) || names_any(kSeen) || names_any(kTimes);
    if (!has_key) return Reading::nothing;
    if (step.step || step.epoch) return Reading::step;
    const bool has_figure =
        step.printed_tokens_rate || step.printed_samples_rate || step.tokens_seen || step.step_time;
    return has_figure && record.contains('{') ? Reading::step : Reading::nothing;
  }
};

}  // namespace

std::unique_ptr<LineFormat> nanogpt_format() {
  return std::make_unique<NanoGpt>();
}
std::unique_ptr<LineFormat> generic_format() {
  return std::make_unique<Generic>();
}

}  // namespace wattflex::logs
