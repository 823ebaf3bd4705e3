// `wattflex status --local` end to end.
#include <gmock/gmock.h>

#include "apps/wattflex/fake_gpus.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Status : public FakeGpus {};

TEST_F(Status, PrintsTheVendorsCommandForEachCappedGpuAlone) {
  fake.gpus[1].requested = 450'000;
  fake.gpus[3].requested = 300'500;
  fake.gpus[3].factory = 650'500;
  const Ran ran = on_fake("status", {"--local"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n  nvidia-smi -i GPU-b -pl 700\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  nvidia-smi -i GPU-d -pl 650.5\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("GPU-a -pl")));
  EXPECT_EQ(writes(), 0);
}

TEST_F(Status, SaysThatNothingIsCapped) {
  EXPECT_THAT(on_fake("status", {"--local"}).out, HasSubstr("All GPUs have their default limit."));
}

// SWP-02: the share of the default, which alarms where watts do not.
TEST_F(Status, TellsTheLimitAsAShareOfTheDefault) {
  fake.gpus[0].factory = 370'000;
  fake.gpus[0].requested = 230'000;
  const json document = on_fake("status", {"--local", "-o", "json"}).document();
  EXPECT_NEAR(document["gpus"][0]["share_of_default"].get<double>(), 0.62, 0.005);
  EXPECT_EQ(document["gpus"][0]["put_back"], "nvidia-smi -i GPU-a -pl 370");
  EXPECT_TRUE(document["gpus"][1]["put_back"].is_null());
  EXPECT_EQ(document["n_changed"], 1);
}

// CAP-04: what other limiters do is told, and is not ours to put back.
TEST_F(Status, DoesNotPutBackWhatAnotherLimiterHolds) {
  fake.gpus[0].other_limit = 500'000;
  const json document = on_fake("status", {"--local", "-o", "json"}).document();
  EXPECT_EQ(document["gpus"][0]["enforced_w"], 500.0);
  EXPECT_EQ(document["gpus"][0]["limited_elsewhere"], true);
  EXPECT_TRUE(document["gpus"][0]["put_back"].is_null());
  EXPECT_THAT(on_fake("status", {"--local"}).out, HasSubstr("another limiter"));
}

TEST_F(Status, IsPartialWhereALimitCannotBeRead) {
  fake.gpus[0].answers["nvmlDeviceGetPowerManagementLimit"] = nvml::Status::not_supported;
  const Ran ran = on_fake("status", {"--local", "-o", "json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.document()["status"], "partial");
  EXPECT_THAT(ran.err, HasSubstr("GPU-a"));
  EXPECT_THAT(on_fake("status", {"--local"}).out, Not(HasSubstr("All GPUs")));
}

TEST_F(Status, NeedsToBeToldWhoseStatus) {
  EXPECT_EQ(on_fake("status", {}).status, 2);
}

}  // namespace
}  // namespace wattflex::app
