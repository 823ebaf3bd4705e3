#!/bin/bash
# Configures (when needed) and builds a preset, quietly unless something is wrong.
# Usage: scripts/build.sh PRESET [TARGET...]; CMAKE_BUILD_PARALLEL_LEVEL limits the parallel compilers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly preset=$1
shift
# A compiler may take 1.5 GB: more of them than the memory holds would be slower, not faster.
readonly memory_kb=$(awk '$1 == "MemAvailable:" {print $2}' /proc/meminfo)
readonly by_memory=$((memory_kb / 1500000 > 0 ? memory_kb / 1500000 : 1))
readonly cores=$(nproc)
readonly jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$((cores < by_memory ? cores : by_memory))}

targets=()
[ $# -eq 0 ] || targets=(--target "$@")

if [ ! -f "build/$preset/build.ninja" ]; then
  echo "wattflex: configuring ($preset)"
  mkdir -p build
  cmake --preset "$preset" >"build/configure-$preset.log" 2>&1 ||
    { cat "build/configure-$preset.log" >&2; exit 1; }
fi
echo "wattflex: building ($preset, $jobs jobs)"
# Ninja's own counter on a terminal; a log file gets the last line only.
if [ -t 1 ]; then
  cmake --build --preset "$preset" -j "$jobs" "${targets[@]}"
else
  log=build/build-$preset.log
  cmake --build --preset "$preset" -j "$jobs" "${targets[@]}" >"$log" 2>&1 || { grep -v '^\[' "$log" >&2; exit 1; }
fi
