// What went wrong in other people's throughput figures (LOG-*) and files (IMP-*): each case by its number.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <string>
#include <vector>

#include "ingest/logs/read_log.h"
#include "ingest/logs/test_rates.h"

namespace wattflex::logs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// "2026-01-01 00:00:28.500", that many seconds after midnight.
std::string at(double seconds) {
  const int whole = static_cast<int>(seconds);
  const int minutes = whole / 60;
  return fmt::format("2026-01-01 {:02}:{:02}:{:06.3f}", minutes / 60, minutes % 60, seconds - 60 * minutes);
}

// 256 samples x 2048 tokens / 2 s are 262144 tokens/s, printed as an eighth.
TEST(LogCase, LOG01_ThroughputOffByAccumulationIsComputedAndNamed) {
  std::string text;
  for (int step = 1; step <= 10; ++step) text += fmt::format("step {} | step_time 2.0 | tok/s 32768\n", step);
  const auto log = read_log(text, {.seq_len = 2048, .micro_batch = 4, .accumulation = 8, .gpus = 8});
  EXPECT_NEAR(tokens_rate(log), 262144, 1e-6);
  ASSERT_TRUE(log.summary.tokens_check);
  EXPECT_NEAR(log.summary.tokens_check->ratio, 0.125, 1e-9);
  EXPECT_FALSE(log.summary.tokens_check->agrees);
  EXPECT_THAT(log.summary.tokens_check->explanation, HasSubstr("gradient accumulation (8)"));
  EXPECT_THAT(log.summary.warnings, Contains(HasSubstr("gradient accumulation (8)")));
  // The same log beside a right figure says nothing.
  std::string right;
  for (int step = 1; step <= 10; ++step)
    right += fmt::format("step {} | step_time 2.0 | tok/s 262144\n", step);
  EXPECT_THAT(read_log(right, {.seq_len = 2048, .global_batch = 256}).summary.warnings, IsEmpty());
}

// World 16 = TP 4 x CP 2 x DP 2; 8 sequences of 4096 in 1 s are 32768 tokens/s.
TEST(LogCase, LOG03_TokensCountedOncePerRankAreTakenFromTheBatchAndNamed) {
  const JobShape shape{.seq_len = 4096,
                       .global_batch = 8,
                       .data_parallel = 2,
                       .tensor_parallel = 4,
                       .context_parallel = 2,
                       .gpus = 16};
  std::string a;
  std::string b;
  for (int step = 1; step <= 10; ++step) {
    a += fmt::format("step {} step_time 1.0 num_tokens {}\n", step, 131072 * step);
    b += fmt::format("step {} step_time 1.0 tps 32768 n_tokens_seen {}\n", step, 65536 * step);
  }
  const auto log_a = read_log(a, shape);
  EXPECT_NEAR(tokens_rate(log_a), 32768, 1e-6);
  ASSERT_TRUE(log_a.summary.counter_check);
  EXPECT_NEAR(log_a.summary.counter_check->ratio, 4, 1e-9);
  EXPECT_THAT(log_a.summary.counter_check->explanation, HasSubstr("tensor parallel (4)"));
  const auto log_b = read_log(b, shape);
  EXPECT_NEAR(tokens_rate(log_b), 32768, 1e-6);
  EXPECT_THAT(log_b.summary.counter_check->explanation, HasSubstr("context parallel (2)"));
  ASSERT_TRUE(log_b.summary.tokens_check);
  EXPECT_TRUE(log_b.summary.tokens_check->agrees) << "its tps is right";
}

TEST(LogCase, LOG04_RatesSinceTheFirstStartAreRejectedAfterAResume) {
  std::string text = at(0) + " Resuming training from checkpoint-1000\n";
  const char* const kPrinted[] = {"1.00001e8", "5.0001e7", "3.33343e7"};
  for (int i = 0; i < 3; ++i)
    text += fmt::format("{} step {} tokens_seen {:.5e} tok/s {}\n", at(10 * (i + 1)), 1001 + i,
                        1e9 + 1e4 * (i + 1), kPrinted[i]);
  const auto log = read_log(text);
  EXPECT_NEAR(tokens_rate(log), 1000, 1e-6);
  EXPECT_TRUE(log.summary.printed_is_cumulative);
  EXPECT_THAT(log.summary.warnings, Contains(HasSubstr("cumulative")));
  ASSERT_EQ(log.steps.size(), 3U);
  EXPECT_TRUE(log.steps[0].interval.first);
  EXPECT_EQ(log.summary.all.typical->readings, 2U) << "what came before the first line is unknown";
}

