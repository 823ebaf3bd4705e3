#include "ingest/logs/cross_check.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace wattflex::logs {
namespace {

constexpr double kAgreement = 0.03;       // printed figures are rounded, and timers start and stop apart
constexpr int kMostComparisons = 10'000;  // enough to know, and no overflow however long the log

struct Factor {
  std::string name;
  double value;
};

void offer(std::vector<Factor>& factors, std::string name, Count value) {
  if (value && *value > 1) factors.push_back({std::move(name), static_cast<double>(*value)});
}

Count times(Count a, Count b) {
  return a && b ? Count(*a * *b) : std::nullopt;
}

// In the order in which they are met in practice.
std::vector<Factor> factors_of(const JobShape& shape, double interval) {
  std::vector<Factor> factors;
  offer(factors, "gradient accumulation", shape.accumulation);
  offer(factors, "tensor parallel", shape.tensor_parallel);
  offer(factors, "context parallel", shape.context_parallel);
  offer(factors, "tensor x context parallel", times(shape.tensor_parallel, shape.context_parallel));
  offer(factors, "pipeline parallel", shape.pipeline_parallel);
  offer(factors, "data parallel", shape.replicas());
  offer(factors, "GPUs", shape.job_gpus());
  offer(factors, "accumulation x data parallel", times(shape.accumulation, shape.replicas()));
  offer(factors, "accumulation x GPUs", times(shape.accumulation, shape.job_gpus()));
  if (interval > 1.5) factors.push_back({"logging interval", std::round(interval)});
  return factors;
}

bool is_near(double a, double b) {
  return std::abs(a / b - 1) <= kAgreement;
}

std::string_view noun(Printed what) {
  switch (what) {
    case Printed::tokens_rate:
      return "the printed tokens/s";
    case Printed::samples_rate:
      return "the printed samples/s";
    case Printed::token_counter:
      return "the log's token count";
    case Printed::step_time:
      return "the printed step time";
  }
  return "the printed figure";
}

}  // namespace

CrossCheck explain_ratio(Printed what, double ratio, const CheckContext& context) {
  CrossCheck check{.ratio = ratio, .agrees = is_near(ratio, 1)};
  if (check.agrees) return check;
  const double devices = std::round(1 / ratio);
  if (context.one_device && devices >= 2 && is_near(1 / ratio, devices)) {
    check.agrees = true;
    check.explanation = fmt::format("{} is one GPU's, and agrees if the job has {:.0f}", noun(what), devices);
    return check;
  }
  std::string names;
  for (const Factor& factor : factors_of(context.shape, context.interval)) {
    const bool above = is_near(ratio, factor.value);
    if (!above && !is_near(ratio, 1 / factor.value)) continue;
    names += fmt::format("{}{} ({:g})", names.empty() ? "" : " or ", factor.name, factor.value);
  }
  const std::string size =
      ratio >= 1 ? fmt::format("{:.4g} times", ratio) : fmt::format("1/{:.4g} of", 1 / ratio);
  if (!names.empty()) {
    check.explanation = fmt::format("{} is {} the computed one: {}", noun(what), size, names);
  } else if (what == Printed::token_counter && ratio < 1) {
    check.explanation =
        fmt::format("{} is {:.4g} of batch x sequence: it may leave padding out", noun(what), ratio);
  } else {
    check.explanation = fmt::format("{} is {} the computed one: unexplained", noun(what), size);
  }
  return check;
}

void CumulativeRate::add(std::optional<double> tokens_seen, std::optional<double> printed,
                         std::optional<double> time, bool differs) {
  const auto implied =
      tokens_seen && printed && *printed > 0 ? std::optional(*tokens_seen / *printed) : std::nullopt;
  if (implied && implied_ && time && time_ && *time > *time_ && compared_ < kMostComparisons) {
    ++compared_;
    if (differs && is_near((*implied - *implied_) / (*time - *time_), 1)) ++held_;
  }
  implied_ = implied;
  time_ = time;
}

}  // namespace wattflex::logs
