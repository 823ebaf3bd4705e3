#include "device/nvml/nvml_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/nvml/fake_nvml.h"

namespace wattflex::nvml {
namespace {

using device::Depth;
using testing::Contains;
using testing::HasSubstr;

const GpuUuid kA{"GPU-a"};
const GpuUuid kB{"GPU-b"};
const GpuUuid kC{"GPU-c"};

class NvmlBackendTest : public testing::Test {
 protected:
  NvmlBackendTest() : fake(fake_nvml(WATTFLEX_FAKE_NVML)) {
    fake.reset();
    fake.add_gpus(4);
  }

  // With what `change` makes of the functions: an older driver lacks some.
  std::shared_ptr<NvmlBackend> open(const std::function<void(Functions&)>& change = nullptr,
                                    std::optional<std::size_t> pci = std::nullopt) {
    auto library = load_library(WATTFLEX_FAKE_NVML);
    if (!library) throw std::runtime_error(library.error().message);
    if (change) change(library->functions);
    auto backend = NvmlBackend::open(*library, [pci] { return pci; });
    if (!backend) throw std::runtime_error(backend.error().message);
    return *backend;
  }
  FakeGpu& gpu(std::size_t place) { return fake.gpus[place]; }

  FakeNvml& fake;
};

TEST_F(NvmlBackendTest, NamesGpusByUuidAndTellsTheDriver) {
  const auto inventory = open()->inventory();
  ASSERT_TRUE(inventory);
  ASSERT_EQ(inventory->gpus.size(), 4U);
  EXPECT_EQ(inventory->gpus[2].uuid, kC);
  EXPECT_EQ(inventory->gpus[2].index, 2);
  EXPECT_EQ(inventory->gpus[2].name, "NVIDIA H200");
  EXPECT_EQ(inventory->gpus[2].pci_bus_id, "00000000:18:00.0");
  EXPECT_EQ(inventory->driver_version, "570.86.15");
  EXPECT_EQ(inventory->pedigree, Pedigree::measured);
  EXPECT_TRUE(inventory->notes.empty());
}

TEST_F(NvmlBackendTest, ReadsEverySensorInItsOwnUnit) {
  const auto backend = open();
  ASSERT_TRUE(backend->sample(kA, Depth::activity));
  const auto sample = backend->sample(kA, Depth::activity);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->draw_instant, Power::from_watts(402));
  EXPECT_EQ(sample->draw_average, Power::from_watts(398));
  EXPECT_EQ(sample->module_draw_instant, Problem::not_supported);
  EXPECT_EQ(sample->energy, (EnergyCount{900'000'000, PowerScope::gpu}));
  EXPECT_EQ(sample->requested, Power::from_watts(700));
  EXPECT_EQ(sample->enforced, Power::from_watts(700));
  EXPECT_EQ(sample->sm_clock, Frequency::from_megahertz(1755));
  EXPECT_EQ(sample->memory_clock, Frequency::from_megahertz(3201));
  EXPECT_EQ(sample->gpu_util, 0.97);
  EXPECT_EQ(sample->mem_copy_util, 0.41);
  EXPECT_EQ(sample->memory_used, 8e10);
  EXPECT_EQ(sample->temperature, 61.0);
  EXPECT_EQ(sample->memory_temperature, Problem::not_supported);
  EXPECT_EQ(sample->throttle, ThrottleReasons(0x4));
  EXPECT_EQ(sample->activity.sm_active, 0.93);
  EXPECT_EQ(sample->activity.dram_active, 0.4);
  EXPECT_EQ(sample->activity.nvlink_tx, 1'048'576'000.0);
  EXPECT_EQ(sample->activity.tensor_active, Problem::not_supported);
}

TEST_F(NvmlBackendTest, HasActivityFromTheSecondSampleOn) {
  const auto backend = open();
  EXPECT_EQ(backend->sample(kA, Depth::activity)->activity.sm_active, Problem::not_ready);
  EXPECT_EQ(backend->sample(kA, Depth::activity)->activity.sm_active, 0.93);
  EXPECT_EQ(backend->sample(kA, Depth::basic)->activity.sm_active, Problem::not_asked);
  gpu(0).sm_active = 131;  // TEL-05
  EXPECT_EQ(backend->sample(kA, Depth::activity)->activity.sm_active, Problem::impossible_value);
  gpu(1).gpm = false;
  EXPECT_EQ(backend->sample(kB, Depth::activity)->activity.sm_active, Problem::not_supported);
}

// DCG-03: another profiler takes the counters; the rest goes on, and the counters come back.
TEST_F(NvmlBackendTest, LosesOnlyTheActivityToAnotherProfiler) {
  const auto backend = open();
  backend->sample(kA, Depth::activity).value();
  gpu(0).answers["nvmlGpmSampleGet"] = Status::in_use;
  const auto taken = backend->sample(kA, Depth::activity);
  EXPECT_EQ(taken->activity.sm_active, Problem::failed);
  EXPECT_EQ(taken->draw_average, Power::from_watts(398));
  gpu(0).answers.clear();
  EXPECT_EQ(backend->sample(kA, Depth::activity)->activity.sm_active, Problem::not_ready);
  EXPECT_EQ(backend->sample(kA, Depth::activity)->activity.sm_active, 0.93);
}

// TEL-05
TEST_F(NvmlBackendTest, TurnsImpossibleSuccessesIntoMissingReadings) {
  const auto backend = open();
  gpu(0).power = 3'700'000;
  gpu(0).average = 4'294'967'295;
  gpu(0).utilization = 4'294'967'295;
  gpu(0).energy = ~std::uint64_t{0};
  gpu(0).temperature = 255;
  gpu(0).memory_used = 160'000'000'000;
  const auto sample = backend->sample(kA, Depth::basic);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->draw_instant, Problem::impossible_value);
  EXPECT_EQ(sample->draw_average, Problem::impossible_value);
  EXPECT_EQ(sample->gpu_util, Problem::impossible_value);
  EXPECT_EQ(sample->mem_copy_util, 0.41);
  EXPECT_EQ(sample->energy, Problem::impossible_value);
  EXPECT_EQ(sample->temperature, Problem::impossible_value);
  EXPECT_EQ(sample->memory_used, Problem::impossible_value);
}

TEST_F(NvmlBackendTest, KeepsEachMissingReadingsReason) {
  gpu(0).answers = {{"nvmlDeviceGetClockInfo", Status::not_supported},
                    {"nvmlDeviceGetUtilizationRates", Status::no_permission},
                    {"nvmlDeviceGetMemoryInfo", Status::timeout}};
  const auto sample = open()->sample(kA, Depth::basic);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->sm_clock, Problem::not_supported);
  EXPECT_EQ(sample->gpu_util, Problem::no_permission);
  EXPECT_EQ(sample->memory_used, Problem::timed_out);
}

