#!/bin/bash
# The generated manual pages are clean roff and the generated completion completes.
# Usage: generated.sh FOLDER-OF-GENERATED-FILES
set -euo pipefail
readonly generated=$1

fail() {
  echo "$1" >&2
  exit 1
}

if command -v man >/dev/null; then
  for page in "$generated"/man/*.1; do
    warnings=$(LC_ALL=C.UTF-8 MANWIDTH=90 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "$page: $warnings"
  done
  LC_ALL=C.UTF-8 MANWIDTH=90 man -l "$generated/man/wattflex-plan.1" | grep -- '--cut CUT' >/dev/null ||
    fail "wattflex-plan.1 does not show --cut CUT"
fi

# What bash would offer after the given words, the last of which is being typed.
offered() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _wattflex
  echo "${COMPREPLY[*]}"
}
compopt() { :; }  # only works while bash completes
source "$generated/completion/wattflex.bash"
[ "$(offered wattflex pl)" = plan ] || fail "verbs are not completed"
[ "$(offered wattflex plan --cu)" = --cut ] || fail "options are not completed"
[ "$(offered wattflex plan --floor t)" = tier ] || fail "choices are not completed"
[ "$(offered wattflex plan swee)" = "" ] || fail "file names are not left to bash"

if command -v zsh >/dev/null; then zsh -n "$generated/completion/_wattflex"; fi
if command -v fish >/dev/null; then fish -n "$generated/completion/wattflex.fish"; fi
