// Time of the allocation study over every policy, 21 cuts and both mixes, 100 jobs a workload, on the table
// given as argument; reading not included. The numbers of workloads show that the cost is linear in them.
// `study_beside_numpy.py` runs this beside its numpy peer.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "ingest/sweep_table.h"
#include "study/allocation_study.h"

namespace {

void run_both_mixes(benchmark::State& state, const wattflex::SweepTable& table) {
  wattflex::study::StudyOptions options;
  options.workloads = static_cast<int>(state.range(0));
  for (int percent = 0; percent <= 40; percent += 2) options.cuts.push_back(percent / 100.0);
  for (auto _ : state) {
    for (const auto mix : {wattflex::study::Mix::random, wattflex::study::Mix::production}) {
      options.mix = mix;
      const auto study = wattflex::study::run_allocation_study(table, options);
      if (!study) return state.SkipWithError(study.error().message.c_str());
      benchmark::DoNotOptimize(study->rows.data());
    }
  }
  state.SetComplexityN(state.range(0));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const auto table = argc == 2 ? wattflex::read_sweep_table(argv[1])
                               : wattflex::fail(wattflex::ErrorKind::usage, "usage: study_bench TABLE", "");
  if (!table) {
    std::fprintf(stderr, "%s\n", table.error().message.c_str());
    return 1;
  }
  benchmark::RegisterBenchmark("study", run_both_mixes, *table)
      ->Arg(125)
      ->Arg(250)
      ->Arg(500)
      ->Arg(1000)
      ->Unit(benchmark::kMillisecond)
      ->Complexity(benchmark::oN);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
