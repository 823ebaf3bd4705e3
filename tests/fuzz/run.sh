#!/bin/bash
# Fuzzes every parser for a while; stops at the first finding. Usage: tests/fuzz/run.sh [SECONDS_EACH] (20)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-20}

readonly targets=(fuzz_sweep_table fuzz_fleet_file fuzz_predictor_file fuzz_parse fuzz_training_log)
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

# A seed a framework; the first byte chooses none, so that it is detected.
i=0
while IFS= read -r line; do
  printf '\020%s\n%s\n' "$line" "${line//7/8}" >"$corpus/fuzz_training_log/$((++i))"
done <<'LINES'
 iteration      7/    10 | consumed samples: 7 | elapsed time per iteration (ms): 700.0 | global batch size:  8 | lm loss: NAN |
[rank0]:[titan] 2026-01-01 10:00:07,000 - root - INFO - step:  7  loss:  8.1  memory: 30.5GiB(38.5%)  tps: 1,234  tflops: 1.0
Training epoch 0, iteration 7/9 | global_batch_size: 8 | global_step: 7 | train_step_timing in s: 2.5 | consumed_samples: 16
completed step: 7, seconds: 1.353, TFLOP/s/device: 1.0, Tokens/s/device: 2.0, total_weights: 1572864, loss: 10.874
Epoch 1 | iter 7 step 7 | loss train: 1.646, val: n/a | iter time: 820.31 ms (step)
1|7|Loss: 0.91:   1%|          | 7/25 [02:07<6:14,  1.15it/s]
step:7/9 train_time:156770ms step_avg:95.23ms
[2026-01-01 10:00:07,000] [INFO] [timer.py:260:stop] epoch=0/micro_step=7/global_step=7, CurrSamplesPerSec=8.0, MemAllocated=6GB
 44%|####    | 7/16 [06:57<08:58, 59.78s/it]
[rank1] step 7 tok/s 1000 tokens_seen 70000
LINES

fuzz() {
  local log dictionary=csv
  [ "$1" != fuzz_training_log ] || dictionary=log
  log=$("build/asan-ubsan/tests/fuzz/$1" "$corpus/$1" -dict="tests/fuzz/$dictionary.dict" -max_total_time="$seconds" -max_len=4096 \
    -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 -artifact_prefix=build/asan-ubsan/findings/ 2>&1) ||
    { printf '== %s\n%s\n' "$1" "$(grep -vE '^#|NEW_FUNC' <<<"$log")"; return 255; }
  # 255 stops xargs at the first finding; a good run is worth its statistics.
  printf '== %s, %s s\n%s\n' "$1" "$seconds" "$(grep '^stat::' <<<"$log")"
}
export -f fuzz
export corpus seconds
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz "$1"' fuzz {}
