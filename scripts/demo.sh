#!/bin/bash
# The main job on the public Phoenix sweep: what each job loses per watt, what each policy makes of a 25 % cut,
# and the report. Usage: scripts/demo.sh WATTFLEX
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly wattflex=$1
readonly sweep=examples/phoenix/sweep.csv fleet=examples/phoenix/fleet.csv

show() {
  printf '\n$ wattflex %s\n' "$*"
  "$wattflex" "$@"
}

mkdir -p out
show pfi $sweep
show plan $sweep --fleet $fleet --cut 25% --policy equal,pfi,pfi-scaled,oracle
show report $sweep --fleet $fleet --cut 25% --title "The Phoenix field demonstration" -o out/report.html
