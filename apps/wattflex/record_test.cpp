// `wattflex record` end to end: short recordings in real time; the moments are tested beside
// src/device/recorder.
#include <gmock/gmock.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/wattflex/fake_gpus.h"
#include "device/sample_csv.h"

namespace wattflex::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class Record : public FakeGpus {
 protected:
  Record()
      : folder_(fs::path(testing::TempDir()) /
                ("record_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::create_directories(folder_);
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  ~Record() override { fs::remove_all(folder_); }

  std::string file(std::string_view name) const { return folder_ / name; }
  // Three moments, far enough apart for a busy machine.
  Ran record(const std::string& path, std::vector<std::string> words = {}) {
    words.insert(words.end(), {"--rate", "2", "--duration", "1500ms", "-o", path, "--format", "json"});
    return on_fake("record", std::move(words));
  }
  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static std::string unzipped(const std::string& path) {
    std::string text(1 << 20, '\0');
    gzFile_s* const file = gzopen(path.c_str(), "rb");
    const int length = gzread(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    text.resize(static_cast<std::size_t>(std::max(length, 0)));
    return text;
  }

 private:
  fs::path folder_;
};

TEST_F(Record, WritesARowAGpuAndMoment) {
  const Ran ran = record(file("a.csv"), {"--gpus", "0-1"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto rows = device::parse_sample_csv(text_of(file("a.csv")), "a.csv");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 6U);
  EXPECT_EQ((*rows)[1].uuid.text, "GPU-b");
  EXPECT_EQ((*rows)[1].pedigree, Pedigree::measured);
  EXPECT_EQ((*rows)[0].sample.draw_average, Power::from_watts(398));
  EXPECT_EQ((*rows)[0].sample.energy->millijoules, 900'000'000U);
  EXPECT_FALSE((*rows)[0].sample.activity.sm_active);
  EXPECT_EQ((*rows)[2].sample.activity.sm_active, 0.93);
  const json document = ran.document();
  EXPECT_EQ(document["gpus"][0]["samples"], 3);
  EXPECT_EQ(document["gpus"][0]["gaps"], 0);
}

TEST_F(Record, CompressesByName) {
  ASSERT_EQ(record(file("a.csv.gz")).status, 0);
  const auto rows = device::parse_sample_csv(unzipped(file("a.csv.gz")), "a.csv.gz");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->size(), 12U);
}

TEST_F(Record, LeavesTheCountersToAProfilerWhenAsked) {
  ASSERT_EQ(record(file("a.csv"), {"--basic"}).status, 0);
  EXPECT_EQ(fake.calls["nvmlGpmSampleGet"], 0);
}

TEST_F(Record, MarksAndTellsGaps) {
  fake.gpus[3].answers["nvmlDeviceGetEnforcedPowerLimit"] = nvml::Status::gpu_is_lost;
  const Ran ran = record(file("a.csv"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.document()["gpus"][3]["gaps"], 3);
  EXPECT_TRUE(ran.document()["gpus"][3]["energy_j"].is_null());
  EXPECT_THAT(ran.err, HasSubstr("GPU-d: 3 gaps"));
  EXPECT_THAT(text_of(file("a.csv")), HasSubstr(",gpu_lost,\n"));
}

// TEL-05
TEST_F(Record, TellsColumnsNotToBeTrusted) {
  fake.gpus[0].utilization = 808'334'905;
  const Ran ran = record(file("a.csv"));
  EXPECT_EQ(ran.document()["gpus"][0]["not_trusted"], json::array({"gpu_util"}));
  EXPECT_THAT(text_of(file("a.csv")), HasSubstr("gpu_util=impossible_value"));
}

TEST_F(Record, RefusesRatesNoDriverHas) {
  for (const std::string rate : {"0", "10.5", "-1", "x"})
    EXPECT_EQ(on_fake("record", {"--rate", rate, "-o", file("a.csv")}).status, 2) << rate;
  for (const std::string duration : {"0s", "10", "-5s"})
    EXPECT_EQ(on_fake("record", {"--duration", duration, "-o", file("a.csv")}).status, 2) << duration;
  EXPECT_FALSE(fs::exists(file("a.csv")));
}

TEST_F(Record, TellsThatAFileCannotBeWritten) {
  const Ran ran = record(file("no/such/folder.csv"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("no/such/folder.csv"));
}

TEST_F(Record, DoesNotMixSamplesAndJsonOnStandardOutput) {
  EXPECT_EQ(on_fake("record", {"--duration", "1s", "--format", "json"}).status, 2);
}

}  // namespace
}  // namespace wattflex::app
