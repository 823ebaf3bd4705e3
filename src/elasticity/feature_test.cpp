#include "elasticity/feature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elasticity/test_cohort.h"

namespace wattflex::elasticity {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kColumns{"gpu_util",      "gr_engine_active", "dram_active",
                                        "mem_copy_util", "tensor_active",    "sm_active"};

FeatureReading read(std::string_view feature, std::vector<std::optional<double>> telemetry) {
  return read_feature(feature, kColumns, group_with_index("job", 1.5, std::move(telemetry)));
}

TEST(Feature, ReadsColumnsAndCompositesOfTheUncappedRow) {
  const std::vector<std::optional<double>> busy{1.0, 0.97, 0.4, 0.5, 0.2, 0.8};
  EXPECT_EQ(read("dram_active", busy).value, 0.4);
  EXPECT_DOUBLE_EQ(*read("dram_copy_product", busy).value, 0.2);
  EXPECT_DOUBLE_EQ(*read("arithmetic_intensity", busy).value, 0.5);
  EXPECT_DOUBLE_EQ(*read("tensor_per_sm", busy).value, 0.25);
}

TEST(Feature, ReadsJobMetadataFromTheGroup) {
  SweepGroup group = group_with_index("job", 1.5, {});
  group.gpus = 32;
  EXPECT_EQ(read_feature("log2_gpus", {}, group).value, 5);
  EXPECT_EQ(read_feature("is_moe", {}, group).reason, "the group does not state its arch");
  group.architecture = Architecture::moe;
  group.task = Task::pretraining;
  EXPECT_EQ(read_feature("is_moe", {}, group).value, 1);
  EXPECT_EQ(read_feature("is_fine_tuning", {}, group).value, 0);
}

// Case DCG-02: GPU3 shows util 100 %, 640 W and gr_engine, dram, tensor 0; GPU0 util 100 %, gr 0.97, dram
// 0.4.
TEST(Feature, RefusesProfilingCountersThatReadZeroOnABusyGpu) {
  const std::vector<std::optional<double>> dead{1.0, 0.0, 0.0, 0.5, 0.0, {}};
  for (const auto* feature : {"dram_active", "tensor_active", "gr_engine_active", "dram_copy_product"}) {
    EXPECT_EQ(read(feature, dead).value, std::nullopt) << feature;
    EXPECT_THAT(read(feature, dead).reason, HasSubstr("exactly 0 although the job made progress")) << feature;
  }
  EXPECT_EQ(read("gpu_util", dead).value, 1.0);       // not a profiling counter
  EXPECT_EQ(read("mem_copy_util", dead).value, 0.5);  // nor is this
  EXPECT_EQ(read("dram_active", {1.0, 0.97, 0.4, 0.5, 0.2, {}}).value, 0.4);
}

TEST(Feature, AcceptsAZeroThatCanBeTrue) {
  EXPECT_EQ(read("tensor_active", {1.0, 0.97, 0.4, 0.5, 0.0, 0.8}).value, 0);  // a job without tensor work
  EXPECT_EQ(read("dram_active", {1.0, 0.97, 0.001, 0.5, 0.2, 0.8}).value, 0.001);
}

// Case TEL-05: sm_active 0.93 is kept, 1.31 rejected, and nothing is clipped to the gate.
TEST(Feature, RejectsImpossibleValuesAndNeverClipsThem) {
  EXPECT_EQ(read("sm_active", {1.0, 0.97, 0.4, 0.5, 0.2, 0.93}).value, 0.93);
  EXPECT_EQ(read("sm_active", {1.0, 0.97, 0.4, 0.5, 0.2, 1.31}).reason,
            "sm_active = 1.31 is impossible (possible: 0 to 1)");
  EXPECT_EQ(read("gpu_util", {4294967295.0, 0.97, 0.4, 0.5, 0.2, 0.9}).value, std::nullopt);
  EXPECT_EQ(read("dram_copy_product", {1.0, 0.97, 0.4, 1.01, 0.2, 0.9}).value, std::nullopt);
  EXPECT_EQ(read("sm_active", {1.0, 0.97, 0.4, 0.5, 0.2, 1.0}).value, 1.0);
}

TEST(Feature, NamesWhatIsMissing) {
  EXPECT_EQ(read("dram_active", {1.0, 0.97, {}, 0.5, 0.2, 0.9}).reason,
            "dram_active has no valid reading in the uncapped row");
  EXPECT_EQ(read("nvlink_util", {1.0, 0.97, 0.4, 0.5, 0.2, 0.9}).reason,
            "the table has no column nvlink_util");
}

// Case SWP-03: a run that heat held back is no uncapped run.
TEST(Feature, RefusesAnUncappedRunThatHeatHeldBack) {
  SweepGroup group = group_with_index("job", 1.5, {1.0, 0.97, 0.4, 0.5, 0.2, 0.9});
  group.points.front().limited_by = Limiter::thermal;
  EXPECT_THAT(read_feature("dram_active", kColumns, group).reason, HasSubstr("uncapped run is no reference"));
}

TEST(ParseFeatures, ExpandsSetsAndKeepsEachFeatureOnce) {
  EXPECT_EQ(*parse_features("log2_gpus,job_metadata", {}),
            (std::vector<std::string>{"log2_gpus", "is_moe", "is_fine_tuning"}));
  EXPECT_EQ(*parse_features("all_telemetry", std::vector<std::string>{"dram_active", "tensor_active"}),
            (std::vector<std::string>{"dram_active", "tensor_active", "arithmetic_intensity"}));
  EXPECT_EQ(parse_features("dram_activ", {}).error().kind, ErrorKind::usage);
  EXPECT_EQ(parse_features("", {}).error().kind, ErrorKind::usage);
  EXPECT_EQ(parse_features("all_telemetry", {}).error().message, "the table has no telemetry columns");
}

}  // namespace
}  // namespace wattflex::elasticity
