#!/bin/bash
# Runs the tests of a built preset; ctest's summary ("100% tests passed, 0 tests failed out of N") is the last
# line. Usage: scripts/ctest.sh PRESET [CTEST-OPTION...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly preset=$1
shift
# ctest prints the timing and what was skipped after its summary; the summary is what the reader looks for.
ctest --preset "$preset" -j "$(nproc)" --no-tests=error "$@" 2>&1 | sed -u '/% tests passed,/{h;d};${/^$/d;G}'
