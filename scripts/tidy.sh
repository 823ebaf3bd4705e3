#!/bin/bash
# clang-tidy 19 over the given files, those changed since a commit, or all of them; WATTFLEX_TIDY_JOBS at a time.
# Usage: scripts/tidy.sh [--changed REF | FILE...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Clang's own compile commands, and none that name a precompiled header: nothing needs to be built first.
[ -f build/tidy/compile_commands.json ] ||
  cmake --preset asan-ubsan -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DWATTFLEX_BUILD_BENCHMARKS=ON -DWATTFLEX_SANITIZERS= >/dev/null
if [ "${1:-}" = --changed ]; then
  # A misspelt commit must not pass as one since which nothing changed.
  ref=$(git rev-parse --verify "${2:?a commit, as in --changed main}^{commit}")
  mapfile -t files < <({ git diff --name-only --diff-filter=d "$ref" -- '*.cpp'; git ls-files -o --exclude-standard '*.cpp'; })
elif [ $# -gt 0 ]; then
  files=("$@")
else
  mapfile -t files < <(git ls-files '*.cpp' ':!tests/install')  # those see an installed Wattflex only
fi
[ ${#files[@]} -gt 0 ] || exit 0

tidy_one() {
  # The analyzer would spend most of its time on every outcome of every EXPECT and of long lists of JSON values.
  local limit=(-Xclang -analyzer-config -Xclang max-nodes=20000)
  clang-tidy-19 -p build/tidy --quiet "${limit[@]/#/--extra-arg=}" "$1" 2>/dev/null || { echo "^ $1"; return 1; }
}
export -f tidy_one
printf '%s\n' "${files[@]}" | xargs -P "${WATTFLEX_TIDY_JOBS:-$(nproc)}" -I{} bash -c 'tidy_one "$1"' tidy_one {}