TEST(LogCase, LOG05_PausesAreKeptApart) {
  // Steps of 9.5 s end at these times; an evaluation of 20 s and a checkpoint of 60 s stand between.
  std::string text = fmt::format("{} step 0 tokens 1048576 tok/s nan\n", at(0));
  for (const auto& [step, seconds] : {std::pair{1, 9.5}, {2, 19.0}, {3, 28.5}})
    text += fmt::format("{} step {} tokens 1048576 tok/s nan\n", at(seconds), step);
  text += at(28.5) + " ***** Running Evaluation *****\n" + at(48.5) + " eval done\n";
  text += fmt::format("{} step 4 tokens 1048576 tok/s nan\n", at(58));
  text += at(58) + " Saving model checkpoint to out\n" + at(118) + " checkpoint saved\n";
  text += fmt::format("{} step 5 tokens 1048576 tok/s nan\n", at(127.5));
  const auto log = read_log(text);
  const RunFigures& all = log.summary.all;
  EXPECT_EQ(all.steps, 5);
  EXPECT_NEAR(tokens_rate(log), 110376, 0.5);
  EXPECT_NEAR(all.wall_tokens_per_s.value_or(0), 41121, 0.5);
  EXPECT_NEAR(all.wall.value_or(0), 127.5, 1e-6);
  EXPECT_NEAR(all.evaluation.time, 20, 1e-6);
  EXPECT_NEAR(all.checkpoint.time, 60, 1e-6);
  EXPECT_NEAR(all.pause_time(), 80, 1e-6);
  EXPECT_EQ(log.steps[4].interval.pause, Pause::evaluation);
  EXPECT_EQ(log.steps[4].step_time, std::nullopt) << "a gap with a pause in it is no step time";
  EXPECT_EQ(log.steps[5].interval.pause, Pause::checkpoint);
}

TEST(LogCase, LOG07_RanksAreCountedOnceInAnyOrder) {
  std::vector<std::string> lines = {"[rank1] step 5 tok/s 1000\n", "[rank0] step 5 tok/s 1001\n"};
  std::vector<std::string> ends = {"[rank0] step 6 tok/s 1000[rank1] step 6 tok/s 999\n",
                                   "[rank1] step 6 tok/s 999[rank0] step 6 tok/s 1000\n"};
  for (int order = 0; order < 4; ++order) {
    std::string text = order % 2 == 0 ? lines[0] + lines[1] : lines[1] + lines[0];
    text += ends[static_cast<std::size_t>(order / 2)];
    const auto log = read_log(text);
    ASSERT_EQ(log.steps.size(), 2U) << text;
    EXPECT_EQ(log.steps[0].interval.line.step, 5);
    EXPECT_EQ(log.steps[0].tokens_per_s, 1001) << text;
    EXPECT_EQ(log.steps[1].tokens_per_s, 1000) << text;
    EXPECT_EQ(log.summary.glued, 1U);
    EXPECT_EQ(log.summary.tracked.duplicates, 2U);
  }
}

TEST(LogCase, LOG09_TheKindOfCountIsPartOfTheResult) {
  std::string a;
  std::string b;
  for (int step = 1; step <= 5; ++step) {
    a += fmt::format("step {} step_time 1.0 tokens 16384\n", step);
    b += fmt::format("step {} step_time 1.0 tokens 9000\n", step);
  }
  const JobShape shape{.seq_len = 2048, .global_batch = 8};
  const auto padded = read_log(a, shape);
  const auto real = read_log(b, {.meter = {.given = shape, .counted = TokenKind::real}});
  EXPECT_NEAR(tokens_rate(padded), 16384, 1e-9);
  EXPECT_NEAR(tokens_rate(real), 9000, 1e-9);
  EXPECT_EQ(padded.summary.token_kind, TokenKind::padded);
  EXPECT_EQ(real.summary.token_kind, TokenKind::real);
  EXPECT_FALSE(comparable(padded.summary.token_kind, real.summary.token_kind));
  EXPECT_FALSE(comparable(TokenKind::unknown, TokenKind::unknown));
  EXPECT_TRUE(comparable(TokenKind::real, TokenKind::real));
  // Undeclared, the log's count is named as one that leaves something out.
  EXPECT_THAT(read_log(b, shape).summary.warnings, Contains(HasSubstr("padding")));
}

