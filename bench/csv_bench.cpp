// How fast sweep tables are read, in bytes of CSV a second on one core: whole into memory, checked without
// keeping it, and for comparison only cut into cells, by our splitter and by libcsv. The tables are
// generated; `csv_bench --write FILE MEGABYTES` writes one, for csv_beside_python.py.
#include <benchmark/benchmark.h>
#ifdef WATTFLEX_HAVE_LIBCSV
#include <csv.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "ingest/csv_cells.h"
#include "ingest/line_reader.h"
#include "ingest/sweep_check.h"
#include "ingest/sweep_table.h"
#include "ingest/text_source.h"

namespace {

using namespace wattflex;

constexpr std::size_t kTableBytes = std::size_t{32} << 20;

enum class Columns { plain, telemetry };

// Groups of seven caps with numbers of the length real tables have.
std::string generated_table(std::size_t bytes, Columns columns) {
  std::string text = "group,accelerator,task,gpus,cap_w,power_w,throughput,power_kind";
  if (columns == Columns::telemetry)
    text += ",dram_active,mem_copy_util,tensor_active,sm_active,sm_clock_mhz";
  text += '\n';
  char row[256];
  for (int group = 0; text.size() < bytes; ++group) {
    for (int cap = 700; cap >= 100; cap -= 100) {
      const double share = cap / 700.0 * (1 - 1e-4 * (group % 97));
      std::snprintf(row, sizeof row, "job-%d/llama-70b x8,H200,training,8,%d,%.12f,%.14f,mean", group, cap,
                    5400 * share, 10000 * share / (0.3 + share));
      text += row;
      if (columns == Columns::telemetry) {
        std::snprintf(row, sizeof row, ",%.4f,%.4f,%.4f,%.4f,%.1f", 0.4 * share, 0.5 * share, 0.6 * share,
                      0.9 * share, 1980 * share);
        text += row;
      }
      text += '\n';
    }
  }
  return text;
}

const std::string& table(Columns columns) {
  static const std::string kPlain = generated_table(kTableBytes, Columns::plain);
  static const std::string kTelemetry = generated_table(kTableBytes, Columns::telemetry);
  return columns == Columns::plain ? kPlain : kTelemetry;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

void read_whole(benchmark::State& state, Columns columns) {
  const std::string& text = table(columns);
  for (auto _ : state) {
    const auto read = parse_sweep_table(text, "table");
    if (!read) state.SkipWithError(read.error().message.c_str());
    benchmark::DoNotOptimize(read);
  }
  count_bytes(state, text.size());
}

void check(benchmark::State& state, Columns columns) {
  const std::string& text = table(columns);
  for (auto _ : state) {
    auto source = ingest::TextSource::of_text(text, "table");
    const auto checked = ingest::check_sweep_table(source);
    if (!checked || checked->findings.errors() > 0) state.SkipWithError("table refused");
    benchmark::DoNotOptimize(checked);
  }
  count_bytes(state, text.size());
}

void split_only(benchmark::State& state) {
  const std::string& text = table(Columns::plain);
  std::size_t cells = 0;
  for (auto _ : state) {
    auto source = ingest::TextSource::of_text(text, "table");
    ingest::LineReader lines(source);
    ingest::CellSplitter splitter(',');
    for (ingest::Line line; *lines.next(line);) {
      splitter.split(line.text);
      cells += splitter.cells().size();
    }
  }
  benchmark::DoNotOptimize(cells);
  count_bytes(state, text.size());
}

#ifdef WATTFLEX_HAVE_LIBCSV
void split_only_libcsv(benchmark::State& state) {
  const std::string& text = table(Columns::plain);
  std::size_t cells = 0;
  for (auto _ : state) {
    csv_parser parser;
    csv_init(&parser, CSV_APPEND_NULL);
    const auto count_cell = [](void*, std::size_t, void* count) { ++*static_cast<std::size_t*>(count); };
    const auto end_row = [](int, void*) {};
    csv_parse(&parser, text.data(), text.size(), count_cell, end_row, &cells);
    csv_fini(&parser, count_cell, end_row, &cells);
    csv_free(&parser);
  }
  benchmark::DoNotOptimize(cells);
  count_bytes(state, text.size());
}
BENCHMARK(split_only_libcsv)->Unit(benchmark::kMillisecond);
#endif

BENCHMARK_CAPTURE(read_whole, plain, Columns::plain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_whole, telemetry, Columns::telemetry)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check, plain, Columns::plain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check, telemetry, Columns::telemetry)->Unit(benchmark::kMillisecond);
BENCHMARK(split_only)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--write") {
    const std::size_t bytes = std::strtoull(argv[3], nullptr, 10) * 1'000'000;
    std::ofstream(argv[2]) << generated_table(bytes, Columns::plain);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
