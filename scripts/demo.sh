#!/bin/bash
# The main job on the public Phoenix sweep: what each job loses per watt, what each policy makes of a 25 % cut,
# and the report. Usage: scripts/demo.sh WATTFLEX
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly wattflex=$1
readonly sweep=examples/phoenix/sweep.csv fleet=examples/phoenix/fleet.csv

# Prints a command as one would type it, then runs it.
show() {
  local word line=''
  for word in "$@"; do
    case $word in *' '*) line+=" \"$word\"" ;; *) line+=" $word" ;; esac
  done
  printf '\n$ wattflex%s\n' "$line"
  "$wattflex" "$@"
}

mkdir -p out
show pfi $sweep
show plan $sweep --fleet $fleet --cut 25% --policy equal,pfi,pfi-scaled,oracle
show report $sweep --fleet $fleet --cut 25% --title "The Phoenix field demonstration" -o out/report.html