TEST(LogCase, LOG11_AForgottenIntervalIsNamed) {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += fmt::format("{} step {} samples 1000 samples/s 50\n", at(20 * i), 10 * (i + 1));
  const auto log = read_log(text);
  ASSERT_TRUE(log.summary.all.typical);
  EXPECT_NEAR(log.summary.all.typical->samples_per_s.value_or(0), 500, 1e-6);
  ASSERT_TRUE(log.summary.samples_check);
  EXPECT_NEAR(log.summary.samples_check->ratio, 0.1, 1e-9);
  EXPECT_THAT(log.summary.samples_check->explanation, HasSubstr("logging interval (10)"));
}

constexpr std::string_view kMegatron =
    " iteration      100/    5000 | consumed samples:       102400 | elapsed time per iteration (ms): 8000.0 "
    "| learning rate: "
    "1.0E-04 | global batch size:  1024 | lm loss: NAN | number of skipped iterations:   1 | number of nan "
    "iterations:   1 |\n"
    " iteration      101/    5000 | consumed samples:       104448 | elapsed time per iteration (ms): "
    "15000.0 | learning rate: "
    "1.0E-04 | global batch size:  2048 | lm loss: 2.1E+00 | number of skipped iterations:   0 | number of "
    "nan iterations:   0 |\n";

TEST(LogCase, LOG12_IterationTimesGiveSequencesAndTokensOnlyWithALength) {
  const auto log = read_log(kMegatron);
  EXPECT_EQ(log.summary.framework, Framework::megatron);
  ASSERT_EQ(log.steps.size(), 2U);
  EXPECT_NEAR(log.steps[0].samples_per_s.value_or(0), 128, 1e-9);
  EXPECT_NEAR(log.steps[1].samples_per_s.value_or(0), 136.533, 1e-3) << "the batch ramps up";
  EXPECT_EQ(log.steps[0].tokens_per_s, std::nullopt);
  EXPECT_EQ(log.summary.source, TokenSource::none);
  const auto with_length = read_log(kMegatron, {.seq_len = 4096});
  EXPECT_NEAR(with_length.steps[0].tokens_per_s.value_or(0), 524288, 1e-6);
  EXPECT_NEAR(with_length.steps[1].tokens_per_s.value_or(0), 559240.5, 0.1);
  EXPECT_EQ(with_length.summary.all.nan_losses, 1U) << "a NaN loss keeps its timing";
  EXPECT_EQ(with_length.summary.all.skipped, 1U);
  const auto as_time =
      read_log(kMegatron, {.meter = {.given = {.seq_len = 4096}, .skipped = Skipped::as_time_only}});
  EXPECT_EQ(as_time.steps[0].tokens_per_s, 0) << "time, and no progress";
  EXPECT_NEAR(as_time.steps[1].tokens_per_s.value_or(0), 559240.5, 0.1);
}

TEST(LogCase, LOG14_NanAndInfinityAreMissing) {
  const auto log = read_log(
      "{'loss': nan, 'tok_s': 1000.0, 'epoch': 0.1}\n{'loss': 0.9, 'tok_s': inf}\n{\"loss\": NaN, \"tok_s\": "
      "990.0}\n");
  ASSERT_EQ(log.steps.size(), 2U);
  EXPECT_EQ(log.steps[0].tokens_per_s, 1000);
  EXPECT_EQ(log.steps[1].tokens_per_s, 990);
  EXPECT_EQ(log.summary.all.nan_losses, 2U);
}

TEST(LogCase, IMP01_TheProcessLocaleChangesNothing) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale here";
  const auto log = read_log(kMegatron);
  (void)std::setlocale(LC_ALL, before.c_str());
  EXPECT_NEAR(log.steps[0].samples_per_s.value_or(0), 128, 1e-9);
}

TEST(LogCase, IMP03_OddFilesGiveAClearEmptyResult) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("\xEF\xBB\xBF"), std::string_view("\n\n"),
        std::string_view("\0\0\0\n", 4), std::string_view("hello\r\n")}) {
    const auto log = read_log(text);
    EXPECT_TRUE(log.steps.empty());
    EXPECT_FALSE(log.summary.all.typical);
    EXPECT_EQ(log.summary.framework, std::nullopt);
  }
  const std::string crlf =
      "\xEF\xBB\xBFstep 1 tok/s 10 step_time 1\r\nstep 2 tok/s 10 step_time 1\r\nstep 3 tok/s 1";
  const auto log = read_log(crlf);
  EXPECT_EQ(log.steps.size(), 2U);
  EXPECT_EQ(log.summary.lines.cut, 1U) << "'tok/s 1' may be half of a number";
}

}  // namespace
}  // namespace wattflex::logs