// TEL-01: an old driver's plain call is an instant up to GA100, a mean of one second after it.
TEST_F(NvmlBackendTest, TellsTheKindOfThePlainDrawByTheBoard) {
  const auto old = [](Functions& functions) { functions.nvmlDeviceGetFieldValues = nullptr; };
  gpu(0).compute_major = 8;
  gpu(0).compute_minor = 0;
  gpu(1).compute_major = 8;
  gpu(1).compute_minor = 6;
  const auto backend = open(old);
  const auto a100 = backend->sample(kA, Depth::basic);
  EXPECT_EQ(a100->draw_instant, Power::from_watts(402));
  EXPECT_EQ(a100->draw_average, Problem::not_supported);
  const auto a40 = backend->sample(kB, Depth::basic);
  EXPECT_EQ(a40->draw_instant, Problem::not_supported);
  EXPECT_EQ(a40->draw_average, Power::from_watts(402));
  EXPECT_EQ(plain_draw_of(7, 0), DrawKind::instant);
  EXPECT_EQ(plain_draw_of(8, 0), DrawKind::instant);
  EXPECT_EQ(plain_draw_of(8, 6), DrawKind::average);
  EXPECT_EQ(plain_draw_of(9, 0), DrawKind::average);
}

// TEL-02
TEST_F(NvmlBackendTest, KeepsModuleAndGpuApart) {
  gpu(0).module_power = 1'100'000;
  gpu(0).power = 650'000;
  gpu(0).most = 1'400'000;
  const auto backend = open();
  const auto sample = backend->sample(kA, Depth::basic);
  EXPECT_EQ(sample->draw_instant, Power::from_watts(650));
  EXPECT_EQ(sample->module_draw_instant, Power::from_watts(1100));
  EXPECT_EQ(sample->energy->scope, PowerScope::module);
  EXPECT_TRUE(backend->describe(kA)->module_scope);
  EXPECT_FALSE(backend->describe(kB)->module_scope);
  // The limit is told to be the GPU's own.
  ASSERT_TRUE(backend->set_limit(kA, Power::from_watts(900)));
  EXPECT_EQ(fake.calls["nvmlDeviceSetPowerManagementLimit_v2"], 1);
  EXPECT_EQ(fake.calls["nvmlDeviceSetPowerManagementLimit"], 0);
}

