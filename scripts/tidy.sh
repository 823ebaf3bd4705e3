#!/bin/bash
# clang-tidy 19 over the given files, or all of them. Usage: scripts/tidy.sh [FILE...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Clang's own compile commands; configuring is enough, but generated headers must exist.
[ -f build/asan-ubsan/compile_commands.json ] || cmake --preset asan-ubsan >/dev/null
if [ $# -gt 0 ]; then
  files=("$@")
else
  mapfile -t files < <(find . \( -name build -o -name .git -o -name install \) -prune -o -name '*.cpp' -print | sort)
fi
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/asan-ubsan --quiet
