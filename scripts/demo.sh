#!/bin/bash
# The main job on the public Phoenix sweep. Usage: scripts/demo.sh WATTFLEX
set -euo pipefail
readonly wattflex=$1
readonly example=examples/phoenix

show() {
  printf '\n$ wattflex %s\n' "$*"
  "$wattflex" "$@"
}

mkdir -p out
show --help
