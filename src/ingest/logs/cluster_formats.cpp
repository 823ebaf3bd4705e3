// Step lines of Megatron-LM (and its DeepSpeed fork), NeMo and DeepSpeed itself. Megatron and DeepSpeed as in
// real logs and in their source (training.py: training_log; utils/timer.py: ThroughputTimer); NeMo as its
// progress printer and progress bar write it.
#include <algorithm>
#include <array>
#include <cmath>

#include "ingest/logs/line_format.h"
#include "ingest/logs/log_text.h"
#include "ingest/logs/progress_bar.h"

namespace wattflex::logs {
namespace {

std::optional<std::int64_t> whole(std::optional<double> number) {
  if (!number || *number < 0 || *number > 1e15) return std::nullopt;
  return static_cast<std::int64_t>(std::floor(*number));
}

class Megatron final : public LineFormat {
 public:
  Framework framework() const override { return Framework::megatron; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 1> kAnchors = {"elapsed time per iteration (ms):"};
    return kAnchors;
  }
  std::string_view record_start() const override { return "iteration "; }
  TokenKind token_kind() const override { return TokenKind::padded; }

  Reading read(std::string_view record, StepLine& step) override {
    const std::size_t key = find_text(record, anchors()[0]);
    if (key == std::string_view::npos) return Reading::nothing;
    step.step = count_behind(record, record_start());
    const auto time = scan_number(record, key + anchors()[0].size());
    // The bar behind it shows that the number is whole.
    const bool whole_number =
        time && time->end < record.size() &&
        (record[time->end] == ' ' || record[time->end] == '/' || record[time->end] == '|');
    if (!step.step || !whole_number || time->value <= 0) return Reading::damaged;
    step.step_time = time->value * kMilliseconds;
    // In front of the time stands only this; behind it the rest.
    step.samples_seen = number_behind(record.substr(0, key), "consumed samples:");
    step.tokens_seen = number_behind(record.substr(0, key), "consumed tokens:");
    std::string_view rest = record.substr(time->end);
    step.step_samples = number_behind(rest, "global batch size:");
    step.loss_is_nan = is_nan_behind(rest, "loss:");
    step.scope = Scope::device;
    // Everything of interest that follows stands behind this.
    const std::size_t skipped = find_text(rest, "skipped iterations:");
    if (skipped == std::string_view::npos) return Reading::step;
    rest = rest.substr(skipped);
    step.skipped_steps =
        static_cast<int>(std::clamp(number_behind(rest, "iterations:").value_or(0), 0.0, 1e6));
    step.printed_samples_rate = number_behind(rest, "samples per second:");
    step.printed_tokens_rate = number_behind(rest, "tokens per gpu per second (tgs):");
    return Reading::step;
  }
};

class NeMo final : public LineFormat {
 public:
  Framework framework() const override { return Framework::nemo; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 1> kAnchors = {"train_step_timing in s"};
    return kAnchors;
  }
  std::string_view record_start() const override { return "Training epoch "; }
  TokenKind token_kind() const override { return TokenKind::padded; }

  Reading read(std::string_view record, StepLine& step) override {
    if (!has_text(record, anchors()[0])) return Reading::nothing;
    step.step = whole(number_of_word(record, "global_step"));
    step.step_time = number_of_word(record, anchors()[0]);
    if (!step.step || !step.step_time || *step.step_time <= 0) return Reading::damaged;
    step.step_samples = number_of_word(record, "global_batch_size");
    step.samples_seen = number_of_word(record, "consumed_samples");
    step.loss_is_nan = is_nan_behind(record, "reduced_train_loss");
    if (const auto bar = parse_bar(record)) {
      step.wall_elapsed = bar->elapsed;
      step.elapsed_resolution = 1;
    }
    return Reading::step;
  }
};

// DeepSpeed's own timer, and the lines of its RLHF trainer, which count generation too.
class DeepSpeed final : public LineFormat {
 public:
  Framework framework() const override { return Framework::deepspeed; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 3> kAnchors = {
        "CurrSamplesPerSec=", "CurSamplesPerSec=", "|step: "};
    return kAnchors;
  }
  std::string_view record_start() const override { return "global_step="; }

  Reading read(std::string_view record, StepLine& step) override {
    if (const auto number = count_behind(record, "|step: ")) {
      rlhf_step_ = number;
      return Reading::part;
    }
    if (const auto latency = number_behind(record, "|E2E latency=")) {
      // The actor's and the critic's timers count from here on a part of this step.
      rlhf_ = true;
      step.step = rlhf_step_;
      step.step_time = latency;
      step.printed_samples_rate = number_behind(record, "CurSamplesPerSec=");
      return step.step && *latency > 0 ? Reading::step : Reading::damaged;
    }
    if (!has_text(record, "CurrSamplesPerSec=")) return Reading::nothing;
    if (rlhf_) return Reading::part;
    step.step = count_behind(record, record_start());
    step.printed_samples_rate = number_behind(record, "CurrSamplesPerSec=");
    return step.step ? Reading::step : Reading::damaged;
  }

 private:
  std::optional<std::int64_t> rlhf_step_;
  bool rlhf_ = false;
};

}  // namespace

std::unique_ptr<LineFormat> megatron_format() {
  return std::make_unique<Megatron>();
}
std::unique_ptr<LineFormat> nemo_format() {
  return std::make_unique<NeMo>();
}
std::unique_ptr<LineFormat> deepspeed_format() {
  return std::make_unique<DeepSpeed>();
}

}  // namespace wattflex::logs
