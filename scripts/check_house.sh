#!/bin/bash
# The measurable house rules of CONTRIBUTING.md: files of at most 500 lines, main.cpp below 100, every source
# file opening with what it is for. Functions are clang-tidy's business (readability-function-size).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
find . \( -name build -o -name .git \) -prune -o \( -name '*.cpp' -o -name '*.h' \) -print | sort | xargs awk '
  FNR == 1 { files++; if (FILENAME ~ /\.h$/ && $0 !~ /^\/\//) complain("opens without saying what it is for") }
  { lines[FILENAME] = FNR }
  function complain(what) { print FILENAME ": " what; failed = 1 }
  END {
    for (file in lines) {
      all[++n] = lines[file]
      if (lines[file] > 500) { print file ": " lines[file] " lines; 500 is the limit"; failed = 1 }
      if (file ~ /main\.cpp$/ && lines[file] >= 100) { print file ": " lines[file] " lines; a main stays below 100"; failed = 1 }
    }
    for (i = 2; i <= n; i++) { v = all[i]; for (j = i - 1; j > 0 && all[j] > v; j--) all[j + 1] = all[j]; all[j + 1] = v }
    print n " files, median " all[int((n + 1) / 2)] " lines, longest " all[n]
    exit failed
  }'
