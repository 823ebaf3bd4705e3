#include "device/recorder.h"

#include <gtest/gtest.h>

#include "device/faulty_backend.h"
#include "device/test_backend.h"

namespace wattflex::device {
namespace {

using namespace std::chrono_literals;

struct Rig {
  explicit Rig(int count)
      : gpus(std::make_shared<TestBackend>(count)),
        faults(std::make_shared<FaultyBackend>(gpus)),
        workers(faults, gpus->uuids()) {}

  Result<Recording> record(RecorderSettings settings, const Recorder::Sink& also = nullptr) {
    settings.patience = 60s;
    Recorder recorder(workers, gpus->inventory()->gpus,
                      std::vector<Power>(gpus->uuids().size(), Power::from_watts(700)), settings);
    return recorder.run([&](std::span<const SampleRow> given) {
      rows.insert(rows.end(), given.begin(), given.end());
      return also ? also(given) : Result<void>();
    });
  }

  std::shared_ptr<TestBackend> gpus;
  std::shared_ptr<FaultyBackend> faults;
  GpuWorkers workers;
  std::vector<SampleRow> rows;
};

TEST(Recorder, SamplesEveryGpuAtEveryMoment) {
  Rig rig(2);
  const Time start = rig.gpus->test_clock().now();
  const auto recording = rig.record({.interval = 100ms, .duration = 1s});
  ASSERT_TRUE(recording);
  ASSERT_EQ(rig.rows.size(), 20U);
  for (std::size_t i = 0; i < rig.rows.size(); ++i) {
    EXPECT_EQ(rig.rows[i].sample.time, start + static_cast<int>(i / 2) * 100ms);
    EXPECT_EQ(rig.rows[i].uuid.text, i % 2 == 0 ? "GPU-0" : "GPU-1");
    EXPECT_EQ(rig.rows[i].gap, "");
  }
  EXPECT_EQ(recording->gpus[0].samples, 10U);
  EXPECT_EQ(recording->gpus[0].gaps, 0U);
  EXPECT_FALSE(recording->interrupted);
}

TEST(Recorder, MarksTheGapOfAGpuThatFails) {
  Rig rig(2);
  rig.faults->fail({"GPU-1"}, FaultyBackend::Call::sample, Problem::gpu_lost);
  const auto recording = rig.record({.interval = 1s, .duration = 3s});
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->gpus[0].samples, 3U);
  EXPECT_EQ(recording->gpus[1].samples, 0U);
  EXPECT_EQ(recording->gpus[1].gaps, 3U);
  EXPECT_EQ(rig.rows[1].gap, "gpu_lost");
  EXPECT_EQ(recording->gpus[1].energy.source, EnergySource::unknown);
}

// The machine slept for five moments and a bit between two of them.
TEST(Recorder, MarksMomentsThatWentByUnseen) {
  Rig rig(1);
  bool slept = false;
  const auto recording = rig.record({.interval = 1s, .duration = 8s}, [&](std::span<const SampleRow>) {
    if (!std::exchange(slept, true)) {
      TestClock& clock = rig.gpus->test_clock();
      clock.set(clock.now() + 5'300ms);
    }
    return Result<void>();
  });
  ASSERT_TRUE(recording);
  ASSERT_EQ(rig.rows.size(), 5U);  // 0, the gap at 1, 5.3, 6, 7
  EXPECT_EQ(rig.rows[1].gap, "missed:4");
  EXPECT_EQ(rig.rows[1].sample.time - rig.rows[0].sample.time, 1s);
  EXPECT_EQ(rig.rows[2].sample.time - rig.rows[0].sample.time, 5'300ms);
  EXPECT_EQ(rig.rows[3].sample.time - rig.rows[0].sample.time, 6s);
  EXPECT_EQ(recording->gpus[0].samples + 4, 8U);
}

// TEL-05: one in a hundred is let pass, more are not.
TEST(Recorder, DistrustsAColumnWithTooManyImpossibleReadings) {
  RecordedGpu gpu;
  gpu.impossible.assign(reading_columns().size(), 0);
  gpu.readings.assign(reading_columns().size(), 200);
  gpu.impossible[0] = 2;
  EXPECT_TRUE(gpu.distrusted().empty());
  gpu.impossible[0] = 3;
  EXPECT_EQ(gpu.distrusted(), std::vector<std::string_view>{"draw_instant_w"});
}

TEST(Recorder, CountsImpossibleReadingsAmongTheAnswers) {
  Rig rig(1);
  rig.gpus->gpu({"GPU-0"}).sample.gpu_util = Problem::impossible_value;
  const auto recording = rig.record({.interval = 1s, .duration = 4s});
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->gpus[0].distrusted(), std::vector<std::string_view>{"gpu_util"});
}

// TEL-02: a module's counter is never set beside the GPU's own draw.
TEST(Recorder, KeepsTheEnergyAccountToOneScope) {
  Rig rig(1);
  GpuSample& sample = rig.gpus->gpu({"GPU-0"}).sample;
  sample.energy = EnergyCount{5'000'000, PowerScope::module};
  sample.draw_average = Power::from_watts(650);
  const auto recording = rig.record({.interval = 1s, .duration = 10s});
  ASSERT_TRUE(recording);
  EXPECT_FALSE(recording->gpus[0].energy.counter_over_draw);
}

TEST(Recorder, EndsWithTheErrorOfItsSink) {
  Rig rig(1);
  const auto recording = rig.record({.interval = 1s, .duration = 4s}, [](std::span<const SampleRow>) {
    return Result<void>(fail(ErrorKind::io, "disk full", ""));
  });
  ASSERT_FALSE(recording);
  EXPECT_EQ(rig.rows.size(), 1U);
}

}  // namespace
}  // namespace wattflex::device
