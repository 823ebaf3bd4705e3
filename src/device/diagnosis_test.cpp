#include "device/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace wattflex::device {
namespace {

using testing::HasSubstr;

// One healthy GPU on a machine where everything is as it should be.
Facts healthy() {
  const GpuIdentity identity{.uuid = {"GPU-a"}, .name = "NVIDIA H200", .index = 0};
  GpuDescription description{.identity = identity, .mig = false, .profiling = true};
  description.limits = {.requested = Power::from_watts(700),
                        .enforced = Power::from_watts(700),
                        .factory = Power::from_watts(700),
                        .least = Power::from_watts(200),
                        .most = Power::from_watts(700),
                        .persistence = true};
  GpuSample sample;
  sample.draw_average = Power::from_watts(400);
  sample.energy = EnergyCount{1};
  Facts facts;
  facts.inventory.gpus = {identity};
  facts.inventory.pci_gpus = 1;
  facts.gpus.push_back({identity, description, sample, description.limits});
  facts.privileges = {.root = true, .sys_admin = true};
  facts.exporter = {"localhost:9400", ExporterState::reachable};
  return facts;
}

std::vector<Finding> bad(const Facts& facts) {
  auto findings = diagnose(facts);
  std::erase_if(findings, [](const Finding& finding) { return finding.severity == Severity::good; });
  return findings;
}

Finding only(const Facts& facts) {
  const auto findings = bad(facts);
  EXPECT_EQ(findings.size(), 1U);
  return findings.empty() ? Finding() : findings.front();
}

PowerLimits& limits_of(Facts& facts) {
  return facts.gpus[0].description->limits;
}

TEST(Diagnosis, FindsNothingWrongWhereAllIsWell) {
  EXPECT_TRUE(bad(healthy()).empty());
}

TEST(Diagnosis, GivesEveryBadFindingARemedy) {
  Facts facts = healthy();
  facts.inventory.holes = {{1, Problem::gpu_lost}};
  facts.inventory.pci_gpus = 4;
  facts.privileges = {};
  facts.programs = {{7, "zeusd"}, {8, "ncu"}};
  facts.exporter.state = ExporterState::unreachable;
  facts.gpus[0].description->mig = true;
  limits_of(facts).persistence = false;
  limits_of(facts).requested = Power::from_watts(230);
  limits_of(facts).enforced = Power::from_watts(210);
  facts.gpus[0].later = limits_of(facts);
  const auto findings = bad(facts);
  EXPECT_EQ(findings.size(), 10U);
  for (const Finding& finding : findings) EXPECT_NE(finding.remedy, "") << finding.message;
}

// CAP-03
TEST(Diagnosis, NamesTheMissingPrivilege) {
  Facts facts = healthy();
  facts.privileges = {.root = true, .sys_admin = false};
  EXPECT_THAT(only(facts).message, HasSubstr("CAP_SYS_ADMIN"));
  facts.privileges = {};
  EXPECT_EQ(only(facts).check, "set");
}

// CAP-02
TEST(Diagnosis, WarnsThatWithoutPersistenceALimitIsForgotten) {
  Facts facts = healthy();
  limits_of(facts).persistence = false;
  facts.gpus[0].later = limits_of(facts);
  const Finding finding = only(facts);
  EXPECT_EQ(finding.check, "persistence");
  EXPECT_THAT(finding.remedy, HasSubstr("GPU-a"));
}

// CAP-04
TEST(Diagnosis, TellsOfAnotherLimiter) {
  Facts facts = healthy();
  limits_of(facts).enforced = Power::from_watts(500);
  const Finding finding = only(facts);
  EXPECT_EQ(finding.check, "limiter");
  EXPECT_THAT(finding.message, HasSubstr("700 W were asked for and 500 W are enforced"));
}

// SWP-02: 230 of 370 W, told as a share.
TEST(Diagnosis, TellsOfAForgottenCapAsAShareOfTheDefault) {
  Facts facts = healthy();
  limits_of(facts).factory = Power::from_watts(370);
  limits_of(facts).requested = limits_of(facts).enforced = Power::from_watts(230);
  facts.gpus[0].later = limits_of(facts);
  EXPECT_THAT(only(facts).message, HasSubstr("230 W, 62 % of the default 370 W"));
}

// CAP-13, what can be seen of it by looking twice.
TEST(Diagnosis, CatchesAnotherWriterAtWork) {
  Facts facts = healthy();
  facts.gpus[0].later->requested = Power::from_watts(650);
  const Finding finding = only(facts);
  EXPECT_EQ(finding.check, "writer");
  EXPECT_EQ(finding.severity, Severity::problem);
}

// CAP-14
TEST(Diagnosis, CountsTheBusAgainstTheDriver) {
  Facts facts = healthy();
  facts.inventory.pci_gpus = 4;
  EXPECT_THAT(only(facts).message, HasSubstr("4 GPUs, NVML shows 1"));
  facts.inventory.pci_gpus = std::nullopt;
  EXPECT_TRUE(bad(facts).empty());
}

TEST(Diagnosis, TellsWhichGpuCannotBeRead) {
  Facts facts = healthy();
  facts.gpus[0].sample = failed(Problem::timed_out, "GPU-a: no answer", "reset it");
  EXPECT_EQ(only(facts).gpu.text, "GPU-a");
  facts = healthy();
  facts.gpus[0].sample->draw_average = Problem::no_permission;
  EXPECT_EQ(only(facts).severity, Severity::problem);
}

TEST(Diagnosis, TakesAProfilerMoreSeriouslyOnOlderBoards) {
  Facts facts = healthy();
  facts.programs = {{8, "nv-hostengine"}};
  EXPECT_EQ(only(facts).severity, Severity::note);
  facts.gpus[0].description->profiling = false;
  const auto findings = bad(facts);
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.check == "profiler" && finding.severity == Severity::warning;
  }));
}

TEST(Diagnosis, CannotCapABoardWithOneLimitOrNone) {
  Facts facts = healthy();
  limits_of(facts).least = Power::from_watts(700);
  EXPECT_EQ(only(facts).severity, Severity::problem);
  limits_of(facts).least = Problem::not_supported;
  EXPECT_EQ(only(facts).check, "set");
}

}  // namespace
}  // namespace wattflex::device
