#include "device/gpu_workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "device/faulty_backend.h"
#include "device/test_backend.h"

namespace wattflex::device {
namespace {

using namespace std::chrono_literals;

// Long enough that no healthy worker misses it on a busy machine; short where a GPU is meant to miss it.
constexpr auto kLong = 60'000ms;
constexpr auto kShort = 50ms;

std::vector<DeviceResult<GpuSample>> sample_all(GpuWorkers& workers, std::chrono::milliseconds patience) {
  return workers.on_all<GpuSample>(
      [](GpuBackend& backend, const GpuUuid& uuid) { return backend.sample(uuid, Depth::basic); }, patience);
}

struct Rig {
  explicit Rig(int count)
      : gpus(std::make_shared<TestBackend>(count)), faults(std::make_shared<FaultyBackend>(gpus)) {}
  std::shared_ptr<TestBackend> gpus;
  std::shared_ptr<FaultyBackend> faults;
};

TEST(GpuWorkers, AnswerForEachGpuInOrder) {
  const Rig rig(8);
  GpuWorkers workers(rig.faults, rig.gpus->uuids());
  const auto answers = sample_all(workers, kLong);
  ASSERT_EQ(answers.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    ASSERT_TRUE(answers[i]) << answers[i].error().message;
    EXPECT_EQ(answers[i]->draw_average, Power::from_watts(100.0 + static_cast<double>(i)));
  }
}

TEST(GpuWorkers, DoNotLetAHungGpuDelayTheOthers) {
  const Rig rig(4);
  const GpuUuid hung{"GPU-2"};
  rig.faults->hang(hung, FaultyBackend::Call::sample);
  GpuWorkers workers(rig.faults, rig.gpus->uuids());
  for (int round = 0; round < 3; ++round) {
    for (const std::size_t other : {0U, 1U, 3U}) {
      while (workers.stuck_for(other) > 0ms) std::this_thread::yield();
    }
    const auto answers = sample_all(workers, round == 0 ? kShort : kLong);
    // From the second round on nobody waits for it: it is busy with the first.
    ASSERT_FALSE(answers[2]);
    EXPECT_EQ(answers[2].error().problem, Problem::timed_out);
    EXPECT_NE(answers[2].error().message.find("GPU-2"), std::string::npos);
    if (round > 0) {
      for (const std::size_t other : {0U, 1U, 3U}) EXPECT_TRUE(answers[other]);
    }
  }
  EXPECT_GE(workers.stuck_for(2), kShort);
  rig.faults->heal();
}

TEST(GpuWorkers, TakeAGpuBackThatAnswersAgain) {
  const Rig rig(1);
  rig.faults->hang(rig.gpus->uuids()[0], FaultyBackend::Call::sample);
  GpuWorkers workers(rig.faults, rig.gpus->uuids());
  EXPECT_FALSE(sample_all(workers, kShort)[0]);
  rig.faults->heal();
  while (workers.stuck_for(0) > 0ms) std::this_thread::yield();
  EXPECT_TRUE(sample_all(workers, kLong)[0]);
}

TEST(GpuWorkers, EndWithoutWaitingForAHungOne) {
  const Rig rig(2);
  rig.faults->hang(rig.gpus->uuids()[1], FaultyBackend::Call::sample);
  const std::weak_ptr<FaultyBackend> held = rig.faults;
  {
    GpuWorkers workers(rig.faults, rig.gpus->uuids());
    EXPECT_FALSE(sample_all(workers, kShort)[1]);
  }
  // Still alive for the thread that is in it.
  EXPECT_GE(held.use_count(), 2);
  rig.faults->heal();
}

// CAP-06, what is read of it: every GPU is tried, each has its own answer.
TEST(GpuWorkers, TryAllGpusWhenOneIsLost) {
  const Rig rig(4);
  rig.faults->fail({"GPU-2"}, FaultyBackend::Call::set_limit, Problem::gpu_lost);
  GpuWorkers workers(rig.faults, rig.gpus->uuids());
  const auto answers = workers.on_all<PowerLimits>(
      [](GpuBackend& backend, const GpuUuid& uuid) {
        return backend.set_limit(uuid, Power::from_watts(250));
      },
      kLong);
  for (const std::size_t other : {0U, 1U, 3U}) {
    ASSERT_TRUE(answers[other]);
    EXPECT_EQ(answers[other]->enforced, Power::from_watts(250));
  }
  ASSERT_FALSE(answers[2]);
  EXPECT_EQ(answers[2].error().problem, Problem::gpu_lost);
  EXPECT_EQ(rig.gpus->gpu({"GPU-2"}).writes, 0);
}

// Eight writes of 32 ms take 32 ms, not 256: all eight are in the driver at once.
TEST(GpuWorkers, AskAllGpusAtOnce) {
  const Rig rig(8);
  GpuWorkers workers(rig.gpus, rig.gpus->uuids());
  auto inside = std::make_shared<std::atomic<int>>(0);
  const auto answers = workers.on_all<int>(
      [inside](GpuBackend&, const GpuUuid&) -> DeviceResult<int> {
        ++*inside;
        while (*inside < 8) std::this_thread::yield();
        return inside->load();
      },
      kLong);
  for (const auto& answer : answers) EXPECT_EQ(answer, 8);
}

}  // namespace
}  // namespace wattflex::device
