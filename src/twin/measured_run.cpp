#include "twin/measured_run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "base/random.h"
#include "twin/chip.h"
#include "twin/step_wave.h"

namespace wattflex::twin {
namespace {

constexpr Seconds kPeriod{5};
constexpr Seconds kRunTime{1800};
constexpr Seconds kWarmup{45};        // process start to weights in memory
constexpr Seconds kStartup{105};      // graph capture, first batches
constexpr Seconds kSettling{10};      // first steps
constexpr Seconds kLongestDelay{60};  // of the start, from run to run
constexpr Seconds kEvaluationStart{600};
constexpr Seconds kEvaluation{60};
constexpr Seconds kCheckpointStart{1200};
constexpr Seconds kCheckpoint{30};

// Of a module behind its cooler, to its draw.
constexpr Seconds kThermalLag{40};

constexpr double kCommonPowerSd = 0.0062;
constexpr double kWorkloadPowerSd = 0.0025;
constexpr double kGpuPowerSd = 0.0040;
constexpr double kThroughputSd = 0.009;
constexpr double kCounterSd = 0.01;
constexpr double kGainSd = 0.02;

// Of 141 and 80 GiB, as trainers fill them.
constexpr double kWorkingSetH200 = 120;
constexpr double kWorkingSetH100 = 68;
// Of kTelemetryColumns, the first that are shares of time.
constexpr std::size_t kActivityColumns = 5;

enum class Activity { warmup, startup, settling, training, evaluation, checkpoint };

Activity activity_at(Seconds start, Seconds delay) {
  const auto within = [start](Seconds from, Seconds length) {
    return start >= from && start < from + length;
  };
  if (start < kWarmup + delay) return Activity::warmup;
  if (start < kWarmup + kStartup + delay) return Activity::startup;
  if (start < kWarmup + kStartup + kSettling + delay) return Activity::settling;
  if (within(kEvaluationStart, kEvaluation)) return Activity::evaluation;
  if (within(kCheckpointStart, kCheckpoint)) return Activity::checkpoint;
  return Activity::training;
}

// Levels of an activity relative to steady training.
struct Level {
  double framebuffer_gib;
  double gpu_utilization;
  double work;  // of the draw above idle, and of the counters
  std::optional<double> pace;
};

Level level_of(Activity activity, double framebuffer_gib) {
  switch (activity) {
    case Activity::warmup:
      return {1.2, 0, 0, std::nullopt};
    case Activity::startup:
      return {framebuffer_gib * 0.6, 0, 0.05, std::nullopt};
    case Activity::settling:
      return {framebuffer_gib, 0.7, 0.75, 0.6};
    case Activity::evaluation:  // forward passes only; the trainer reports no step
      return {framebuffer_gib, 0.98, 0.92, std::nullopt};
    case Activity::checkpoint:
      return {framebuffer_gib, 0, 0.02, std::nullopt};
    case Activity::training:
      break;
  }
  return {framebuffer_gib, 1, 1, 1.0};
}

// Factors scattered about 1; exactly 1 when the noise is switched off.
class Scatter {
 public:
  Scatter(RandomStream& random, Noise noise) : random_(random), on_(noise != Noise::none) {}
  double operator()(double sd) { return on_ ? 1 + sd * random_.normal() : 1; }

 private:
  RandomStream& random_;
  bool on_;
};

// Of the group's identity, so that a job's numbers do not hang on its neighbours in the table.
std::uint64_t stream_of(const SimulatedJob& job) {
  return wattflex::stream_of(std::string(job.accelerator).append(job.group));
}

Power idle_draw(const SimulatedJob& job) {
  return sm_power(kPulseSkippingClock, 0) + job.physics.memory_floor * 0.6;
}

// Everything about a run that does not change from sample to sample.
struct SteadyRun {
  const SimulatedJob& job;
  OperatingPoint point;
  Telemetry telemetry;
  const std::vector<double>& sensor_gain;  // by GPU
  double power_factor;                     // of this run, on the true draw
  double rate;                             // tokens/s of the whole job
  double framebuffer_gib;
  Power idle;
};

// Appends the samples of a run one by one.
class Recorder {
 public:
  Recorder(const SteadyRun& run, Scatter scatter)
      : run_(run), scatter_(scatter), temperature_c_(steady_temperature_c(run.idle)) {
    samples_.gpus = run.job.gpus;
    samples_.telemetry_columns.assign(kTelemetryColumns.begin(), kTelemetryColumns.end());
    const auto count = static_cast<std::size_t>(kRunTime / kPeriod);
    samples_.samples.reserve(count);
    samples_.gpu_power.reserve(count * static_cast<std::size_t>(run.job.gpus));
    samples_.telemetry.reserve(count * kTelemetryColumns.size());
  }

