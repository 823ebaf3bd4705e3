#!/bin/bash
# Programs that read GPUs through NVIDIA's library, unmodified, on the twin. They come from PyPI, pinned in
# requirements.txt. Usage: run.sh PROGRAM BUILD-FOLDER. Ends with 77, and a line that says why, where they can't be had.
set -euo pipefail
readonly program=$1 build=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here kept=$build/clients

install() {
  python3 -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --target "$kept/packages" "$@" \
    >"$kept/pip.log" 2>&1 || {
    echo "skipped: the packages of tests/clients/$2 can't be had: $(tail -1 "$kept/pip.log")"
    exit 77
  }
}
if ! cmp -s <(cat "$here"/*.txt) "$kept/pins"; then
  rm -rf "$kept"
  mkdir -p "$kept"
  cd "$here"
  install -r requirements.txt --only-binary=:all:
  PIP_CONSTRAINT=$here/build.txt install -r source.txt
  cat "$here"/*.txt >"$kept/pins"
fi

export PYTHONPATH=$kept/packages WATTFLEX_TWIN_STATE=$kept/state
"$program" twin stop >/dev/null 2>&1 || true
"$program" twin start --gpus 4 --model h200 --quiet >/dev/null
trap '"$program" twin stop >/dev/null' EXIT
eval "$("$program" twin env)"

python3 "$here/use_pynvml.py" "$program"
echo "nvidia-ml-py: reads and caps the twin"

shown=$(python3 -m gpustat --no-color --show-power)
[ "$(grep -c 'NVIDIA H200' <<<"$shown")" = 4 ] || { echo "gpustat shows: $shown"; exit 1; }
# The limit that use_pynvml.py set.
grep -q '^\[1\].* / *400 W' <<<"$shown" || { echo "gpustat shows: $shown"; exit 1; }
echo "gpustat: shows the twin"

shown=$(COLUMNS=120 python3 -m nvitop --once)
[ "$(grep -c 'W / [47]00W' <<<"$shown")" = 4 ] || { echo "nvitop shows: $shown"; exit 1; }
echo "nvitop: shows the twin"
