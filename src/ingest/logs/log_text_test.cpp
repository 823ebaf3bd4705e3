// Numbers, dates and ranks out of log lines.
#include "ingest/logs/log_text.h"

#include <gtest/gtest.h>

#include <clocale>
#include <string>

#include "ingest/logs/job_shape.h"
#include "ingest/logs/log_mark.h"
#include "ingest/logs/progress_bar.h"

namespace wattflex::logs {
namespace {

TEST(LogNumbers, AreReadWithGroupsAndExponents) {
  EXPECT_EQ(number_behind("tps: 1,234  tflops", "tps: "), 1234);
  EXPECT_EQ(number_behind("tps: 12,345,678  tflops", "tps: "), 12'345'678);
  EXPECT_EQ(number_behind("seconds: 12.444, TFLOP/s", "seconds: "), 12.444);
  EXPECT_EQ(number_behind("seconds: 5, 123", "seconds: "), 5);
  EXPECT_EQ(number_behind("rate: 1,23", "rate: "), 1) << "two digits are no group";
  EXPECT_EQ(number_behind("rate: 1,2345", "rate: "), 1) << "four digits are no group";
  EXPECT_EQ(number_behind("rate: 1.00001e8 ", "rate: "), 1.00001e8);
  EXPECT_EQ(number_behind("rate: -3", "rate: "), -3);
}

TEST(LogNumbers, AreMissingWhereThereIsNone) {
  for (const char* text : {"rate: nan", "rate: NaN", "rate: inf", "rate: -inf", "rate: ", "rate:", "rat",
                           "rate: n/a", "rate: -"})
    EXPECT_EQ(number_behind(text, "rate:"), std::nullopt) << text;
  EXPECT_EQ(number_behind("rate: 1e999", "rate:"), std::nullopt);
}

TEST(LogNumbers, BelongToWholeWords) {
  EXPECT_EQ(number_of_word("{'tok_s': 990.0}", "tok_s"), 990);
  EXPECT_EQ(number_of_word("{\"step\": 7}", "step"), 7);
  EXPECT_EQ(number_of_word("step_time 2.5 step 9", "step"), 9) << "step_time is another word";
  EXPECT_EQ(number_of_word("substep 4", "step"), std::nullopt);
}

TEST(LogNumbers, DoNotDependOnTheProcessLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "C"}) {
    (void)std::setlocale(LC_ALL, name);
    EXPECT_EQ(number_behind("rate: 12.5", "rate: "), 12.5);
  }
  (void)std::setlocale(LC_ALL, before.c_str());
}

TEST(LogStamps, AreUnixSeconds) {
  // date -u -d '2023-04-18 01:50:57' +%s
  EXPECT_DOUBLE_EQ(stamp_of("[2023-04-18 01:50:57,800] [INFO] step").value_or(0), 1681782657.8);
  EXPECT_DOUBLE_EQ(stamp_of("2023-04-18T01:50:57.250Z x").value_or(0), 1681782657.25);
  EXPECT_DOUBLE_EQ(stamp_of("2023-04-18T03:50:57+02:00 x").value_or(0), 1681782657);
  EXPECT_DOUBLE_EQ(stamp_of("[rank0]:[titan] 2023-04-18 01:50:57,800 - root - INFO").value_or(0),
                   1681782657.8);
  // date -u -d '2024-02-29 23:59:59' +%s
  EXPECT_DOUBLE_EQ(stamp_of("2024-02-29 23:59:59").value_or(0), 1709251199);
}

TEST(LogStamps, AreNoneWhereTheDateIsNone) {
  for (const char* text :
       {"2023-02-29 01:02:03", "2023-13-01 01:02:03", "2023-01-01 25:02:03", "12023-01-01 01:02:03",
        "2023-01-01", "1970-01-01 00:00:10", "a-b-c", "2023-01-01 01:02"})
    EXPECT_EQ(stamp_of(text), std::nullopt) << text;
  EXPECT_EQ(stamp_of(std::string(300, ' ') + "2023-04-18 01:50:57"), std::nullopt) << "too far back";
}

TEST(LogRanks, AreReadFromTheFront) {
  EXPECT_EQ(rank_of("[rank3]:[titan] x"), 3);
  EXPECT_EQ(rank_of("[2023-04-18 01:50:57,800] [Rank 12] x"), 12);
  EXPECT_EQ(rank_of("[default5]: x"), 5);
  EXPECT_EQ(rank_of("17: iteration"), 17);
  EXPECT_EQ(rank_of("step 5"), -1);
  EXPECT_EQ(rank_of("12:30:00 step"), -1) << "a time of day";
}

