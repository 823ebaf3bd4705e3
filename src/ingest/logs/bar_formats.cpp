// Frameworks that show their steps as a tqdm bar: Hugging Face Trainer and Accelerate scripts, torchtune
// (whose metric logger also prints lines), Lightning. Bars show whole seconds, so single steps are coarse and
// only their sum is exact.
#include <array>
#include <utility>

#include "ingest/logs/line_format.h"
#include "ingest/logs/log_text.h"
#include "ingest/logs/progress_bar.h"

namespace wattflex::logs {
namespace {

void take_bar(const ProgressBar& bar, StepLine& step) {
  step.wall_elapsed = bar.elapsed;
  step.elapsed_resolution = 1;
}

class HuggingFace final : public LineFormat {
 public:
  Framework framework() const override { return Framework::hugging_face; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 5> kAnchors = {
        "/it", "it/s", "'train_runtime':", "'learning_rate':", kTotalSteps};
    return kAnchors;
  }
  std::string_view record_start() const override { return "'train_runtime': "; }

  Reading read(std::string_view record, StepLine& step) override {
    if (const auto bar = parse_bar(record)) return read_bar(*bar, step);
    if (const auto total = count_behind(record, kTotalSteps); total && *total > 0) {
      total_ = *total;
      return Reading::part;
    }
    if (number_of_word(record, "train_runtime")) {
      step.wall_elapsed = number_of_word(record, "train_runtime");
      step.printed_samples_rate = number_of_word(record, "train_samples_per_second");
      step.printed_tokens_rate = number_of_word(record, "train_tokens_per_second");
      step.epoch = number_of_word(record, "epoch");
      step.scope = Scope::job;
      return Reading::summary;
    }
    if (!has_text(record, "'learning_rate':") || !has_text(record, "'epoch':")) return Reading::nothing;
    tokens_seen_ = number_of_word(record, "num_input_tokens_seen");
    loss_is_nan_ = is_nan_behind(record, "'loss':");
    return Reading::part;
  }

 private:
  static constexpr std::string_view kTotalSteps = "Total optimization steps = ";

  // The bar of training has no description, or Accelerate's "Steps"; evaluation's has another total.
  Reading read_bar(const ProgressBar& bar, StepLine& step) {
    if (!bar.description.empty() && bar.description != "Steps") return Reading::nothing;
    if (total_ == 0) total_ = bar.total;
    if (bar.total != total_) return Reading::part;
    take_bar(bar, step);
    step.step = bar.done;
    step.tokens_seen = std::exchange(tokens_seen_, std::nullopt);
    step.loss_is_nan = std::exchange(loss_is_nan_, false);
    return Reading::step;
  }

  std::int64_t total_ = 0;             // of the bar of training: as the header says, else of the first bar
  std::optional<double> tokens_seen_;  // printed between two bars, belongs to the next
  bool loss_is_nan_ = false;
};

class Torchtune final : public LineFormat {
 public:
  Framework framework() const override { return Framework::torchtune; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 2> kAnchors = {"|Loss: ", "tokens_per_second_per_gpu:"};
    return kAnchors;
  }
  std::string_view record_start() const override { return "Step "; }
  // Recipes count the targets that are not ignored.
  TokenKind token_kind() const override { return TokenKind::real; }

  Reading read(std::string_view record, StepLine& step) override {
    if (has_text(record, anchors()[1])) {
      step.step = count_behind(record, record_start());
      step.printed_tokens_rate = number_behind(record, anchors()[1]);
      step.scope = Scope::device;
      step.loss_is_nan = is_nan_behind(record, "loss:");
      return step.step && step.printed_tokens_rate ? Reading::step : Reading::damaged;
    }
    // "1|228|Loss: 0.81:   1%|...": epoch, then the step over all epochs.
    const std::size_t loss = find_text(record, anchors()[0]);
    if (loss == std::string_view::npos) return Reading::nothing;
    const std::size_t before = record.substr(0, loss).rfind('|');
    if (before == std::string_view::npos) return Reading::nothing;
    step.step = count_behind(record.substr(before), "|");
    const auto bar = parse_bar(record.substr(loss + anchors()[0].size()));
    if (!step.step || !bar) return Reading::damaged;
    take_bar(*bar, step);
    step.loss_is_nan = is_nan_behind(record, anchors()[0]);
    return Reading::step;
  }
};

class Lightning final : public LineFormat {
 public:
  Framework framework() const override { return Framework::lightning; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::array<std::string_view, 1> kAnchors = {"Epoch "};
    return kAnchors;
  }
  std::string_view record_start() const override { return anchors()[0]; }

  Reading read(std::string_view record, StepLine& step) override {
    const auto bar = parse_bar(record);
    const auto epoch = count_behind(record, anchors()[0]);
    if (!bar || !epoch || !bar->description.starts_with(anchors()[0]) || *epoch > 1'000'000)
      return Reading::nothing;
    take_bar(*bar, step);
    step.step = *epoch * bar->total + bar->done;
    step.epoch = static_cast<double>(*epoch);
    return Reading::step;
  }
};

}  // namespace

std::unique_ptr<LineFormat> hugging_face_format() {
  return std::make_unique<HuggingFace>();
}
std::unique_ptr<LineFormat> torchtune_format() {
  return std::make_unique<Torchtune>();
}
std::unique_ptr<LineFormat> lightning_format() {
  return std::make_unique<Lightning>();
}

}  // namespace wattflex::logs
