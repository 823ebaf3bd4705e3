#include "apps/wattflex/gpu_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wattflex::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<GpuIdentity> machine() {
  return {{.uuid = {"GPU-11aa"}, .index = 0},
          {.uuid = {"GPU-11bb"}, .index = 1},
          {.uuid = {"GPU-22cc"}, .index = 3}};  // 2 fell off the bus
}

std::vector<std::string> chosen(std::string_view list) {
  const auto gpus = choose_gpus(machine(), list);
  if (!gpus) return {gpus.error().message};
  std::vector<std::string> uuids;
  for (const GpuIdentity& gpu : *gpus) uuids.push_back(gpu.uuid.text);
  return uuids;
}

TEST(ChooseGpus, TakesAllWithoutAList) {
  EXPECT_THAT(chosen(""), ElementsAre("GPU-11aa", "GPU-11bb", "GPU-22cc"));
}

TEST(ChooseGpus, TakesIndicesRangesAndBeginningsOfUuids) {
  EXPECT_THAT(chosen("3,0"), ElementsAre("GPU-11aa", "GPU-22cc"));
  EXPECT_THAT(chosen("0-1"), ElementsAre("GPU-11aa", "GPU-11bb"));
  EXPECT_THAT(chosen("GPU-22"), ElementsAre("GPU-22cc"));
  EXPECT_THAT(chosen("GPU-11aa,0,0-0"), ElementsAre("GPU-11aa"));
}

TEST(ChooseGpus, RefusesWhatIsNotHereOrNotOne) {
  EXPECT_THAT(chosen("2"), ElementsAre(HasSubstr("GPU 2, which is not here")));
  EXPECT_THAT(chosen("0-3"), ElementsAre(HasSubstr("GPU 2, which is not here")));
  EXPECT_THAT(chosen("GPU-11"), ElementsAre(HasSubstr("beginning of 2 UUIDs")));
  for (const std::string_view wrong : {"GPU-x", "1-0", "-1", "0,,1", ","})
    EXPECT_THAT(chosen(wrong), ElementsAre(HasSubstr("--gpus"))) << wrong;
}

// CAP-14
TEST(AbsentGpus, AreCountedOnce) {
  device::Inventory inventory{.gpus = machine(), .pci_gpus = 4};
  EXPECT_THAT(absent_gpus(inventory), ElementsAre(HasSubstr("4 GPUs on the PCI bus, 3 known")));
  inventory.holes = {{2, Problem::gpu_lost}};
  EXPECT_THAT(absent_gpus(inventory), ElementsAre(HasSubstr("GPU 2 of the driver's count")));
  inventory.pci_gpus = std::nullopt;
  inventory.holes.clear();
  EXPECT_TRUE(absent_gpus(inventory).empty());
}

}  // namespace
}  // namespace wattflex::app
