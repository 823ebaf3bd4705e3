// `wattflex doctor` end to end; what it finds is tested beside src/device/diagnosis.
#include <gmock/gmock.h>

#include <algorithm>

#include "apps/wattflex/fake_gpus.h"

namespace wattflex::app {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Doctor : public FakeGpus {
 protected:
  // A port on which nothing answers for long: discard.
  Ran doctor(std::vector<std::string> words) {
    words.insert(words.end(), {"--exporter", "127.0.0.1:9"});
    return on_fake("doctor", std::move(words));
  }
};

TEST_F(Doctor, WritesNothing) {
  EXPECT_EQ(doctor({}).status, 0);
  EXPECT_EQ(writes(), 0);
  EXPECT_EQ(fake.calls["nvmlDeviceSetPowerManagementLimit"], 0);
  EXPECT_EQ(fake.calls["nvmlDeviceSetPowerManagementLimit_v2"], 0);
}

TEST_F(Doctor, NamesGpuFindingAndRemedy) {
  fake.gpus[1].persistence = nvml::EnableState::disabled;
  const json document = doctor({"-o", "json"}).document();
  const auto& findings = document["findings"];
  const auto found = std::ranges::find_if(findings, [](const json& finding) {
    return finding["check"] == "persistence" && finding["uuid"] == "GPU-b";
  });
  ASSERT_NE(found, findings.end());
  EXPECT_THAT((*found)["remedy"].get<std::string>(), HasSubstr("nvidia-smi -i GPU-b -pm 1"));
}

TEST_F(Doctor, TellsTheSameFindingOfSeveralGpusOnce) {
  for (const std::size_t gpu : {0U, 2U}) fake.gpus[gpu].mig = nvml::kMigEnabled;
  EXPECT_THAT(doctor({}).out, HasSubstr("GPUs 0,2: MIG is on"));
}

TEST_F(Doctor, FailsWhereAGpuCannotBeRead) {
  fake.holes[1] = nvml::Status::unknown;
  const Ran ran = doctor({"-o", "json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.document()["n_problems"], 1);
}

TEST_F(Doctor, RefusesAnAddressWithoutAPort) {
  EXPECT_EQ(on_fake("doctor", {"--exporter", "localhost"}).status, 2);
}

}  // namespace
}  // namespace wattflex::app