  // `steady` is the draw per GPU that training would show in this window.
  void record(Seconds end, const Level& level, Power steady) {
    const Power mean_power = record_power(level, steady);
    RunSample sample{end, level.framebuffer_gib, level.gpu_utilization, std::nullopt};
    if (level.pace) sample.throughput = run_.rate * *level.pace * scatter_(kThroughputSd);
    samples_.samples.push_back(sample);
    record_counters(level, mean_power);
  }

  RunSamples take() { return std::move(samples_); }

 private:
  Power record_power(const Level& level, Power steady) {
    const double common = run_.power_factor * scatter_(kCommonPowerSd) *
                          scatter_(kWorkloadPowerSd * (1 - run_.point.bound_share));
    const Power draw = (run_.idle + (steady - run_.idle) * level.work) * common;
    temperature_c_ += (steady_temperature_c(draw) - temperature_c_) * (kPeriod / kThermalLag);
    Power sum;
    for (const double gain : run_.sensor_gain) {
      samples_.gpu_power.push_back(draw * (gain * scatter_(kGpuPowerSd)));
      sum += samples_.gpu_power.back();
    }
    return sum / run_.job.gpus;
  }

  void record_counters(const Level& level, Power mean_power) {
    for (std::size_t i = 0; i < kActivityColumns; ++i) {
      const double activity = run_.telemetry[i] * level.work * scatter_(kCounterSd);
      samples_.telemetry.push_back(std::min(1.0, activity));
    }
    const bool idle = level.work < 0.5;  // an idle GPU runs at full clock
    samples_.telemetry.push_back(idle ? kMaxClock.megahertz() : run_.telemetry[kActivityColumns]);
    samples_.telemetry.push_back(run_.telemetry[kActivityColumns + 1]);
    samples_.telemetry.push_back(mean_power.watts());
    samples_.telemetry.push_back(temperature_c_);
  }

  const SteadyRun& run_;
  Scatter scatter_;
  double temperature_c_;
  RunSamples samples_;
};

}  // namespace

double own_share_of_repeat(Noise noise) {
  switch (noise) {
    case Noise::none:
    case Noise::within_run:
      return 0;
    case Noise::run_to_run:
      return kOwnShareOfRepeat;
    case Noise::independent_runs:
      break;
  }
  return 1;
}

SweepSession::SweepSession(const SimulatedJob& job, Noise noise, std::uint64_t seed)
    : job_(job),
      work_(assume_work(job)),
      uncapped_pace_(operate(job.physics, job.caps.front()).pace),
      noise_(noise),
      seed_(seed) {
  RandomStream random(seed, stream_of(job));
  for (int gpu = 0; gpu < job.gpus; ++gpu) {
    sensor_gain_.push_back(noise == Noise::none ? 1 : 1 + kGainSd * random.normal());
  }
  if (noise == Noise::run_to_run) {
    const double common = std::sqrt(1 - kOwnShareOfRepeat * kOwnShareOfRepeat);
    common_power_ = 1 + common * kRepeatPowerCv * random.normal();
    common_throughput_ = 1 + common * kRepeatThroughputCv * random.normal();
  }
}

RunSamples SweepSession::run(Power cap) const {
  const OperatingPoint point = operate(job_.physics, cap);
  const double pace = point.pace / uncapped_pace_;
  RandomStream random(seed_, stream_of(job_) + static_cast<std::uint64_t>(std::lround(cap.watts() * 1000)));
  const double own = own_share_of_repeat(noise_);
  const double power_factor = common_power_ * (1 + own * kRepeatPowerCv * random.normal());
  const double throughput_factor = common_throughput_ * (1 + own * kRepeatThroughputCv * random.normal());
  const Seconds delay{noise_ == Noise::none ? 0 : kLongestDelay.count() * random.uniform()};
  const StepWave wave(point, work_.step_time / pace, random.uniform());
  const SteadyRun run{.job = job_,
                      .point = point,
                      .telemetry = telemetry_at(job_, point),
                      .sensor_gain = sensor_gain_,
                      .power_factor = power_factor,
                      .rate = work_.tokens_per_s * pace * throughput_factor,
                      .framebuffer_gib = job_.accelerator == "H100" ? kWorkingSetH100 : kWorkingSetH200,
                      .idle = idle_draw(job_)};
  Recorder recorder(run, Scatter(random, noise_));
  for (Seconds start{0}; start < kRunTime; start += kPeriod) {
    const Power steady = noise_ == Noise::none ? point.power : wave.mean(start, start + kPeriod);
    recorder.record(start + kPeriod, level_of(activity_at(start, delay), run.framebuffer_gib), steady);
  }
  return recorder.take();
}

}  // namespace wattflex::twin
