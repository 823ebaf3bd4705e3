#include "sweep/run_mean.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

namespace wattflex::sweep {
namespace {

constexpr double kTopShare = 0.1;

struct Mean {
  double value = 0;
  // What each sample adds to the mean, up to a constant; adding series adds these.
  std::vector<double> contribution;
};

Mean plain_mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return {sum / static_cast<double>(values.size()), {values.begin(), values.end()}};
}

Mean top_mean(std::span<const double> values) {
  const auto count = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::lround(kTopShare * static_cast<double>(values.size()))));
  std::vector<double> sorted(values.begin(), values.end());
  const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::ranges::nth_element(sorted, last, std::greater());
  double sum = 0;
  for (const double value : std::span(sorted).first(count)) sum += value;
  Mean mean{sum / static_cast<double>(count), {}};
  const double quantile = *last;
  const double scale = static_cast<double>(values.size()) / static_cast<double>(count);
  mean.contribution.reserve(values.size());
  for (const double value : values) mean.contribution.push_back(std::max(0.0, value - quantile) * scale);
  return mean;
}

Mean mean_by(Averaging averaging, std::span<const double> values) {
  return averaging == Averaging::top_tenth ? top_mean(values) : plain_mean(values);
}

double standard_error(std::span<const double> contribution) {
  const auto n = static_cast<double>(contribution.size());
  if (n < 2) return 0;
  double sum = 0;
  for (const double value : contribution) sum += value;
  double squares = 0;
  for (const double value : contribution) squares += (value - sum / n) * (value - sum / n);
  return std::sqrt(squares / (n - 1) / n);
}

void average_power(RunMean& mean, const RunSamples& run, const Phases& phases, Averaging averaging) {
  std::vector<double> total(phases.training_samples(), 0.0);
  std::vector<double> watts(phases.training_samples());
  for (std::size_t gpu = 0; gpu < static_cast<std::size_t>(run.gpus); ++gpu) {
    for (std::size_t i = 0; i < watts.size(); ++i) {
      watts[i] = run.power_of(phases.training_begin + i)[gpu].watts();
    }
    const Mean one = mean_by(averaging, watts);
    mean.power += Power::from_watts(one.value);
    std::ranges::transform(total, one.contribution, total.begin(), std::plus());
  }
  mean.power_stderr = Power::from_watts(standard_error(total));
}

std::vector<double> mean_telemetry(const RunSamples& run, const Phases& phases) {
  std::vector<double> sums(run.telemetry_columns.size(), 0.0);
  for (std::size_t i = phases.training_begin; i < phases.training_end; ++i) {
    std::ranges::transform(sums, run.telemetry_of(i), sums.begin(), std::plus());
  }
  for (double& sum : sums) sum /= static_cast<double>(phases.training_samples());
  return sums;
}

}  // namespace

Result<RunMean> mean_of_training(const RunSamples& run, const Phases& phases, Averaging averaging) {
  std::vector<double> rates;
  for (std::size_t i = phases.training_begin; i < phases.training_end; ++i) {
    const std::optional<double>& rate = run.samples[i].throughput;
    if (rate) rates.push_back(*rate);
  }
  if (rates.size() < static_cast<std::size_t>(PhaseRules().fewest_samples)) {
    return fail(ErrorKind::no_data, "the trainer reported a rate in too few samples of training",
                "check that the trainer logs its throughput every step");
  }
  RunMean mean;
  const Mean throughput = mean_by(averaging, rates);
  mean.throughput = throughput.value;
  mean.throughput_stderr = standard_error(throughput.contribution);
  average_power(mean, run, phases, averaging);
  mean.telemetry = mean_telemetry(run, phases);
  mean.n_samples = phases.training_samples();
  return mean;
}

}  // namespace wattflex::sweep
