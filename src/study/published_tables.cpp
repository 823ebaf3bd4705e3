#include "study/published_tables.h"

#include <array>

namespace wattflex::study {
namespace {

constexpr auto kDense = Architecture::dense;
constexpr auto kMoe = Architecture::moe;
constexpr auto kPretraining = Task::pretraining;
constexpr auto kFineTuning = Task::fine_tuning;
constexpr auto kHeadline = PublishedSet::headline;
constexpr auto kHeldOut = PublishedSet::held_out;

constexpr std::array kH200Groups = std::to_array<PublishedGroup>({
    {kHeadline, kDense, kFineTuning, 16, "Llama-3.1-70B", "", 3, 1.10, Published95{1.096, 1.102}},
    {kHeadline, kDense, kFineTuning, 8, "Llama-3.1-70B", "no compile", 6, 1.22, Published95{1.218, 1.225}},
    {kHeadline, kDense, kFineTuning, 8, "Llama-3.1-70B", "compile", 6, 1.27, Published95{1.264, 1.269}},
    {kHeadline, kDense, kFineTuning, 16, "Qwen3-32B", "", 4, 1.52, Published95{1.519, 1.527}},
    {kHeadline, kDense, kPretraining, 8, "Llama-3.1-70B", "compile", 6, 1.17, Published95{1.171, 1.177}},
    {kHeadline, kDense, kPretraining, 32, "Qwen3-32B", "seq4096/bs8", 4, 1.23, Published95{1.226, 1.230}},
    {kHeadline, kDense, kPretraining, 32, "Qwen3-32B", "seq4096/bs4", 4, 1.25, Published95{1.248, 1.251}},
    {kHeadline, kDense, kPretraining, 8, "Llama-3.1-70B", "no compile", 6, 1.26, Published95{1.254, 1.260}},
    {kHeadline, kDense, kPretraining, 32, "Qwen3-32B", "seq8192/bs8", 4, 1.27, Published95{1.265, 1.270}},
    {kHeadline, kDense, kPretraining, 8, "Qwen3-32B", "no compile", 6, 1.30, Published95{1.295, 1.301}},
    {kHeadline, kDense, kPretraining, 32, "Qwen3-32B", "seq8192/bs4", 4, 1.30, Published95{1.300, 1.305}},
    {kHeadline, kDense, kPretraining, 16, "Llama-3.1-70B", "", 4, 1.34, Published95{1.335, 1.342}},
    {kHeadline, kDense, kPretraining, 16, "Qwen3-32B", "", 4, 1.47, Published95{1.470, 1.478}},
    {kHeadline, kDense, kPretraining, 8, "Qwen3-32B", "compile", 6, 1.51, Published95{1.494, 1.518}},
    {kHeadline, kMoe, kFineTuning, 8, "gpt-oss-20b", "seq2048/bs8", 6, 1.79, Published95{1.750, 1.833}},
    {kHeadline, kMoe, kFineTuning, 8, "Qwen3-30B-A3B", "", 6, 2.00, Published95{1.976, 2.028}},
    {kHeadline, kMoe, kFineTuning, 16, "Qwen3-30B-A3B", "", 4, 2.20, Published95{2.146, 2.244}},
    {kHeadline, kMoe, kFineTuning, 8, "gpt-oss-20b", "seq4096/bs8", 6, 2.67, Published95{2.615, 2.729}},
    {kHeadline, kMoe, kPretraining, 8, "gpt-oss-20b", "EP1/no compile", 6, 1.24, Published95{1.209, 1.268}},
    {kHeadline, kMoe, kPretraining, 8, "gpt-oss-20b", "EP1/compile", 6, 1.35, Published95{1.335, 1.358}},
    {kHeadline, kMoe, kPretraining, 8, "Qwen3-30B-A3B", "EP1", 6, 1.36, Published95{1.349, 1.370}},
    {kHeadline, kMoe, kPretraining, 8, "gpt-oss-20b", "EP8/compile", 6, 1.43, Published95{1.407, 1.454}},
    {kHeadline, kMoe, kPretraining, 8, "gpt-oss-20b", "EP4/compile", 6, 1.45, Published95{1.435, 1.476}},
    {kHeadline, kMoe, kPretraining, 8, "Qwen3-30B-A3B", "EP8", 6, 1.52, Published95{1.456, 1.597}},
    {kHeadline, kMoe, kPretraining, 8, "gpt-oss-20b", "EP8/no compile", 6, 1.57, Published95{1.557, 1.576}},
    {kHeldOut, kDense, kFineTuning, 8, "Mistral-Small-24B-Base-2501", "", 6, 1.31, std::nullopt},
    {kHeldOut, kDense, kPretraining, 8, "Mistral-Small-24B-Base-2501", "", 6, 1.18, std::nullopt},
    {kHeldOut, kMoe, kFineTuning, 8, "gemma-4-26B-A4B", "", 6, 2.13, std::nullopt},
    {kHeldOut, kMoe, kPretraining, 8, "DeepSeek-V2-Lite", "", 6, 1.67, std::nullopt},
});

constexpr std::array kBoardPairs = std::to_array<PublishedBoardPair>({
    {kDense, kPretraining, "Mistral-Small-24B-Base-2501", "", 1.18, 1.26},
    {kDense, kFineTuning, "Llama-3.1-70B", "no compile", 1.22, 1.19},
    {kDense, kFineTuning, "Mistral-Small-24B-Base-2501", "", 1.31, 1.33},
    {kMoe, kPretraining, "gpt-oss-20b", "EP8/compile", 1.43, 1.38},
    {kMoe, kPretraining, "DeepSeek-V2-Lite", "", 1.67, 1.51},
    {kMoe, kFineTuning, "Qwen3-30B-A3B", "", 2.00, 1.93},
});

constexpr std::array kGridPairs = std::to_array<PublishedGridPair>({
    {kDense, kFineTuning, "Llama-3.1-70B", "no compile", 1.22, 1.37},
    {kDense, kFineTuning, "Llama-3.1-70B", "compile", 1.27, 1.44},
    {kDense, kPretraining, "Llama-3.1-70B", "compile", 1.17, 1.33},
    {kDense, kPretraining, "Llama-3.1-70B", "no compile", 1.26, 1.43},
    {kDense, kPretraining, "Qwen3-32B", "no compile", 1.30, 1.42},
    {kDense, kPretraining, "Qwen3-32B", "compile", 1.51, 1.67},
    {kMoe, kFineTuning, "gpt-oss-20b", "seq2048/bs8", 1.79, 1.98},
    {kMoe, kFineTuning, "Qwen3-30B-A3B", "", 2.00, 2.22},
    {kMoe, kFineTuning, "gpt-oss-20b", "seq4096/bs8", 2.67, 3.32},
    {kMoe, kPretraining, "gpt-oss-20b", "EP1/no compile", 1.24, 1.16},
    {kMoe, kPretraining, "gpt-oss-20b", "EP1/compile", 1.35, 1.40},
    {kMoe, kPretraining, "Qwen3-30B-A3B", "EP1", 1.36, 1.40},
    {kMoe, kPretraining, "gpt-oss-20b", "EP8/compile", 1.43, 1.57},
    {kMoe, kPretraining, "gpt-oss-20b", "EP4/compile", 1.45, 1.65},
    {kMoe, kPretraining, "Qwen3-30B-A3B", "EP8", 1.52, 1.67},
    {kMoe, kPretraining, "gpt-oss-20b", "EP8/no compile", 1.57, 1.66},
});

constexpr std::array kPredictors = std::to_array<PublishedPredictor>({
    {"dram_copy_product", 1, 0.675, {0.524, 0.241, 0.489}, {0.246, 0.303, 0.515}},
    {"arithmetic_intensity", 1, 0.381, {0.238, 0.305, 0.482}, {-1.652, 0.569, 0.311}},
    {"dram_copy_product+arithmetic_intensity", 2, 0.676, {0.462, 0.256, 0.435}, {-0.588, 0.440, 0.357}},
    {"job_metadata", 3, 0.519, {0.310, 0.290, 0.377}, {-4.106, 0.789, 0.188}},
    {"dram_copy_product+job_metadata", 4, 0.687, {0.350, 0.282, 0.386}, {-2.391, 0.643, 0.208}},
    {"all_telemetry", 13, 0.885, {-0.187, 0.381, 0.323}, {-18.483, 1.542, 0.077}},
    {"all_telemetry+job_metadata", 16, 0.942, {-0.010, 0.351, 0.412}, {-104, 3.572, -0.508}},
});

constexpr std::array kRankSensitivity = std::to_array<PublishedRank>({
    {PublishedRank::Kind::leverage_dropped, "0", 25, 0.535},
    {PublishedRank::Kind::leverage_dropped, "1", 24, 0.477},
    {PublishedRank::Kind::leverage_dropped, "2", 23, 0.406},
    {PublishedRank::Kind::leverage_dropped, "3", 22, 0.321},
    {PublishedRank::Kind::leverage_dropped, "4", 21, 0.438},
    {PublishedRank::Kind::leverage_dropped, "5", 20, 0.463},
    {PublishedRank::Kind::subgroup, "dense", 14, -0.178},
    {PublishedRank::Kind::subgroup, "moe", 11, 0.509},
    {PublishedRank::Kind::subgroup, "all but moe fine-tuning", 21, 0.347},
    {PublishedRank::Kind::subgroup, "all", 25, 0.535},
});

constexpr std::array kDunnTests = std::to_array<PublishedDunn>({
    {"dense", "MoE FT", -3.44, 0.0006, 0.0017},
    {"MoE PT", "MoE FT", -1.90, 0.0568, 0.1137},
    {"dense", "MoE PT", -1.64, 0.1020, 0.1137},
});

constexpr std::array kMedians = std::to_array<PublishedMedian>({
    {"dense", 1.27},
    {"MoE PT", 1.43},
    {"MoE FT", 2.10},
});

constexpr std::array kAcmeMix = std::to_array<AcmeShare>({
    {"Seren", "evaluation", 64.9, 6.2},
    {"Seren", "pretraining", 0.9, 69.5},
    {"Seren", "fine-tuning", 14.9, 6.4},
    {"Seren", "multimodal", 2.9, 8.6},
    {"Seren", "debug", 1.9, 1.7},
    {"Seren", "other", 14.6, 7.6},
    {"Kalos", "evaluation", 92.8, 0.4},
    {"Kalos", "pretraining", 3.2, 95.5},
    {"Kalos", "debug", 2.7, 1.6},
    {"Kalos", "other", 1.3, 2.5},
});

}  // namespace

std::span<const PublishedGroup> published_h200_groups() {
  return kH200Groups;
}
std::span<const PublishedBoardPair> published_board_pairs() {
  return kBoardPairs;
}
std::span<const PublishedGridPair> published_grid_pairs() {
  return kGridPairs;
}
std::span<const PublishedPredictor> published_predictors() {
  return kPredictors;
}
std::span<const PublishedRank> published_rank_sensitivity() {
  return kRankSensitivity;
}
std::span<const PublishedDunn> published_dunn_tests() {
  return kDunnTests;
}
std::span<const PublishedMedian> published_medians() {
  return kMedians;
}
std::span<const AcmeShare> acme_mix() {
  return kAcmeMix;
}

}  // namespace wattflex::study
