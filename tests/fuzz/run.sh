#!/bin/bash
# Fuzzes every parser for a while; stops at the first finding. Usage: tests/fuzz/run.sh [SECONDS_EACH] (20)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-20}

readonly targets=(fuzz_sweep_table fuzz_fleet_file fuzz_predictor_file fuzz_parse)
scripts/build.sh asan-ubsan "${targets[@]}"

corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
mkdir -p "${targets[@]/#/$corpus/}" build/asan-ubsan/findings
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

fuzz() {
  local log
  log=$("build/asan-ubsan/tests/fuzz/$1" "$corpus/$1" -dict=tests/fuzz/csv.dict -max_total_time="$seconds" -max_len=4096 \
    -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 -artifact_prefix=build/asan-ubsan/findings/ 2>&1) ||
    { printf '== %s\n%s\n' "$1" "$(grep -vE '^#|NEW_FUNC' <<<"$log")"; return 255; }
  # 255 stops xargs at the first finding; a good run is worth its statistics.
  printf '== %s, %s s\n%s\n' "$1" "$seconds" "$(grep '^stat::' <<<"$log")"
}
export -f fuzz
export corpus seconds
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz "$1"' fuzz {}
