#!/bin/bash
# Draws the README's picture anew, docs/images/phoenix-cut.svg. Usage: scripts/readme_picture.sh WATTFLEX
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" report examples/phoenix/sweep.csv --fleet examples/phoenix/fleet.csv --cut 25% --quiet \
  -o "$folder/report.html" --figures "$folder" >/dev/null
mkdir -p docs/images
cp "$folder/cost-of-cuts.svg" docs/images/phoenix-cut.svg
