// How fast training logs are read, in bytes a second on one core: logs that are all step lines, of the
// longest and the shortest kind, and one where steps stand among what the other ranks print. The logs are
// generated; `logs_bench --write KIND FILE MEGABYTES` writes one, for logs_beside_python.py and the test of
// large logs.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "ingest/logs/log_reader.h"

namespace {

using namespace wattflex;

constexpr std::size_t kLogBytes = std::size_t{32} << 20;

using Line = std::string (*)(int number);

template <class... Values>
std::string line(const char* format, Values... values) {
  char text[512];
  const int size = std::snprintf(text, sizeof text, format, values...);
  return {text, static_cast<std::size_t>(size)};
}

std::string megatron_line(int number) {
  return line(
      " [2026-01-01 %02d:%02d:%02d] iteration %8d/ 5000000 | consumed samples: %12lld | elapsed time per "
      "iteration (ms): "
      "%.1f | throughput per GPU (TFLOP/s/GPU): 401.2 | learning rate: 1.500000E-04 | global batch size:  "
      "1024 | lm loss: "
      "2.%06dE+00 | loss scale: 1.0 | grad norm: 0.512 | number of skipped iterations:   0 | number of nan "
      "iterations:   0 |\n",
      number / 3600 % 24, number / 60 % 60, number % 60, number, 1024LL * number, 8000.0 + number % 97,
      number % 1000000);
}

std::string torchtitan_line(int number) {
  return line(
      "[rank0]:[titan] 2026-01-01 %02d:%02d:%02d,000 - root - INFO - \x1b[31mstep: %2d  \x1b[32mloss:  "
      "3.%04d  "
      "\x1b[38;2;180;60;0mgrad_norm:  1.0000  \x1b[36mmemory: 30.50GiB(38.52%%)  \x1b[34mtps: 4,%03d  "
      "\x1b[36mtflops: 45.67  "
      "\x1b[35mmfu: 4.62%%\x1b[39m\n",
      number / 3600 % 24, number / 60 % 60, number % 60, number, number % 10000, number % 1000);
}

std::string nanogpt_line(int number) {
  return line("iter %d: loss 3.%04d, time %.2fms, mfu 40.12%%\n", number, number % 10000,
              240 + 0.01 * (number % 97));
}

// One step line for twelve of other ranks, as in real multi-node logs.
std::string ranks_line(int number) {
  if (number % 13 == 0) return megatron_line(number / 13);
  return line(
      "[Rank %d] (after %d iterations) memory (MB) | allocated: 15492.84619140625 | max allocated: 15492.84 "
      "| reserved: "
      "20344.0 | max reserved: 20344.0\n",
      number % 64, number / 13);
}

std::string bar_line(int number) {
  return line("\r%3d%%|###       | %d/9000000 [%d:%02d:%02d<99:59:59,  1.00s/it]", number / 90000, number,
              number / 3600, number / 60 % 60, number % 60);
}

const std::map<std::string_view, Line> kKinds = {{"megatron", megatron_line},
                                                 {"torchtitan", torchtitan_line},
                                                 {"nanogpt", nanogpt_line},
                                                 {"ranks", ranks_line},
                                                 {"bars", bar_line}};

std::string generated_log(Line next, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 512);
  for (int number = 1; text.size() < bytes; ++number) text += next(number);
  return text + "\n";
}

void read_log(benchmark::State& state, std::string_view kind) {
  const std::string text = generated_log(kKinds.at(kind), kLogBytes);
  constexpr std::size_t kBlock = std::size_t{256} << 10;
  for (auto _ : state) {
    auto reader = logs::LogReader::create({.meter = {.given = {.seq_len = 4096, .global_batch = 64}}});
    std::size_t steps = 0;
    reader->on_step([&](const logs::StepRecord&) { ++steps; });
    for (std::size_t at = 0; at < text.size(); at += kBlock)
      reader->feed(std::string_view(text).substr(at, kBlock));
    const logs::LogSummary summary = reader->finish();
    if (steps < 1000 || !summary.all.typical) state.SkipWithError("steps were not read");
    benchmark::DoNotOptimize(summary);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

BENCHMARK_CAPTURE(read_log, megatron, "megatron")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_log, torchtitan, "torchtitan")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_log, nanogpt, "nanogpt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_log, ranks, "ranks")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_log, bars, "bars")->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string_view(argv[1]) == "--write") {
    const std::size_t bytes = std::strtoull(argv[4], nullptr, 10) * 1'000'000;
    std::ofstream(argv[3], std::ios::binary) << generated_log(kKinds.at(argv[2]), bytes);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
