// The twin's library as a client sees it: loaded by path, used through our own NVML adapter. Twin time stands
// and is moved by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "device/nvml/nvml_backend.h"
#include "twin/cohort.h"
#include "twin/job_name.h"
#include "twin/state/machine.h"

namespace wattflex::twin {
namespace {

namespace fs = std::filesystem;
using device::Depth;
using nvml::NvmlBackend;
using testing::HasSubstr;

class TwinLibrary : public testing::Test {
 protected:
  TwinLibrary()
      : path_(fs::path(testing::TempDir()) /
              ("twin_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove(path_);
    setenv("WATTFLEX_TWIN_STATE", path_.c_str(), 1);
  }
  TwinLibrary(const TwinLibrary&) = delete;
  TwinLibrary& operator=(const TwinLibrary&) = delete;
  ~TwinLibrary() override {
    backend.reset();
    machine.reset();
    fs::remove(path_);
  }

  void start(const TwinSetup& setup) {
    auto file = StateFile::create(path_, setup);
    ASSERT_TRUE(file) << file.error().message;
    machine = std::make_unique<Machine>(*std::move(file));
    auto opened = NvmlBackend::open(WATTFLEX_TWIN_LIBRARY);
    ASSERT_TRUE(opened) << opened.error().message;
    backend = *opened;
    const auto inventory = backend->inventory();
    ASSERT_TRUE(inventory) << inventory.error().message;
    for (const GpuIdentity& gpu : inventory->gpus) uuids.push_back(gpu.uuid);
  }
  void go_to(double seconds) { machine->state().header.held_s = seconds; }
  void set_fault(std::size_t gpu, FaultKind kind, Fault fault) {
    auto change = machine->begin();
    ASSERT_TRUE(change);
    fault.on = true;
    machine->set_fault(*change, gpu, kind, fault);
    change->commit();
  }
  // A job that outlives the test's clock: no evaluations, no end.
  void run_job(std::string_view name, std::vector<std::size_t> gpus) {
    const auto job = find_job(name);
    ASSERT_TRUE(job) << job.error().message;
    auto change = machine->begin();
    ASSERT_TRUE(change);
    JobRequest request{.cohort_index = static_cast<std::uint32_t>(*job - simulated_jobs().data()),
                       .gpus = std::move(gpus)};
    ASSERT_TRUE(machine->start_job(*change, std::move(request)));
    change->commit();
  }
  GpuSample sample(std::size_t gpu, Depth depth = Depth::basic) {
    const auto taken = backend->sample(uuids[gpu], depth);
    EXPECT_TRUE(taken) << taken.error().message;
    return taken ? *taken : GpuSample();
  }

  std::unique_ptr<Machine> machine;
  std::shared_ptr<NvmlBackend> backend;
  std::vector<GpuUuid> uuids;

 private:
  fs::path path_;
};

const TwinSetup kEight{.board = "h200", .gpus = 8, .speed = 0, .seed = 1};

TEST_F(TwinLibrary, ShowsItsBoardsAsSimulated) {
  start(kEight);
  const auto inventory = backend->inventory();
  EXPECT_EQ(inventory->pedigree, Pedigree::simulated);
  ASSERT_EQ(inventory->gpus.size(), 8U);
  EXPECT_EQ(inventory->gpus[3].name, "NVIDIA H200");
  EXPECT_EQ(inventory->gpus[3].index, 3);
  EXPECT_NE(inventory->gpus[0].uuid, inventory->gpus[1].uuid);
  const auto limits = backend->limits(uuids[0]);
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->requested, Power::from_watts(700));
  EXPECT_EQ(limits->factory, Power::from_watts(700));
  EXPECT_EQ(limits->least, Power::from_watts(200));
  EXPECT_EQ(limits->persistence, true);
}

TEST_F(TwinLibrary, DrawsItsIdlePowerWithinItsSensorsGain) {
  start(kEight);
  go_to(10);
  // 76 W; a gain of 2 % and a scatter of 0.4 %, four standard deviations of both.
  for (std::size_t gpu = 0; gpu < 8; ++gpu) {
    EXPECT_NEAR(sample(gpu).draw_average->watts(), 76, 76 * 4 * 0.0204);
    EXPECT_NEAR(sample(gpu).draw_instant->watts(), 76, 76 * 4 * 0.0204);
  }
}

TEST_F(TwinLibrary, HoldsAJobToItsCapAndSlowsIt) {
  start(kEight);
  run_job("moe-ft-30b", {0, 1, 2, 3, 4, 5, 6, 7});
  go_to(120);
  const double uncapped = sample(0).draw_average->watts();
  EXPECT_GT(uncapped, 450);
  for (const GpuUuid& uuid : uuids) {
    const auto limits = backend->set_limit(uuid, Power::from_watts(300));
    ASSERT_TRUE(limits) << limits.error().message;
    EXPECT_EQ(limits->requested, Power::from_watts(300));
    EXPECT_EQ(limits->enforced, Power::from_watts(300));
  }
  const auto steps_until = [&](double seconds) {
    go_to(seconds);
    sample(0);
    auto change = machine->begin();
    return change->job(0).progress.steps;
  };
  const auto at_150 = steps_until(150);
  const auto at_250 = steps_until(250);
  // The published law: an instant may lie above the cap by the sensor's gain, the mean does not.
  EXPECT_NEAR(sample(0).draw_average->watts(), 300, 300 * 4 * 0.0204);
  EXPECT_EQ(sample(0).throttle->has(Throttle::sw_power_cap), true);
  for (const GpuUuid& uuid : uuids) ASSERT_TRUE(backend->set_limit(uuid, Power::from_watts(700)));
  const auto at_260 = steps_until(260);
  const auto at_360 = steps_until(360);
  EXPECT_LT(at_250 - at_150, at_360 - at_260);
}

TEST_F(TwinLibrary, CountsTheEnergyThatIsDrawn) {
  start(kEight);
  run_job("moe-ft-30b", {0});
  go_to(200);
  const double before = static_cast<double>(sample(0).energy->millijoules) / 1000;
  const double draw = sample(0).draw_average->watts();
  go_to(201);
  // A second later, by the same sensor.
  EXPECT_NEAR(static_cast<double>(sample(0).energy->millijoules) / 1000 - before, draw, 0.1 * draw);
}

TEST_F(TwinLibrary, SharesItsStateWithOtherProcesses) {
  start(kEight);
  const pid_t child = fork();
  if (child == 0) {
    execl(WATTFLEX_TWIN_PROBE, WATTFLEX_TWIN_PROBE, WATTFLEX_TWIN_LIBRARY, uuids[2].text.c_str(), "450",
          static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(backend->limits(uuids[2])->requested, Power::from_watts(450));
  EXPECT_EQ(backend->limits(uuids[1])->requested, Power::from_watts(700));
}

TEST_F(TwinLibrary, IsTheSameForTheSameSeed) {
  start(kEight);
  go_to(33);
  const auto first_uuids = uuids;
  const double first = sample(5).draw_instant->watts();
  backend.reset();
  ASSERT_TRUE(machine->file().remove());
  uuids.clear();
  start(kEight);
  go_to(33);
  EXPECT_EQ(uuids, first_uuids);
  EXPECT_EQ(sample(5).draw_instant->watts(), first);
  backend.reset();
  ASSERT_TRUE(machine->file().remove());
  uuids.clear();
  start({.board = "h200", .gpus = 8, .speed = 0, .seed = 2});
  go_to(33);
  EXPECT_NE(uuids, first_uuids);
  EXPECT_NE(sample(5).draw_instant->watts(), first);
}

TEST_F(TwinLibrary, SaysThatThereIsNoDriverWhereNoTwinRuns) {
  const auto opened = NvmlBackend::open(WATTFLEX_TWIN_LIBRARY);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().problem, Problem::no_driver);
}

TEST_F(TwinLibrary, RefusesLimitsAndReadingsAsItsFaultsSay) {
  start(kEight);
  const Power cap = Power::from_watts(400);
  set_fault(0, FaultKind::no_permission, {});
  EXPECT_EQ(backend->set_limit(uuids[0], cap).error().problem, Problem::no_permission);
  EXPECT_TRUE(backend->sample(uuids[0], Depth::basic));
  set_fault(1, FaultKind::gpu_lost, {});
  EXPECT_EQ(backend->sample(uuids[1], Depth::basic).error().problem, Problem::gpu_lost);
  set_fault(2, FaultKind::cap_ignored, {});
  EXPECT_EQ(backend->set_limit(uuids[2], cap)->requested, Power::from_watts(700));
  set_fault(3, FaultKind::cap_rounded, {.value = 25});
  EXPECT_EQ(backend->set_limit(uuids[3], Power::from_watts(410))->requested, Power::from_watts(425));
  set_fault(4, FaultKind::no_readings, {});
  EXPECT_EQ(sample(4).draw_average.problem(), Problem::not_supported);
  set_fault(5, FaultKind::impossible_value, {.value = 90'000});
  EXPECT_EQ(sample(5).draw_average.problem(), Problem::impossible_value);
  set_fault(6, FaultKind::out_of_band_limit, {.value = 350});
  const auto limits = backend->set_limit(uuids[6], Power::from_watts(600));
  EXPECT_EQ(limits->requested, Power::from_watts(600));
  EXPECT_EQ(limits->enforced, Power::from_watts(350));
}

TEST_F(TwinLibrary, LetsAForeignWriterChangeALimit) {
  start(kEight);
  set_fault(0, FaultKind::foreign_writer, {.value = 250, .period_s = 10});
  ASSERT_TRUE(backend->set_limit(uuids[0], Power::from_watts(400)));
  go_to(9);
  EXPECT_EQ(backend->limits(uuids[0])->requested, Power::from_watts(400));
  go_to(11);
  EXPECT_EQ(backend->limits(uuids[0])->requested, Power::from_watts(250));
}

TEST_F(TwinLibrary, ForgetsLimitsAndCountsWhenTheDriverIsReloaded) {
  start(kEight);
  go_to(50);
  ASSERT_TRUE(backend->set_limit(uuids[0], Power::from_watts(400)));
  EXPECT_GT(sample(0).energy->millijoules, 1'000'000U);
  {
    auto change = machine->begin();
    machine->reload_driver(*change);
    change->commit();
  }
  EXPECT_EQ(backend->limits(uuids[0])->requested, Power::from_watts(700));
  EXPECT_LT(sample(0).energy->millijoules, 1'000U);
}

TEST_F(TwinLibrary, ShowsActivityOnBoardsThatHaveIt) {
  start(kEight);
  run_job("moe-ft-30b", {0});
  go_to(200);
  sample(0, Depth::activity);
  go_to(210);
  const GpuSample busy = sample(0, Depth::activity);
  ASSERT_TRUE(busy.activity.sm_active);
  EXPECT_GT(*busy.activity.sm_active, 0.3);
  EXPECT_TRUE(busy.activity.dram_active);
}

TEST_F(TwinLibrary, HasNoActivityNorAveragesOnOldBoards) {
  start({.board = "v100", .gpus = 2, .speed = 0});
  const auto description = backend->describe(uuids[0]);
  ASSERT_TRUE(description);
  EXPECT_FALSE(description->profiling && *description->profiling);
  EXPECT_EQ(description->limits.most, Power::from_watts(300));
  EXPECT_EQ(description->plain_draw, DrawKind::instant);
  EXPECT_FALSE(sample(0).draw_average);
}

TEST_F(TwinLibrary, HasAThousandGpus) {
  start({.board = "b200", .gpus = 1024, .speed = 0});
  EXPECT_EQ(uuids.size(), 1024U);
  EXPECT_NEAR(sample(1023).draw_average->watts(), 140, 140 * 4 * 0.0204);
}

}  // namespace
}  // namespace wattflex::twin
