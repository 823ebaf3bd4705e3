// Step lines of torchtitan (components/metrics.py: log), MaxText (metric_logger.py) and LitGPT (pretrain.py,
// finetune/*.py). torchtitan as its source prints it; MaxText and LitGPT as in their documentation's logs.
#include <algorithm>
#include <array>

#include "ingest/logs/line_format.h"
#include "ingest/logs/log_text.h"

namespace wattflex::logs {
namespace {

class Torchtitan final : public LineFormat {
 public:
  Framework framework() const override { return Framework::torchtitan; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 1> kAnchors = {"  tps: "};
    return kAnchors;
  }
  std::string_view record_start() const override { return "step: "; }
  TokenKind token_kind() const override { return TokenKind::padded; }

  Reading read(std::string_view record, StepLine& step) override {
    const std::size_t start = find_text(record, record_start());
    const std::string_view fields = record.substr(std::min(start, record.size()));
    if (!has_text(fields, anchors()[0]) || record.substr(0, start).ends_with("validate "))
      return Reading::nothing;
    step.step = count_behind(fields, record_start());
    step.printed_tokens_rate = number_behind(fields, anchors()[0]);
    step.scope = Scope::device;
    step.loss_is_nan = is_nan_behind(fields, "loss:");
    return step.step && step.printed_tokens_rate ? Reading::step : Reading::damaged;
  }
};

class MaxText final : public LineFormat {
 public:
  Framework framework() const override { return Framework::maxtext; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 1> kAnchors = {"completed step: "};
    return kAnchors;
  }
  std::string_view record_start() const override { return anchors()[0]; }
  // total_weights is the number of targets that are not padding.
  TokenKind token_kind() const override { return TokenKind::real; }

  Reading read(std::string_view record, StepLine& step) override {
    step.step = count_behind(record, anchors()[0]);
    if (!step.step) return Reading::nothing;
    step.step_time = number_behind(record, "seconds: ");
    if (!step.step_time || *step.step_time <= 0) return Reading::damaged;
    step.printed_tokens_rate = number_behind(record, "Tokens/s/device: ");
    step.scope = Scope::device;
    step.step_tokens = number_behind(record, "total_weights: ");
    step.loss_is_nan = is_nan_behind(record, " loss: ");
    return Reading::step;
  }
};

// Prints micro-steps; those that end a step say "(step)" or count it up.
class LitGpt final : public LineFormat {
 public:
  Framework framework() const override { return Framework::litgpt; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 1> kAnchors = {"| iter time: "};
    return kAnchors;
  }
  std::string_view record_start() const override { return "Epoch "; }

  Reading read(std::string_view record, StepLine& step) override {
    const auto time = number_behind(record, anchors()[0]);
    const auto iteration = count_behind(record, "| iter ");
    const auto number = count_behind(record, " step ");
    if (!has_text(record, anchors()[0])) return Reading::nothing;
    if (!time || !iteration || !number || *time <= 0) return Reading::damaged;
    if (*iteration <= run_.iteration) run_ = Run{.iteration = *iteration - 1, .step = -1};  // started again
    run_.iteration = *iteration;
    run_.printed_time += *time * kMilliseconds;
    ++run_.printed;
    // Where the log does not start with the run, the first line only says where it is.
    if (run_.step < 0 || (run_.counted == 0 && *iteration > 1 && run_.printed == 1)) {
      run_ = Run{.iteration = *iteration, .counted = *iteration, .step = *number};
      step.step = number;
      return *number > 0 ? Reading::step : Reading::part;
    }
    if (*number <= run_.step) return Reading::part;
    const auto steps = static_cast<double>(*number - run_.step);
    // Micro-steps that were not printed took as long as the others.
    const auto micro_steps = static_cast<double>(*iteration - run_.counted);
    step.step = number;
    step.step_time = run_.printed_time / run_.printed * micro_steps / steps;
    step.loss_is_nan = is_nan_behind(record, "loss train:");
    run_ = Run{.iteration = *iteration, .counted = *iteration, .step = *number};
    return Reading::step;
  }

 private:
  struct Run {
    std::int64_t iteration = 0;  // last printed
    std::int64_t counted = 0;    // up to here micro-steps belong to earlier steps
    std::int64_t step = 0;       // last one completed
    double printed_time = 0;     // of the micro-steps printed since
    double printed = 0;
  };
  Run run_;
};

}  // namespace

std::unique_ptr<LineFormat> torchtitan_format() {
  return std::make_unique<Torchtitan>();
}
std::unique_ptr<LineFormat> maxtext_format() {
  return std::make_unique<MaxText>();
}
std::unique_ptr<LineFormat> litgpt_format() {
  return std::make_unique<LitGpt>();
}

}  // namespace wattflex::logs
