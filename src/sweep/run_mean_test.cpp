#include "sweep/run_mean.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace wattflex::sweep {
namespace {

// `count` samples of training on two GPUs; value(i) gives draw of GPU 0, GPU 1 draws 100 W more.
template <class Value>
RunSamples run_of(std::size_t count, Value value) {
  RunSamples run;
  run.gpus = 2;
  run.telemetry_columns = {"dram_active"};
  for (std::size_t i = 0; i < count; ++i) {
    const double x = value(i);
    run.samples.push_back({Seconds(5.0 * static_cast<double>(i)), 80, 1, 10 * x});
    run.gpu_power.push_back(Power::from_watts(x));
    run.gpu_power.push_back(Power::from_watts(x + 100));
    run.telemetry.push_back(x / 1000);
  }
  return run;
}

Phases all_of(const RunSamples& run) {
  return {.startup_begin = 0, .training_begin = 0, .training_end = run.samples.size()};
}

// Of 1..100 the top tenth is 91..100, mean 95.5.
TEST(RunMean, TopTenthIsTheMeanOfTheLargestTenPercentOfEachGpu) {
  const RunSamples run = run_of(100, [](std::size_t i) { return static_cast<double>((i * 37) % 100 + 1); });
  const auto mean = mean_of_training(run, all_of(run), Averaging::top_tenth);
  ASSERT_TRUE(mean);
  EXPECT_DOUBLE_EQ(mean->throughput, 955);
  EXPECT_DOUBLE_EQ(mean->power.watts(), 95.5 + 195.5);
  EXPECT_EQ(mean->n_samples, 100U);
}

TEST(RunMean, WholePhaseIsThePlainMean) {
  const RunSamples run = run_of(100, [](std::size_t i) { return static_cast<double>(i + 1); });
  const auto mean = mean_of_training(run, all_of(run), Averaging::whole_phase);
  EXPECT_DOUBLE_EQ(mean->throughput, 505);
  EXPECT_DOUBLE_EQ(mean->power.watts(), 50.5 + 150.5);
  // Standard error of 1..100: sqrt(841.667 / 100); both GPUs move together, so the job's is twice as large.
  EXPECT_NEAR(mean->throughput_stderr, 10 * 2.901149, 1e-4);
  EXPECT_NEAR(mean->power_stderr.watts(), 2 * 2.901149, 1e-5);
}

TEST(RunMean, TelemetryIsThePlainMeanUnderBothRules) {
  const RunSamples run = run_of(100, [](std::size_t i) { return static_cast<double>(i + 1); });
  for (const Averaging averaging : {Averaging::top_tenth, Averaging::whole_phase}) {
    EXPECT_NEAR(mean_of_training(run, all_of(run), averaging)->telemetry[0], 0.0505, 1e-12);
  }
}

TEST(RunMean, ConstantSamplesHaveNoError) {
  const RunSamples run = run_of(50, [](std::size_t) { return 300.0; });
  const auto mean = mean_of_training(run, all_of(run), Averaging::top_tenth);
  EXPECT_DOUBLE_EQ(mean->power.watts(), 700);
  EXPECT_DOUBLE_EQ(mean->power_stderr.watts(), 0);
}

TEST(RunMean, EvaluationsAndCheckpointsDoNotMoveTheTopTenth) {
  const auto value = [](std::size_t i) { return static_cast<double>(i % 100) + 300; };
  RunSamples run = run_of(400, value);
  const double before = mean_of_training(run, all_of(run), Averaging::top_tenth)->power.watts();
  for (std::size_t i = 0; i < 20; ++i) {  // the lowest of four hundreds
    run.gpu_power[2 * (i % 4 * 100 + i / 4)] = Power::from_watts(80);
  }
  EXPECT_DOUBLE_EQ(mean_of_training(run, all_of(run), Averaging::top_tenth)->power.watts(), before);
  EXPECT_LT(mean_of_training(run, all_of(run), Averaging::whole_phase)->power.watts(), before);
}

// Standard normal: the top tenth's mean is 1.75498, and its standard error 1.9264 / sqrt(n) by
// Var[(x - q)+] / 0.1^2 = 3.711 with q = 1.28155.
TEST(RunMean, BiasAndStandardErrorOfTheTopTenthAreThoseOfTheNormalLaw) {
  constexpr int kRuns = 400;
  constexpr std::size_t kSamples = 300;
  RandomStream random(11);
  double sum = 0;
  double squares = 0;
  double stated = 0;
  for (int i = 0; i < kRuns; ++i) {
    const RunSamples run = run_of(kSamples, [&](std::size_t) { return 1000 + random.normal(); });
    const auto mean = mean_of_training(run, all_of(run), Averaging::top_tenth);
    const double top = mean->throughput / 10 - 1000;
    sum += top;
    squares += top * top;
    stated += mean->throughput_stderr / 10 / kRuns;
  }
  const double average = sum / kRuns;
  const double spread = std::sqrt(squares / kRuns - average * average);
  const double theory = std::sqrt(3.711 / kSamples);
  EXPECT_NEAR(average, 1.755, 0.02);
  EXPECT_NEAR(spread / theory, 1, 0.12);
  EXPECT_NEAR(stated / theory, 1, 0.12);
}

TEST(RunMean, RefusesARunWhoseTrainerReportedTooLittle) {
  RunSamples run = run_of(100, [](std::size_t i) { return static_cast<double>(i + 1); });
  for (std::size_t i = 19; i < 100; ++i) run.samples[i].throughput.reset();
  EXPECT_EQ(mean_of_training(run, all_of(run), Averaging::top_tenth).error().kind, ErrorKind::no_data);
  run.samples[19].throughput = 5;
  EXPECT_TRUE(mean_of_training(run, all_of(run), Averaging::top_tenth));
}

}  // namespace
}  // namespace wattflex::sweep
