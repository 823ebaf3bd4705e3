#!/bin/bash
# docs/reference is what the verb tables say. Repair with: scripts/check_docs.sh --fix
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly generated=build/release/apps/reference/generated/reference
scripts/build.sh release wattflex_generated_docs >/dev/null
if [ "${1:-}" = --fix ]; then
  rm -rf docs/reference
  cp -r "$generated" docs/reference
elif ! diff -ru docs/reference "$generated"; then
  echo "docs/reference differs from the verb tables; run scripts/check_docs.sh --fix" >&2
  exit 1
fi
