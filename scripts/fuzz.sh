#!/bin/bash
# Feeds every fuzz target of tests/fuzz random input under the sanitizers. Usage: scripts/fuzz.sh [SECONDS-EACH]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly seconds=${1:-20}
[ -f tests/fuzz/CMakeLists.txt ] || exit 0
scripts/build.sh fuzz tests/fuzz/all
readonly found=out/fuzz
mkdir -p "$found"
for target in build/fuzz/tests/fuzz/*_fuzz; do
  name=$(basename "$target")
  corpus=$(mktemp -d)
  # The seeds of the repository stay as they are; what the fuzzer grows is thrown away.
  seeds=(); [ ! -d "tests/fuzz/corpus/$name" ] || seeds=("tests/fuzz/corpus/$name")
  echo "$name: $seconds s"
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=0 \
    -artifact_prefix="$found/" "$corpus" "${seeds[@]}"
  rm -rf "$corpus"
done
