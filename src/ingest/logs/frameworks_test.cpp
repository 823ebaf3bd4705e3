// The lines of each framework, as its source or its documentation prints them, and what several in one log
// mean. Expected figures are worked out by hand from the lines.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ingest/logs/read_log.h"
#include "ingest/logs/test_rates.h"

namespace wattflex::logs {
namespace {

using testing::Contains;
using testing::HasSubstr;

// 4 x 2 GPUs, 8 x 4 sequences of 2048 in 2 s: 32768 tokens/s, 4096 on each of 8 GPUs.
TEST(Torchtitan, CountsTheWholeJobThroughColoursAndRanks) {
  std::string text =
      "[rank0]:[titan] 2026-01-01 10:00:00,000 - root - INFO - Building 2-D device mesh with ['dp_shard', "
      "'tp'], [4, 2]\n"
      "[rank0]:[titan] 2026-01-01 10:00:01,000 - root - INFO - Trainer is initialized with local batch size "
      "8, global batch "
      "size 32, gradient accumulation steps 1, sequence length 2048, total steps 1000 (warmup 200).\n"
      "[rank0]:[titan] 2026-01-01 10:00:01,000 - root - INFO - Training starts at step 1\n";
  for (int i = 0; i < 8; ++i) {
    text += fmt::format(
        "[rank0]:[titan] 2026-01-01 10:00:{:02},000 - root - INFO - \x1b[31mstep: {:2}  \x1b[32mloss:  "
        "8.1234  "
        "\x1b[38;2;180;60;0mgrad_norm:  1.0000  \x1b[36mmemory: 30.50GiB(38.52%)  \x1b[34mtps: 4,096  "
        "\x1b[36mtflops: 45.67  "
        "\x1b[35mmfu: 4.62%\x1b[39m\n",
        10 + 2 * i, i + 1);
  }
  const auto log = read_log(text);
  EXPECT_EQ(log.summary.framework, Framework::torchtitan);
  EXPECT_NEAR(tokens_rate(log), 32768, 1e-6);
  ASSERT_TRUE(log.summary.tokens_check);
  EXPECT_TRUE(log.summary.tokens_check->agrees) << "4096 a GPU times 8";
  EXPECT_EQ(log.summary.n_segments, 1U);
}

TEST(Torchtitan, WithoutNumberOfGpusSaysWhatIsMissing) {
  std::string text;
  for (int i = 1; i < 6; ++i)
    text += fmt::format("step: {:2}  loss:  8.1  memory:  1.00GiB(1.00%)  tps: 4,096  tflops: 1.0\n", i);
  const auto log = read_log(text);
  EXPECT_EQ(tokens_rate(log), -1);
  EXPECT_THAT(log.summary.warnings, Contains(HasSubstr("--gpus")));
  EXPECT_NEAR(tokens_rate(read_log(text, {.gpus = 8})), 32768, 1e-6);
}

TEST(Megatron, ReadsAverageTimesAndItsDeepSpeedForksRates) {
  // elapsed/average, as ROCm's fork prints; 768 samples x 4096 tokens / 14.2875 s.
  std::string text = "using world size: 192, data-parallel-size: 24, tensor-model-parallel size: 8\n";
  for (int i = 0; i < 4; ++i) {
    text += fmt::format(
        " iteration      {}/  317892 | consumed samples:       {} | consumed tokens:    {} | elapsed time "
        "per iteration (ms): "
        "14287.5 | learning rate: 2.407E-04 | global batch size:   768 | lm loss: 5.905366E+00 | loss scale: "
        "8192.0 | actual "
        "seqlen:  4096 | number of skipped iterations:   0 | number of nan iterations:   0 | samples per "
        "second: 53.753 | "
        "tokens per gpu per second (tgs): 1146.733 | TFLOPs: 69.85 |\n",
        199 + i, 152832 + 768 * i, 625999872LL + 768LL * 4096 * i);
  }
  const auto log = read_log(text);
  EXPECT_NEAR(log.summary.all.typical->samples_per_s.value_or(0), 768 / 14.2875, 1e-6);
  EXPECT_NEAR(tokens_rate(log), 768 * 4096 / 14.2875, 1e-3) << "from its running count";
  EXPECT_TRUE(log.summary.samples_check->agrees);
  EXPECT_TRUE(log.summary.tokens_check->agrees) << "1146.733 x 192 GPUs";
}

TEST(Megatron, CountsDamagedAndGluedLines) {
  const std::string good =
      " iteration        {}/    1000 | elapsed time per iteration (ms): 2000.0 | learning rate: 1E-05 | "
      "global batch size:  8 |";
  std::string text = fmt::format(fmt::runtime(good), 1) + "\n";
  text += fmt::format(fmt::runtime(good), 2) + fmt::format(fmt::runtime(good), 3) + "\n";
  text +=
      " iteration        4/    1000 | elapsed time per iteration (ms): 20[Rank 3] (after 1 iterations) "
      "memory (MB)\n";
  text += fmt::format(fmt::runtime(good), 5) + "\n";
  const auto log = read_log(text);
  EXPECT_EQ(log.summary.glued, 1U);
  EXPECT_EQ(log.summary.damaged, 1U);
  EXPECT_EQ(log.steps.size(), 4U);
  EXPECT_EQ(log.steps.back().interval.steps, 2);
}

TEST(NeMo, ReadsItsPrinterAndItsProgressBar) {
  std::string printer;
  std::string bars;
  for (int i = 0; i < 5; ++i) {
    printer += fmt::format(
        "Training epoch 0, iteration {}/249 | lr: 1.961e-06 | global_batch_size: 8 | global_step: {} | "
        "reduced_train_loss: 1.3 "
        "| train_step_timing in s: 2.5 | consumed_samples: {}\n",
        i, i, 8 * (i + 1));
    bars += fmt::format(
        "\rEpoch 0: :  10%|#  | {}/100 [00:{:02}<10:00, reduced_train_loss=0.0172, global_step={}.00, "
        "consumed_samples={}.0, "
        "train_step_timing in s=3.130]",
        i + 1, 10 + 3 * i, i, 256 * (i + 1));
  }
  const auto printed = read_log(printer, {.seq_len = 4096});
  EXPECT_EQ(printed.summary.framework, Framework::nemo);
  EXPECT_NEAR(tokens_rate(printed), 8 * 4096 / 2.5, 1e-6);
  const auto bar = read_log(bars + "\n", {.seq_len = 4096});
  EXPECT_EQ(bar.summary.framework, Framework::nemo);
  EXPECT_NEAR(tokens_rate(bar), 256 * 4096 / 3.13, 1e-3) << "samples of a step from the running count";
}

TEST(Torchtune, ReadsItsMetricLines) {
  std::string text;
  for (int i = 1; i < 6; ++i)
    text += fmt::format("Step {} | loss:1.2 lr:0.0003 tokens_per_second_per_gpu:500.0\n", i);
  const auto log = read_log(text, {.gpus = 4});
  EXPECT_EQ(log.summary.framework, Framework::torchtune);
  EXPECT_NEAR(tokens_rate(log), 2000, 1e-9);
  EXPECT_EQ(log.summary.token_kind, TokenKind::real);
  EXPECT_EQ(log.summary.source, TokenSource::printed);
}

TEST(NanoGptFamily, ReadsTheLinesOfItsScripts) {
  std::string karpathy = "tokens per iteration will be: 491,520\n";
  std::string build;
  std::string llm_c;
  std::string modded;
  for (int i = 0; i < 6; ++i) {
    karpathy += fmt::format("iter {}: loss 3.1234, time 245.76ms, mfu 40.12%\n", 10 * i);
    build += fmt::format(
        "step {:5d} | loss: 3.123456 | lr 6.0000e-04 | norm: 0.3000 | dt: 512.00ms | tok/sec: 1,024,000\n",
        i);
    llm_c += fmt::format(
        "step {:4}/76294 | loss 10.978 (+nanz)| norm 15.3 (+nanz)| lr 8.5e-07 | 500.00 ms | 35.4% bf16 MFU | "
        "1048576 tok/s\n",
        i);
    modded += fmt::format("step:{}/1670 train_time:{}ms step_avg:95.23ms\n", i + 1, 100 * (i + 1));
  }
  EXPECT_NEAR(tokens_rate(read_log(karpathy)), 491520 / 0.24576, 1e-3);
  const auto log = read_log(build, {.seq_len = 1024, .global_batch = 512});
  EXPECT_NEAR(tokens_rate(log), 1024 * 512 / 0.512, 1e-3);
  EXPECT_TRUE(log.summary.tokens_check->agrees);
  EXPECT_NEAR(tokens_rate(read_log(llm_c)), 1048576, 1e-3);
  const auto steps = read_log(modded);
  EXPECT_EQ(steps.summary.framework, Framework::nanogpt);
  EXPECT_NEAR(steps.summary.all.typical->step_time, 0.1, 1e-12) << "from the running time, not the average";
}

TEST(Lightning, CountsStepsOverEpochs) {
  std::string text;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (int i = 0; i <= 10; ++i)
      text += fmt::format("\rEpoch {}: {:3}%|#   | {}/10 [{:02}:{:02}<00:10,  0.08it/s, v_num=0]", epoch,
                          10 * i, i, 12 * i / 60, 12 * i % 60);
    text += "\n";
  }
  const auto log = read_log(text, {.seq_len = 100, .global_batch = 6});
  EXPECT_EQ(log.summary.framework, Framework::lightning);
  EXPECT_EQ(log.summary.n_segments, 1U) << "an epoch is no new run";
  EXPECT_NEAR(tokens_rate(log), 50, 1e-9);
}

TEST(HuggingFace, TakesEvaluationBarsForWhatTheyAre) {
  std::string text =
      "***** Running training *****\n  Total train batch size (w. parallel, distributed & accumulation) = "
      "16\n";
  for (int i = 0; i <= 4; ++i)
    text += fmt::format("\r {}%|#  | {}/8 [00:{:02}<01:00, 12.00s/it]", 12 * i, i, 12 * i);
  text += "\n***** Running Evaluation *****\n";
  for (int i = 1; i <= 3; ++i)
    text += fmt::format("\r {}%|#  | {}/3 [00:{:02}<00:10,  5.00s/it]", 33 * i, i, 5 * i);
  for (int i = 5; i <= 8; ++i)
    text += fmt::format("\r {}%|#  | {}/8 [01:{:02}<00:20, 12.00s/it]", 12 * i, i, 15 + 12 * (i - 5));
  const auto log = read_log(text + "\n", {.seq_len = 1000});
  EXPECT_EQ(log.summary.framework, Framework::hugging_face);
  EXPECT_EQ(log.summary.all.last_step, 8);
  EXPECT_NEAR(tokens_rate(log), 16000 / 12.0, 1e-9);
  EXPECT_NEAR(log.summary.all.evaluation.time, 15, 1e-9) << "27 s between steps 4 and 5, 12 of them a step";
}

TEST(HuggingFace, KnowsItsTrainingBarByTheHeadersSteps) {
  std::string text = "***** Running training *****\n  Total optimization steps = 4\n";
  for (int i = 0; i <= 3; ++i)
    text += fmt::format("\r {}%|#  | {}/3 [00:{:02}<00:10,  9.00s/it]", 33 * i, i, 9 * i);
  for (int i = 0; i <= 4; ++i)
    text += fmt::format("\r {}%|#  | {}/4 [00:{:02}<01:00, 12.00s/it]", 25 * i, i, 12 * i);
  const auto log = read_log(text + "\n");
  EXPECT_EQ(log.summary.all.last_step, 4) << "an evaluation in front of training has a bar too";
  EXPECT_EQ(log.summary.all.steps, 4);
}

TEST(Generic, NeedsAFigureAndNotOnlyItsLetters) {
  const auto log =
      read_log("step 5 see https://example.org\nstep 6 batch_tokens/second 7\nfootstep 8 tok/s 9\n");
  EXPECT_TRUE(log.steps.empty());
}

TEST(DetectedFramework, KeepsDeepSpeedsStepsBesideTrainersSummary) {
  std::string text;
  for (int i = 1; i <= 3; ++i)
    text += fmt::format(
        "[2026-01-01 10:00:0{},000] [INFO] [timer.py:260:stop] epoch=0/micro_step={}/global_step={}, "
        "RunningAvgSamplesPerSec=8.1, CurrSamplesPerSec=8.0\n",
        i, i, i);
  text +=
      "{'train_runtime': 9.5, 'train_samples_per_second': 8.0, 'train_steps_per_second': 1.0, 'epoch': "
      "1.0}\n";
  const auto log = read_log(text);
  EXPECT_EQ(log.summary.framework, Framework::deepspeed);
  EXPECT_EQ(log.steps.size(), 3U);
  ASSERT_TRUE(log.summary.end_of_run);
  EXPECT_EQ(log.summary.end_of_run->runtime, 9.5);
}

TEST(DetectedFramework, IsTheMoreTellingOfTwo) {
  std::string text;
  for (int i = 1; i <= 5; ++i) {
    text += fmt::format(
        "[2026-01-01 10:00:0{},000] [INFO] [timer.py:260:stop] epoch=0/micro_step={}/global_step={}, "
        "RunningAvgSamplesPerSec=8.1, CurrSamplesPerSec=8.0, MemAllocated=6.01GB, MaxMemAllocated=19.52GB\n",
        i, i, i);
    text += fmt::format(
        " iteration   {}/  10 | elapsed time per iteration (ms): 1000.0 | global batch size:   8 |\n", i);
  }
  const auto log = read_log(text);
  EXPECT_EQ(log.summary.framework, Framework::megatron);
  EXPECT_EQ(log.steps.size(), 5U);
  const auto forced = read_log(text, {.framework = Framework::deepspeed});
  EXPECT_EQ(forced.summary.framework, Framework::deepspeed);
  EXPECT_EQ(forced.steps.size(), 5U);
}

TEST(UserPattern, ReadsALogOfNoKnownFramework) {
  std::string text;
  for (int i = 1; i <= 5; ++i) text += fmt::format("t={} it <{}> took 250 ms on all\n", 1767261600 + i, i);
  const auto log =
      read_log(text, {.pattern = R"(t=(?P<time>\d+) it <(?P<step>\d+)> took (?P<step_time_ms>\d+))",
                      .meter = {.given = {.seq_len = 10, .global_batch = 5}}});
  EXPECT_EQ(log.summary.framework, Framework::user_pattern);
  EXPECT_NEAR(tokens_rate(log), 200, 1e-9);
  EXPECT_NEAR(log.summary.all.wall.value_or(0), 4, 1e-9);
  EXPECT_THAT(log.summary.warnings, Contains(HasSubstr("step time"))) << "250 ms against 1 s by the dates";
}

TEST(UserPattern, IsRefusedWhereItMeansNothing) {
  for (const char* pattern :
       {"(?P<step>", "(?P<bogus>\\d+)", "(?P<loss>\\d+)", "x", "(?=look)", "(?P<step>\\d+)\\1"}) {
    const auto reader = LogReader::create({.pattern = pattern});
    ASSERT_FALSE(reader) << pattern;
    EXPECT_EQ(reader.error().kind, ErrorKind::usage);
    EXPECT_FALSE(reader.error().remedy.empty());
  }
}

TEST(UserPattern, CannotHangOnAHostileLine) {
  // Exponential for backtracking engines.
  const auto log = read_log(std::string(60'000, 'a') + "\n", {.pattern = "(a*)*(a|aa)+b(?P<step>\\d+)"});
  EXPECT_TRUE(log.steps.empty());
}

}  // namespace
}  // namespace wattflex::logs
