// Real training logs, kept outside the repository. Expected figures were worked out from the files with awk
// and a pocket calculator: first and last times, numbers of lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "ingest/logs/read_log.h"
#include "tests/support/outside_data.h"

namespace wattflex::logs {
namespace {

std::optional<std::string> text_of(const std::string& name) {
  const auto path = outside_data("data/logs/" + name);
  if (!path) return std::nullopt;
  std::ifstream file(*path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(RealLog, OfMegatronOnSixteenNodes) {
  const auto text = text_of("bigscience_megatron_ds/meg_ds_3d_gpt2_n16_ds-off_lines760-885.log");
  if (!text) return;
  const auto log = read_log(*text, {.seq_len = 1024});
  EXPECT_EQ(log.summary.framework, Framework::megatron);
  ASSERT_EQ(log.steps.size(), 13U);
  EXPECT_NEAR(log.steps[0].step_time.value_or(0), 144.9156, 1e-9);
  // Steps 2..13: 125.5368 123.9976 124.0186 126.9935 124.4576 126.5389 124.1773 129.1378 126.6973 126.6076
  // 123.0829 127.4143 sum to 1508.6602.
  EXPECT_NEAR(log.summary.all.typical->step_time, 1508.6602 / 12, 1e-6);
  EXPECT_NEAR(log.summary.all.typical->tokens_per_s.value_or(0), 12 * 1024 * 1024 / 1508.6602, 1e-3);
}

TEST(RealLog, OfMegatronAmongManyRanks) {
  const auto text = text_of("bigscience_megatron_ds/meg_ds_3d_gpt2_n16_ds-on_selected.log");
  if (!text) return;
  const auto log = read_log(*text);
  ASSERT_EQ(log.steps.size(), 5U);
  EXPECT_NEAR(log.summary.all.typical->step_time, (141.0968 + 137.1384 + 138.9289 + 137.8059) / 4, 1e-6);
}

TEST(RealLog, OfOldMegatronHasNoBatch) {
  const auto text = text_of("bigscience_megatron_ds/meg_ds_3d_old_n16_lines11980-12075.log");
  if (!text) return;
  const auto log = read_log(*text);
  ASSERT_EQ(log.steps.size(), 2U);
  EXPECT_NEAR(log.steps[1].step_time.value_or(0), 145.207, 1e-9);
  EXPECT_EQ(log.summary.source, TokenSource::none);
}

TEST(RealLog, OfTrainerWithItsBarPrintedByFourRanks) {
  const auto text = text_of("bigscience_hf_deepspeed/hf_ds_gpt2_base_n4_tqdm_cr.log");
  if (!text) return;
  const auto log = read_log(*text, {.seq_len = 1024});
  EXPECT_EQ(log.summary.framework, Framework::hugging_face);
  EXPECT_EQ(log.summary.n_segments, 1U) << "the other bars are copies";
  EXPECT_EQ(log.summary.all.steps, 16);
  EXPECT_EQ(log.summary.all.wall, 919) << "15:19";
  EXPECT_EQ(log.summary.declared.global_batch, 64);
  EXPECT_NEAR(log.summary.all.wall_samples_per_s.value_or(0), 16 * 64 / 919.0, 1e-9);
  ASSERT_TRUE(log.summary.end_of_run);
  EXPECT_EQ(log.summary.end_of_run->runtime, 919.097);
  EXPECT_EQ(log.summary.end_of_run->copies, 3U);
}

TEST(RealLog, OfTrainerWithNothingButItsEnd) {
  const auto text = text_of("bigscience_hf_deepspeed/hf_ds_gpt2_perf_n16_lines1500-1590.log");
  if (!text) return;
  const auto log = read_log(*text);
  EXPECT_TRUE(log.steps.empty());
  ASSERT_TRUE(log.summary.end_of_run);
  EXPECT_EQ(log.summary.end_of_run->samples_per_s, 3.663);
  EXPECT_EQ(log.summary.end_of_run->copies, 15U) << "sixteen ranks";
}

TEST(RealLog, OfDeepSpeedChatAgreesWithSixteenGpus) {
  const auto text = text_of("deepspeed_chat/step1_sft_opt-1.3b_first120.log");
  if (!text) return;
  const auto log = read_log(*text, {.gpus = 16});
  EXPECT_EQ(log.summary.framework, Framework::deepspeed);
  EXPECT_EQ(log.summary.declared.seq_len, 512);
  EXPECT_EQ(log.summary.all.first_step, 10);
  EXPECT_EQ(log.summary.all.last_step, 520);
  // 01:46:59.171 to 01:53:27.859.
  EXPECT_NEAR(log.summary.all.wall.value_or(0), 388.688, 1e-3);
  // Between steps 460 and 470 lie 15.679 s, of which ten steps of 0.746 s are training.
  EXPECT_EQ(log.summary.all.evaluation.count, 1U);
  EXPECT_NEAR(log.summary.all.evaluation.time, 15.679 - 7.46, 0.02);
  ASSERT_TRUE(log.summary.samples_check);
  EXPECT_TRUE(log.summary.samples_check->agrees)
      << "16 x 8 samples in 0.746 s are 171.6 a second, as printed";
  // With eight GPUs the printed figure is twice what it could be.
  const auto eight = read_log(*text, {.gpus = 8});
  EXPECT_NEAR(eight.summary.samples_check->ratio, 2, 0.01);
  EXPECT_FALSE(eight.summary.samples_check->agrees);
}

TEST(RealLog, OfRlhfCountsWholeStepsOnly) {
  const auto text = text_of("deepspeed_chat/step3_rlhf_first90.log");
  if (!text) return;
  const auto log = read_log(*text);
  ASSERT_EQ(log.steps.size(), 17U);
  EXPECT_EQ(log.steps[7].step_time, 3.92);
  EXPECT_EQ(log.steps[7].interval.line.printed_samples_rate, 16.31);
}

TEST(RealLog, OfLitGptAddsMicroSteps) {
  const auto text = text_of("docs_samples/litgpt_lora_phi2.log");
  if (!text) return;
  const auto log = read_log(*text);
  EXPECT_EQ(log.summary.framework, Framework::litgpt);
  ASSERT_EQ(log.steps.size(), 5U);
  EXPECT_NEAR(log.steps[0].step_time.value_or(0), 0.82031 + 0.54872, 1e-9);
  EXPECT_NEAR(log.steps[4].step_time.value_or(0), 0.42359 + 0.60303, 1e-9);
}

TEST(RealLog, OfMaxTextDropsAsynchronousSteps) {
  const auto text = text_of("docs_samples/maxtext_understand_logs.log");
  if (!text) return;
  const auto log = read_log(*text);
  EXPECT_EQ(log.summary.framework, Framework::maxtext);
  ASSERT_EQ(log.steps.size(), 10U);
  EXPECT_EQ(log.summary.all.typical->dropped, 2U) << "0.319 s, and 5.402 s that make up for it";
  // 5.658 5.669 5.668 5.668 5.669 5.668 5.667 s: 39.667 s for seven steps of 196608 tokens.
  EXPECT_NEAR(log.summary.all.typical->tokens_per_s.value_or(0), 7 * 196608 / 39.667, 1e-3);
  EXPECT_EQ(log.summary.token_kind, TokenKind::real);
  EXPECT_THAT(log.summary.tokens_check->explanation, testing::HasSubstr("agrees if the job has 4"));
  const auto gke = text_of("docs_samples/maxtext_maxtest_gke.log");
  if (!gke) return;
  EXPECT_THAT(read_log(*gke).summary.tokens_check->explanation,
              testing::HasSubstr("agrees if the job has 32"));
}

TEST(RealLog, OfTorchtuneIsABar) {
  const auto text = text_of("docs_samples/torchtune_qlora_tqdm.log");
  if (!text) return;
  const auto log = read_log(*text);
  EXPECT_EQ(log.summary.framework, Framework::torchtune);
  // 02:08 to 11:59 for steps 149 to 228.
  EXPECT_NEAR(log.summary.all.typical->step_time, 591.0 / 79, 1e-9);
}

TEST(RealLog, OfModdedNanoGptStandsBehindItsOwnSource) {
  const auto text = text_of("modded_nanogpt/2025-09-10_Yarn_8xH100_tail.txt");
  if (!text) return;
  const auto log = read_log(*text);
  EXPECT_EQ(log.summary.framework, Framework::nanogpt);
  EXPECT_EQ(log.summary.all.first_step, 1);
  EXPECT_EQ(log.summary.all.last_step, 1670);
  EXPECT_EQ(log.summary.damaged, 0U);
  // The mean of the whole run is 95.22 ms; without the steps behind its thirteen validations it is a little
  // less.
  EXPECT_NEAR(log.summary.all.typical->step_time, 0.0945, 0.0015);
}

TEST(RealLog, OfLlmCWithoutTimesHasStepsOnly) {
  const auto text = text_of("modded_nanogpt/2024-06-06_AdamW_first60.log");
  if (!text) return;
  const auto log = read_log(*text);
  EXPECT_EQ(log.summary.all.last_step, 58);
  EXPECT_FALSE(log.summary.all.typical);
}

}  // namespace
}  // namespace wattflex::logs
