// `wattflex gpus` end to end.
#include <gmock/gmock.h>

#include "apps/wattflex/fake_gpus.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Gpus : public FakeGpus {};

TEST_F(Gpus, ListsEachWithItsReadings) {
  fake.gpus[0].processes = {{.pid = 41, .used_memory = 1'048'576}};
  const Ran ran = on_fake("gpus", {"-o", "json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const json document = ran.document();
  EXPECT_EQ(document["pedigree"], "measured");
  ASSERT_EQ(document["gpus"].size(), 4U);
  const json& gpu = document["gpus"][0];
  EXPECT_EQ(gpu["uuid"], "GPU-a");
  EXPECT_EQ(gpu["draw_average_w"], 398.0);
  EXPECT_EQ(gpu["draw_instant_w"], 402.0);
  EXPECT_EQ(gpu["requested_w"], 700.0);
  EXPECT_EQ(gpu["throttle"], "sw_power_cap");
  EXPECT_EQ(gpu["processes"][0]["fb_used_mib"], 1.0);
  EXPECT_TRUE(gpu["module_draw_instant_w"].is_null());
  const json missing = {{"reading", "module_draw_instant_w"}, {"reason", "not_supported"}};
  EXPECT_THAT(gpu["missing"], testing::Contains(missing));
  EXPECT_TRUE(gpu["problem"].is_null());
}

TEST_F(Gpus, TellsOfALostOneAndListsTheOthers) {
  fake.gpus[2].answers["nvmlDeviceGetEnforcedPowerLimit"] = nvml::Status::gpu_is_lost;
  const Ran ran = on_fake("gpus", {"-o", "json"});
  EXPECT_EQ(ran.status, 1);
  const json document = ran.document();
  EXPECT_EQ(document["status"], "partial");
  EXPECT_EQ(document["gpus"][2]["problem"]["kind"], "gpu_lost");
  EXPECT_EQ(document["gpus"][3]["draw_average_w"], 398.0);
  EXPECT_THAT(ran.err, HasSubstr("GPU-c"));
}

TEST_F(Gpus, PrintsATableForPeopleAndPrograms) {
  EXPECT_THAT(on_fake("gpus", {}).out, HasSubstr("Driver 570.86.15"));
  const Ran csv = on_fake("gpus", {"--gpus", "1", "-o", "csv"});
  EXPECT_THAT(csv.out, HasSubstr("GPU-b"));
  EXPECT_THAT(csv.out, testing::Not(HasSubstr("GPU-a")));
  EXPECT_THAT(csv.out, HasSubstr(",measured"));
}

TEST_F(Gpus, SaysWhatToDoWithoutADriver) {
  const Ran ran = run_verb("gpus", {"--nvml", "/nowhere", "-o", "json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.document()["status"], "unsupported");
  EXPECT_THAT(ran.err, HasSubstr("/nowhere"));
}

// CAP-17
TEST_F(Gpus, TellsThatTheDriversLibraryWasReplaced) {
  fake.answers["nvmlInit_v2"] = nvml::Status::lib_rm_version_mismatch;
  const Ran ran = on_fake("gpus", {});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("reboot"));
}

TEST_F(Gpus, HasNoDataWithoutGpus) {
  fake.gpus.clear();
  EXPECT_EQ(on_fake("gpus", {"-o", "json"}).document()["status"], "no_data");
}

}  // namespace
}  // namespace wattflex::app
