// Time of every index with its intervals for all groups of the tables given as arguments, 10,000 resamples
// each, reading not included. `pfi_beside_numpy.py` runs this beside its numpy peer.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <vector>

#include "elasticity/flexibility.h"
#include "ingest/sweep_table.h"

namespace {

using wattflex::SweepGroup;

void measure_all(benchmark::State& state, const std::vector<SweepGroup>& groups, int resamples) {
  for (auto _ : state) {
    // A fresh meter each time: making the random draws is part of the work.
    wattflex::elasticity::FlexibilityMeter meter({.resamples = resamples});
    for (const SweepGroup& group : groups) benchmark::DoNotOptimize(meter.measure(group));
  }
  state.counters["groups"] = static_cast<double>(groups.size());
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<SweepGroup> groups;
  for (int i = 1; i < argc; ++i) {
    auto table = wattflex::read_sweep_table(argv[i]);
    if (!table) {
      std::fprintf(stderr, "%s\n", table.error().message.c_str());
      return 1;
    }
    for (SweepGroup& group : table->groups) groups.push_back(std::move(group));
  }
  for (const int resamples : {10'000, 0}) {
    benchmark::RegisterBenchmark(("pfi/" + std::to_string(resamples)).c_str(), measure_all, groups, resamples)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