TEST_F(NvmlBackendTest, AsksOnlyTheFieldsThatAGpuHas) {
  const auto backend = open();
  backend->sample(kA, Depth::basic).value();
  const int probing = fake.calls["nvmlDeviceGetFieldValues"];
  backend->sample(kA, Depth::basic).value();
  EXPECT_EQ(fake.calls["nvmlDeviceGetFieldValues"], probing + 1);
  EXPECT_EQ(fake.calls["nvmlDeviceGetPowerUsage"], 0);
}

// Driver 450: no fields, no activity, older names.
TEST_F(NvmlBackendTest, WorksWithAnOldDriverAndSaysWhatIsDifferent) {
  fake.driver = "450.80.02";
  const auto backend = open([](Functions& functions) {
    functions.nvmlDeviceGetFieldValues = nullptr;
    functions.nvmlDeviceGetCurrentClocksEventReasons = nullptr;
    functions.nvmlDeviceGetTemperatureV = nullptr;
    functions.nvmlGpmQueryDeviceSupport = nullptr;
    functions.nvmlGpmMetricsGet = nullptr;
    functions.nvmlDeviceGetComputeRunningProcesses_v3 = nullptr;
    functions.nvmlDeviceGetComputeRunningProcesses_v2 = nullptr;
    functions.nvmlDeviceGetPciInfo_v3 = nullptr;
  });
  const auto inventory = backend->inventory();
  ASSERT_TRUE(inventory);
  EXPECT_THAT(inventory->notes, Contains(HasSubstr("plain power call")));
  EXPECT_THAT(inventory->notes, Contains(HasSubstr("older name")));
  EXPECT_THAT(inventory->notes, Contains(HasSubstr("activity counters")));
  const auto sample = backend->sample(kA, Depth::activity);
  EXPECT_EQ(sample->draw_average, Power::from_watts(402));
  EXPECT_EQ(sample->throttle, ThrottleReasons(0x4));
  EXPECT_EQ(sample->temperature, 61.0);
  EXPECT_EQ(sample->energy, (EnergyCount{900'000'000, PowerScope::gpu}));
  EXPECT_EQ(sample->activity.sm_active, Problem::not_supported);
  gpu(0).processes = {{.pid = 7, .used_memory = 1'000}};
  EXPECT_EQ(backend->processes(kA)->size(), 1U);
  EXPECT_THAT(backend->describe(kA)->notes, Contains(HasSubstr("plain call")));
}

TEST_F(NvmlBackendTest, ListsProcessesWithMemoryWhereItCanBeTold) {
  gpu(0).processes = {{.pid = 41, .used_memory = 5'000}, {.pid = 42, .used_memory = kMemoryUnavailable}};
  const auto processes = open()->processes(kA);
  ASSERT_TRUE(processes);
  ASSERT_EQ(processes->size(), 2U);
  EXPECT_EQ((*processes)[0].pid, 41);
  EXPECT_EQ((*processes)[0].name, "python41");
  EXPECT_EQ((*processes)[0].memory_used, 5000.0);
  EXPECT_EQ((*processes)[1].memory_used, Problem::not_supported);
}

TEST_F(NvmlBackendTest, AvoidsTheLongerProcessStructureOfEarly535) {
  EXPECT_TRUE(lists_long_processes("535.54.03"));
  EXPECT_TRUE(lists_long_processes("535.97.00"));
  EXPECT_FALSE(lists_long_processes("535.98"));
  EXPECT_FALSE(lists_long_processes("550.54.15"));
  EXPECT_FALSE(lists_long_processes(""));
  fake.driver = "535.54.03";
  gpu(0).processes = {{.pid = 7, .used_memory = 1'000}};
  EXPECT_EQ(open()->processes(kA)->size(), 1U);
  EXPECT_EQ(fake.calls["nvmlDeviceGetComputeRunningProcesses_v3"], 0);
}

// CAP-14, case 1: a hole in the middle; case 2: one GPU fewer, the rest renumbered.
TEST_F(NvmlBackendTest, SeesTheHoleALostGpuLeaves) {
  fake.holes[1] = Status::unknown;
  const auto inventory = open(nullptr, 4)->inventory();
  ASSERT_TRUE(inventory);
  ASSERT_EQ(inventory->gpus.size(), 3U);
  EXPECT_EQ(inventory->gpus[1].uuid, kC);
  ASSERT_EQ(inventory->holes.size(), 1U);
  EXPECT_EQ(inventory->holes[0].index, 1);
  fake.holes.clear();
  fake.gpus.erase(fake.gpus.begin() + 1);
  const auto renumbered = open(nullptr, 4)->inventory();
  EXPECT_EQ(renumbered->gpus.size(), 3U);
  EXPECT_EQ(renumbered->pci_gpus, 4U);
  EXPECT_EQ(renumbered->gpus[1].uuid, kC);
  EXPECT_EQ(renumbered->gpus[1].index, 1);
}

TEST_F(NvmlBackendTest, FailsTheSampleOfALostGpuAlone) {
  const auto backend = open();
  gpu(1).answers["nvmlDeviceGetEnforcedPowerLimit"] = Status::gpu_is_lost;
  const auto lost = backend->sample(kB, Depth::basic);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().problem, Problem::gpu_lost);
  EXPECT_THAT(lost.error().message, HasSubstr("GPU-b"));
  EXPECT_TRUE(backend->sample(kA, Depth::basic));
}

// CAP-17
TEST_F(NvmlBackendTest, IsBlindWhenTheLibraryWasReplaced) {
  const auto running = open();
  fake.answers["nvmlInit_v2"] = Status::lib_rm_version_mismatch;
  const auto fresh = NvmlBackend::open(*load_library(WATTFLEX_FAKE_NVML), [] { return std::nullopt; });
  ASSERT_FALSE(fresh);
  EXPECT_EQ(fresh.error().problem, Problem::driver_mismatch);
  EXPECT_THAT(fresh.error().remedy, HasSubstr("reboot"));
  fake.answers["nvmlDeviceGetEnforcedPowerLimit"] = Status::lib_rm_version_mismatch;
  EXPECT_EQ(running->sample(kA, Depth::basic).error().problem, Problem::driver_mismatch);
}

TEST_F(NvmlBackendTest, SetsALimitAndReadsBackWhatHolds) {
  const auto after = open()->set_limit(kB, Power::from_watts(450));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->requested, Power::from_watts(450));
  EXPECT_EQ(after->enforced, Power::from_watts(450));
  EXPECT_EQ(after->persistence, true);
  EXPECT_EQ(gpu(1).writes, 1);
  for (const std::size_t other : {0U, 2U, 3U}) EXPECT_EQ(gpu(other).writes, 0);
}

// CAP-04: min 200, max 700, another limiter at 500.
TEST_F(NvmlBackendTest, TellsRequestedAndEnforcedApart) {
  gpu(0).other_limit = 500'000;
  const auto backend = open();
  const auto at600 = backend->set_limit(kA, Power::from_watts(600));
  ASSERT_TRUE(at600);
  EXPECT_EQ(at600->requested, Power::from_watts(600));
  EXPECT_EQ(at600->enforced, Power::from_watts(500));
  EXPECT_TRUE(at600->limited_elsewhere());
  EXPECT_FALSE(backend->set_limit(kA, Power::from_watts(450))->limited_elsewhere());
}

// CAP-03
TEST_F(NvmlBackendTest, NamesTheMissingPrivilegeWhenReadsWorkAndWritesDoNot) {
  fake.answers["nvmlDeviceSetPowerManagementLimit"] = Status::no_permission;
  const auto backend = open();
  EXPECT_TRUE(backend->sample(kA, Depth::basic));
  const auto refused = backend->set_limit(kA, Power::from_watts(450));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().problem, Problem::no_permission);
  EXPECT_THAT(refused.error().remedy, HasSubstr("CAP_SYS_ADMIN"));
}

// CAP-09, CAP-11
TEST_F(NvmlBackendTest, WritesNothingOutsideTheRange) {
  const auto backend = open();
  for (const double watts : {0.0, 50.0, 199.999, 700.001}) {
    const auto refused = backend->set_limit(kA, Power::from_watts(watts));
    ASSERT_FALSE(refused) << watts;
    EXPECT_EQ(refused.error().problem, Problem::out_of_range);
    EXPECT_THAT(refused.error().message, HasSubstr("200 to 700 W"));
  }
  gpu(0).answers["nvmlDeviceGetPowerManagementLimitConstraints"] = Status::not_supported;
  EXPECT_FALSE(backend->set_limit(kA, Power::from_watts(450)));
  EXPECT_EQ(gpu(0).writes, 0);
}

// SAFE-03: after a restart of the driver the handles lead elsewhere.
TEST_F(NvmlBackendTest, WritesToTheGpuWithTheRightUuidAfterRenumbering) {
  const auto backend = open();
  ASSERT_TRUE(backend->inventory());
  std::swap(gpu(0).uuid, gpu(1).uuid);
  ASSERT_TRUE(backend->set_limit(kA, Power::from_watts(300)));
  EXPECT_EQ(gpu(1).requested, 300'000U);  // GPU-a by now
  EXPECT_EQ(gpu(0).writes, 0);
}

TEST_F(NvmlBackendTest, WritesNothingToAGpuWhoseIdentityCannotBeRead) {
  const auto backend = open();
  ASSERT_TRUE(backend->inventory());
  gpu(0).answers["nvmlDeviceGetUUID"] = Status::unknown;
  const auto refused = backend->set_limit(kA, Power::from_watts(300));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().problem, Problem::wrong_gpu);
  EXPECT_EQ(gpu(0).writes, 0);
  gpu(0).answers.clear();
  gpu(0).uuid = "GPU-new";
  EXPECT_FALSE(backend->set_limit(kA, Power::from_watts(300)));
  EXPECT_EQ(gpu(0).writes, 0);
}

TEST_F(NvmlBackendTest, KnowsNoGpuThatTheDriverDoesNot) {
  const auto unknown = open()->sample({"GPU-z"}, Depth::basic);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("GPU-z"));
}

TEST_F(NvmlBackendTest, MarksWhatTheTwinSaysAsSimulated) {
  auto library = load_library(WATTFLEX_FAKE_NVML);
  ASSERT_TRUE(library);
  EXPECT_FALSE(library->twin);
  library->twin = true;
  const auto backend = NvmlBackend::open(*library, [] { return std::nullopt; });
  EXPECT_EQ((*backend)->inventory()->pedigree, Pedigree::simulated);
}

TEST_F(NvmlBackendTest, ReadsPersistenceAndMig) {
  gpu(0).persistence = EnableState::disabled;
  gpu(0).mig = kMigEnabled;
  const auto description = open()->describe(kA);
  EXPECT_EQ(description->limits.persistence, false);
  EXPECT_EQ(description->mig, true);
  EXPECT_EQ(description->profiling, true);
  EXPECT_EQ(description->memory_total, 1.5e11);
  EXPECT_EQ(description->sm_clock_max, Frequency::from_megahertz(1980));
}

}  // namespace
}  // namespace wattflex::nvml
