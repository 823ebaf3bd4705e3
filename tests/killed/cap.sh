#!/bin/bash
# Kills `wattflex cap` (kill -9) at many instants of its life, on the twin, and restores: every GPU must have the limit it
# had before, whatever the instant. Usage: cap.sh PROGRAM FOLDER [ROUNDS]
set -euo pipefail
readonly program=$1 folder=$2/killed-cap rounds=${3:-60}
rm -rf "$folder"
mkdir -p "$folder"
export WATTFLEX_TWIN_STATE=$folder/state
export WATTFLEX_JOURNAL=$folder/caps.json
"$program" twin start --gpus 8 --quiet >/dev/null
trap '"$program" twin stop >/dev/null' EXIT
eval "$("$program" twin env)"

limits() { "$program" twin status -o csv | tail -n +2 | cut -d, -f2 | paste -sd' '; }

# What was there before: a house limit on some, the default on the others. Set by another program.
python3 - "$WATTFLEX_NVML" <<'PYTHON'
import ctypes, sys
nvml = ctypes.CDLL(sys.argv[1])
assert nvml.nvmlInit_v2() == 0
for index, milliwatts in ((1, 480000), (6, 655500)):
    gpu = ctypes.c_void_p()
    assert nvml.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(gpu)) == 0
    assert nvml.nvmlDeviceSetPowerManagementLimit(gpu, milliwatts) == 0
PYTHON
readonly before=$(limits)
[ "$before" = "700 480 700 700 700 700 655.5 700" ] || { echo "limits before: $before"; exit 1; }

capped=0
for ((round = 0; round < rounds; ++round)); do
  "$program" cap 400W --gpus all >/dev/null 2>&1 &
  cap=$!
  # From its very beginning to well after its end.
  sleep "$(printf '0.%03d' $((round * 200 / rounds)))"
  kill -9 "$cap" 2>/dev/null || true
  wait "$cap" 2>/dev/null || true
  [ "$(limits)" = "$before" ] || capped=$((capped + 1))
  "$program" restore --all --quiet >/dev/null
  after=$(limits)
  [ "$after" = "$before" ] || { echo "round $round left $after"; exit 1; }
done
# Some must have come far enough for this to mean anything.
[ "$capped" -gt 0 ] && [ "$capped" -le "$rounds" ] || { echo "no round got as far as a cap"; exit 1; }
echo "$rounds rounds, $capped of them with caps left behind, all put back"
