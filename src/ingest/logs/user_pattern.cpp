#include "ingest/logs/user_pattern.h"

#include <re2/re2.h>

#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "ingest/logs/log_text.h"

namespace wattflex::logs {
namespace {

constexpr std::int64_t kMostPatternBytes = std::int64_t{4} << 20;  // RE2's own tables, all threads
constexpr std::size_t kMostGroups = 32;

RE2::Options options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // logs hold any bytes
  options.set_log_errors(false);
  options.set_max_mem(kMostPatternBytes);
  return options;
}

// Where a group's number goes, and what it is multiplied by.
struct Group {
  std::string_view name;
  std::optional<double> StepLine::* member;
  double factor = 1;
  Scope scope = Scope::job;
};

constexpr std::array kGroups = {
    Group{"step_time", &StepLine::step_time},
    Group{"step_time_ms", &StepLine::step_time, 1e-3},
    Group{"tokens", &StepLine::step_tokens},
    Group{"tokens_seen", &StepLine::tokens_seen},
    Group{"tokens_per_s", &StepLine::printed_tokens_rate},
    Group{"tokens_per_s_per_gpu", &StepLine::printed_tokens_rate, 1, Scope::device},
    Group{"samples", &StepLine::step_samples},
    Group{"samples_seen", &StepLine::samples_seen},
    Group{"samples_per_s", &StepLine::printed_samples_rate},
    Group{"epoch", &StepLine::epoch},
};
constexpr std::string_view kOtherGroups[] = {"step", "time", "rank", "loss"};

bool is_group(std::string_view name) {
  return std::ranges::find(kGroups, name, &Group::name) != kGroups.end() ||
         std::ranges::find(kOtherGroups, name) != std::end(kOtherGroups);
}

class UserPattern final : public LineFormat {
 public:
  explicit UserPattern(std::unique_ptr<RE2> pattern)
      : pattern_(std::move(pattern)),
        groups_(static_cast<std::size_t>(pattern_->NumberOfCapturingGroups()) + 1) {}

  Framework framework() const override { return Framework::user_pattern; }
  std::span<const std::string_view> anchors() const override { return {}; }
  std::string_view record_start() const override { return {}; }

  Reading read(std::string_view record, StepLine& step) override {
    if (!pattern_->Match({record.data(), record.size()}, 0, record.size(), RE2::UNANCHORED, groups_.data(),
                         static_cast<int>(groups_.size())))
      return Reading::nothing;
    bool damaged = false;
    for (const auto& [name, number] : pattern_->NamedCapturingGroups()) {
      const auto& group = groups_[static_cast<std::size_t>(number)];
      if (group.data() == nullptr) continue;  // an alternative that did not match
      damaged = !take(name, {group.data(), group.size()}, step) || damaged;
    }
    return damaged && !step.step ? Reading::damaged : Reading::step;
  }

 private:
  // NaN and infinity are missing figures; what is no number at all makes a damaged line.
  static bool take(std::string_view name, std::string_view text, StepLine& step) {
    if (name == "loss") {
      step.loss_is_nan = is_nan_behind(text, "");
      return true;
    }
    if (name == "time") {
      step.stamp = stamp_of(text);
      if (!step.stamp) step.stamp = number_at(text, 0);
      return step.stamp.has_value();
    }
    const auto number = number_at(text, 0);
    if (name == "step") {
      if (!number || *number < 0 || *number > 1e15) return false;
      step.step = static_cast<std::int64_t>(std::floor(*number));
      return true;
    }
    if (name == "rank") {
      step.rank = number && *number >= 0 && *number < 1e6 ? static_cast<int>(*number) : -1;
      return true;
    }
    const auto* const group = std::ranges::find(kGroups, name, &Group::name);
    if (!number) return true;
    step.*group->member = *number * group->factor;
    if (group->member == &StepLine::printed_tokens_rate) step.scope = group->scope;
    if (step.step_time && *step.step_time <= 0) step.step_time.reset();
    return true;
  }

  std::unique_ptr<RE2> pattern_;
  std::vector<re2::StringPiece> groups_;
};

}  // namespace

Result<std::unique_ptr<LineFormat>> user_pattern_format(const std::string& pattern) {
  auto compiled = std::make_unique<RE2>(pattern, options());
  if (!compiled->ok())
    return fail(ErrorKind::usage, "the pattern is no regular expression: " + compiled->error(),
                "RE2's syntax: no look-around, no back references; groups as (?P<step>\\d+)");
  const auto& names = compiled->NamedCapturingGroups();
  if (static_cast<std::size_t>(compiled->NumberOfCapturingGroups()) > kMostGroups)
    return fail(ErrorKind::usage, "the pattern has more than 32 groups",
                "use (?:...) where nothing is to be read");
  for (const auto& [name, number] : names) {
    if (!is_group(name))
      return fail(ErrorKind::usage, "the pattern's group '" + name + "' means nothing here",
                  "groups: step, time, step_time, step_time_ms, tokens, tokens_seen, tokens_per_s, "
                  "tokens_per_s_per_gpu, samples, samples_seen, samples_per_s, rank, loss, epoch");
  }
  if (!names.contains("step") && !names.contains("tokens_per_s") && !names.contains("samples_per_s"))
    return fail(ErrorKind::usage, "the pattern reads neither a step nor a rate",
                "name a group, as in (?P<step>\\d+)");
  return std::make_unique<UserPattern>(std::move(compiled));
}

struct LineFilter::Compiled {
  explicit Compiled(const std::string& text) : expression(text, options()) {}
  RE2 expression;
};

LineFilter::LineFilter(const std::string& expression) : compiled_(std::make_unique<Compiled>(expression)) {
  assert(compiled_->expression.ok());
}
LineFilter::LineFilter(LineFilter&&) noexcept = default;
LineFilter& LineFilter::operator=(LineFilter&&) noexcept = default;
LineFilter::~LineFilter() = default;

bool LineFilter::passes(std::string_view line) const {
  return compiled_->expression.Match({line.data(), line.size()}, 0, line.size(), RE2::UNANCHORED, nullptr, 0);
}

}  // namespace wattflex::logs
