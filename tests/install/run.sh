#!/bin/bash
# Installs a build into an empty folder, builds the outside project against it and runs it.
# Usage: run.sh SOURCE-FOLDER BUILD-FOLDER CXX
set -euo pipefail
readonly source=$1 build=$2 compiler=$3
readonly work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/installed" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
cmake -G Ninja -S "$source/tests/install" -B "$work/outside" -DCMAKE_PREFIX_PATH="$work/installed" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$work/outside"
"$work/outside/outside"
"$work/installed/bin/wattflex" --version
