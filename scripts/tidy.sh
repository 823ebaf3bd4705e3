#!/bin/bash
# clang-tidy 19 over the given files, those changed since a commit, or all of them; WATTFLEX_TIDY_JOBS at a time.
# Usage: scripts/tidy.sh [--changed REF | FILE...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Clang's own compile commands, and the precompiled headers that those of the tests name.
[ -f build/asan-ubsan/compile_commands.json ] || cmake --preset asan-ubsan >/dev/null
scripts/build.sh asan-ubsan wattflex_test_headers >/dev/null
if [ "${1:-}" = --changed ]; then
  # A misspelt commit must not pass as one since which nothing changed.
  ref=$(git rev-parse --verify "${2:?a commit, as in --changed main}^{commit}")
  mapfile -t files < <({ git diff --name-only --diff-filter=d "$ref" -- '*.cpp'; git ls-files -o --exclude-standard '*.cpp'; })
elif [ $# -gt 0 ]; then
  files=("$@")
else
  mapfile -t files < <(find . \( -name build -o -name .git -o -name install \) -prune -o -name '*.cpp' -print | sort)
fi
[ ${#files[@]} -gt 0 ] || exit 0
printf '%s\n' "${files[@]}" | xargs -P "${WATTFLEX_TIDY_JOBS:-$(nproc)}" -n 4 clang-tidy-19 -p build/asan-ubsan --quiet