TEST(ProgressBar, GivesItsCountAndTime) {
  const auto bar = parse_bar("  6%|#         | 1/16 [00:58<14:41, 58.76s/it]");
  ASSERT_TRUE(bar);
  EXPECT_EQ(bar->done, 1);
  EXPECT_EQ(bar->total, 16);
  EXPECT_EQ(bar->elapsed, 58);
  EXPECT_EQ(bar->description, "");
  const auto long_bar = parse_bar("Epoch 3: 100%|####| 149/25880 [1:02:08<6:14:19,  1.15it/s, v_num=0]");
  ASSERT_TRUE(long_bar);
  EXPECT_EQ(long_bar->elapsed, 3728);
  EXPECT_EQ(long_bar->description, "Epoch 3");
}

TEST(ProgressBar, IsNoneWhereItIsCut) {
  for (const char* text : {"  6%|#   ", "  6%|#   | 1/16", "  6%|#   | 1/16 [00:58",
                           "  6%|# | 17/16 [00:58<14:41]", "6%|x| /16 [0:1<"})
    EXPECT_FALSE(parse_bar(text)) << text;
}

struct Declared {
  const char* line;
  Count JobShape::* member;
  std::int64_t value;
};

TEST(Declarations, AreReadFromEveryFrameworksHeader) {
  const Declared kLines[] = {
      {"[INFO|trainer.py:1147] >>   Total train batch size (w. parallel, distributed & accumulation) = 64",
       &JobShape::global_batch, 64},
      {">>   Instantaneous batch size per device = 4", &JobShape::micro_batch, 4},
      {">>   Gradient Accumulation steps = 8", &JobShape::accumulation, 8},
      {"    \"train_batch_size\": 512, ", &JobShape::global_batch, 512},
      {"cmd = deepspeed main.py --max_seq_len 512 --x", &JobShape::seq_len, 512},
      {"'--max_seq_len', '512', '--learning_rate', '5e-5'", &JobShape::seq_len, 512},
      {"pretrain_gpt.py --seq-length 4096 --x", &JobShape::seq_len, 4096},
      {"  seq_length ...................................... 1024", &JobShape::seq_len, 1024},
      {"  tensor_model_parallel_size ...................... 4", &JobShape::tensor_parallel, 4},
      {"using world size: 64, data-parallel-size: 4, tensor-model-parallel size: 2 ",
       &JobShape::data_parallel, 4},
      {"using world size: 64, data-parallel-size: 4, tensor-model-parallel size: 2 ", &JobShape::gpus, 64},
      {"local batch size 8, global batch size 64, gradient accumulation steps 1, sequence length 2048",
       &JobShape::seq_len, 2048},
      {"Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]", &JobShape::gpus, 8},
      {"Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]", &JobShape::tensor_parallel, 2},
      {"Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]", &JobShape::data_parallel, 4},
      {"tokens per iteration will be: 491,520", &JobShape::step_tokens, 491'520},
      {"Total batch size 524,288 => gradient accumulation steps: 4", &JobShape::step_tokens, 524'288},
      {"Config param: max_target_length: 4096", &JobShape::seq_len, 4096},
  };
  for (const Declared& declared : kLines) {
    JobShape shape;
    EXPECT_TRUE(read_declarations(declared.line, shape)) << declared.line;
    EXPECT_EQ(shape.*declared.member, declared.value) << declared.line;
  }
}

TEST(Declarations, AreNoneInWordsThatOnlyContainThem) {
  for (const char* line :
       {"per_device_eval_batch_size 4", "micro_batch_size: null", "Total batch size: 64", "my_seq_length 5",
        "seq_length_max: 7", "train_batch_size: 0", "train_batch_size: 4.5", "train_batch_size: 8x"}) {
    JobShape shape;
    EXPECT_FALSE(read_declarations(line, shape)) << line;
  }
}

TEST(JobShape, GivesTokensOfAStepFromItsParts) {
  JobShape shape{.seq_len = 2048, .micro_batch = 4, .accumulation = 8};
  EXPECT_EQ(shape.tokens_per_step(), std::nullopt) << "the number of replicas is missing";
  shape.gpus = 16;
  shape.tensor_parallel = 2;
  EXPECT_EQ(shape.samples_per_step(), 4 * 8 * 8);
  EXPECT_EQ(shape.tokens_per_step(), 4 * 8 * 8 * 2048);
  shape.tensor_parallel = 3;
  EXPECT_EQ(shape.samples_per_step(), std::nullopt) << "16 GPUs are no multiple of 3";
}

TEST(JobShape, TellsContradictions) {
  const JobShape declared{
      .seq_len = 1024, .global_batch = 100, .micro_batch = 4, .accumulation = 2, .gpus = 8};
  EXPECT_EQ(contradictions(declared, {}).size(), 1U) << "4 x 2 x 8 is 64";
  EXPECT_EQ(contradictions(declared, {.seq_len = 2048, .global_batch = 64}).size(), 2U);
  EXPECT_TRUE(contradictions({.seq_len = 1024}, {.seq_len = 1024}).empty());
}

}  // namespace
}  // namespace wattflex::logs
