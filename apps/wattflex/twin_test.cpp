// `wattflex twin` end to end, and the other verbs on it.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/wattflex/test_run.h"

namespace wattflex::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Twin : public testing::Test {
 protected:
  Twin()
      : folder_(fs::path(testing::TempDir()) /
                ("twin_verb_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    setenv("WATTFLEX_TWIN_STATE", (folder_ / "state").c_str(), 1);
  }
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;
  ~Twin() override {
    twin({"stop"});
    fs::remove_all(folder_);
  }

  static Ran twin(std::vector<std::string> words) { return run_verb("twin", std::move(words)); }
  static json gpu(std::size_t index) { return twin({"status", "-o", "json"}).document()["gpus"][index]; }
  Ran on_twin(std::string_view verb, std::vector<std::string> words) const {
    const std::string library = twin({"env", "-o", "json"}).document()["library"];
    words.insert(words.end(), {"--nvml", library});
    if (verb != "gpus") words.insert(words.end(), {"--journal", folder_ / "caps.json"});
    return run_verb(verb, std::move(words));
  }

 private:
  fs::path folder_;
};

TEST_F(Twin, IsReadAndCappedLikeRealGpusAndSaysThatItIsSimulated) {
  ASSERT_EQ(twin({"start", "--gpus", "3", "--model", "a100"}).status, 0);
  const json gpus = on_twin("gpus", {"-o", "json"}).document();
  EXPECT_EQ(gpus["pedigree"], "simulated");
  EXPECT_EQ(gpus["gpus"].size(), 3U);
  ASSERT_EQ(on_twin("cap", {"250W", "--gpus", "1"}).status, 0);
  EXPECT_EQ(gpu(1)["requested_w"], 250.0);
  EXPECT_EQ(gpu(0)["requested_w"], 400.0);
  ASSERT_EQ(on_twin("release", {}).status, 0);
  EXPECT_EQ(gpu(1)["requested_w"], 400.0);
  EXPECT_EQ(gpu(0)["writes"], 0);
}

TEST_F(Twin, PrintsExportsForAShell) {
  ASSERT_EQ(twin({"start"}).status, 0);
  const Ran ran = twin({"env"});
  EXPECT_THAT(ran.out, StartsWith("export WATTFLEX_TWIN_STATE='"));
  EXPECT_THAT(ran.out, HasSubstr("\nexport WATTFLEX_NVML='"));
  EXPECT_THAT(ran.out, HasSubstr("\nexport LD_LIBRARY_PATH='"));
  EXPECT_EQ(ran.err, "");
}

TEST_F(Twin, HasItsFaultsSwitchedOnAndOff) {
  ASSERT_EQ(twin({"start", "--gpus", "4"}).status, 0);
  ASSERT_EQ(twin({"fault", "cap-ignored", "--gpus", "1-2"}).status, 0);
  EXPECT_THAT(gpu(1)["faults"], ElementsAre("cap-ignored"));
  EXPECT_TRUE(gpu(0)["faults"].empty());
  const Ran capped = on_twin("cap", {"300W", "--gpus", "all"});
  EXPECT_EQ(capped.status, 1);
  EXPECT_THAT(capped.err, HasSubstr("the limit did not move"));
  EXPECT_EQ(gpu(3)["requested_w"], 700.0);
  ASSERT_EQ(twin({"fault", "cap-ignored", "--off"}).status, 0);
  EXPECT_EQ(on_twin("cap", {"300W", "--gpus", "all"}).status, 0);
  ASSERT_EQ(twin({"fault", "driver-reload"}).status, 0);
  EXPECT_EQ(gpu(3)["requested_w"], 700.0);
}

TEST_F(Twin, RefusesWhatMakesNoSense) {
  EXPECT_EQ(twin({"start", "--gpus", "1025"}).status, 2);
  EXPECT_EQ(twin({"start", "--gpus", "0"}).status, 2);
  EXPECT_EQ(twin({"start", "--speed", "0.5"}).status, 2);
  EXPECT_EQ(twin({"start", "--speed", "3601"}).status, 2);
  EXPECT_EQ(twin({"start", "--model", "h900"}).status, 2);
  EXPECT_EQ(twin({"start", "gpu-lost"}).status, 2);
  EXPECT_EQ(twin({"status"}).status, 1);
  ASSERT_EQ(twin({"start", "--gpus", "2"}).status, 0);
  EXPECT_EQ(twin({"start"}).status, 1);
  const Ran unknown = twin({"fault", "bad-luck"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("foreign-writer"));
  EXPECT_EQ(twin({"fault", "gpu-lost", "--gpus", "2"}).status, 2);
  EXPECT_EQ(twin({"fault", "gpu-lost", "--value", "3"}).status, 2);
  EXPECT_EQ(twin({"fault", "cap-rounded", "--value", "-3"}).status, 2);
  EXPECT_EQ(twin({"fault", "gpu-lost", "--probability", "0%"}).status, 2);
  EXPECT_EQ(twin({"fault"}).status, 2);
}

TEST_F(Twin, IsGoneForItsClientsOnceItIsStopped) {
  ASSERT_EQ(twin({"start"}).status, 0);
  const std::string library = twin({"env", "-o", "json"}).document()["library"];
  ASSERT_EQ(twin({"stop"}).status, 0);
  const Ran ran = run_verb("gpus", {"--nvml", library});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("wattflex twin start"));
}

}  // namespace
}  // namespace wattflex::app
