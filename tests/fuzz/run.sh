#!/bin/bash
# Fuzzes every parser for a while; stops at the first finding. Usage: tests/fuzz/run.sh [SECONDS_EACH] (20)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-20}

scripts/build.sh fuzz fuzz_sweep_table fuzz_fleet_file fuzz_predictor_file fuzz_parse

corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
mkdir -p "$corpus"/{fuzz_sweep_table,fuzz_fleet_file,fuzz_predictor_file,fuzz_parse} build/fuzz/findings
cp examples/phoenix/sweep.csv "$corpus/fuzz_sweep_table"
cp examples/phoenix/fleet.csv "$corpus/fuzz_fleet_file"
printf 'group;gpus;cap_w;power_w;throughput;dram_active;aborted\r\na;8;700;5200,5;9,5;0,5;0\r\na;8;500;3900;9;nan;1' \
  >"$corpus/fuzz_sweep_table/semicolons.csv"
printf 'group,gpus,cap_w,power_w,throughput\na,1,700,5,9\nb,1,700,5,9\na,1,500,4,8\n"b",1,500,4,8\n' \
  >"$corpus/fuzz_sweep_table/split_groups.csv"
cp tests/fuzz/predictor.json "$corpus/fuzz_predictor_file"
for text in 450W 2.5MW 25% 15m 0%:40%:2% 1e3 'Flex 2'; do
  printf %s "$text" >"$corpus/fuzz_parse/${text//[^0-9A-Za-z]/_}"
done

for target in fuzz_sweep_table fuzz_fleet_file fuzz_predictor_file fuzz_parse; do
  echo "== $target, $seconds s"
  build/fuzz/tests/fuzz/$target "$corpus/$target" -dict=tests/fuzz/csv.dict -max_total_time="$seconds" -max_len=4096 \
    -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 -artifact_prefix=build/fuzz/findings/ 2>&1 | grep -vE '^#|NEW_FUNC' | tail -12
done
