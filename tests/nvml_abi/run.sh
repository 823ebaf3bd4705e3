#!/bin/bash
# Fetches NVIDIA's nvml.h (PyPI, pinned in headers.txt) into the build folder and compares src/device/nvml with each.
# Usage: run.sh SOURCE-FOLDER BUILD-FOLDER CXX. Ends with 77, and a line that says why, where the headers can't be had.
set -euo pipefail
readonly source=$1 build=$2 compiler=$3
readonly here=$source/tests/nvml_abi kept=$build/nvml-headers
mkdir -p "$kept"

if ! cmp -s "$here/headers.txt" "$kept/headers.txt"; then
  rm -rf "${kept:?}"/*
  # On any machine the same files: only their text is of use here.
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    --platform manylinux2014_x86_64 -d "$kept" -r "$here/headers.txt" 2>"$kept/pip.log" || {
    echo "skipped: the packages of tests/nvml_abi/headers.txt can't be downloaded: $(tail -1 "$kept/pip.log")"
    exit 77
  }
  for wheel in "$kept"/*.whl; do
    python3 -m zipfile -e "$wheel" "${wheel%.whl}"
  done
  cp "$here/headers.txt" "$kept/headers.txt"
fi

compared=0
while read -r header; do
  name=${header#"$kept"/}; name=${name%%-py3*}
  "$compiler" -std=c++23 -Wno-deprecated-declarations -I"$(dirname "$header")" -I"$source/src" "$here/compare.cpp" -o "$kept/compare"
  echo -n "$name: "
  "$kept/compare"
  compared=$((compared + 1))
done < <(find "$kept" -name nvml.h | sort)
[ "$compared" = "$(grep -c '^nvidia' "$here/headers.txt")" ] || { echo "$compared headers found"; exit 1; }
