#!/bin/bash
# Makes sure that the packages of a stage (run, test or check; see packages.txt) are installed, and says which
# it installs. Touches nothing when all are there. Usage: scripts/setup.sh STAGE
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly list=scripts/packages.txt
readonly log=build/setup.log

# A stage contains the stages before it.
wanted() {
  case $1 in
    run) awk '$1 == "run" {print $2}' "$list" ;;
    test) awk '$1 ~ /^(run|test)$/ {print $2}' "$list" ;;
    check) awk '$1 ~ /^(run|test|check)$/ {print $2}' "$list" ;;
    *) echo "setup.sh: no stage '$1'; use run, test or check" >&2 && exit 2 ;;
  esac
}

missing() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | awk '$1 == "installed" {print $2}') || true
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -qq -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1
}

give_up() {
  echo "wattflex: $1" >&2
  exit 1
}

if ! command -v apt-get dpkg-query >/dev/null; then
  echo "wattflex: no apt-get here; building with what is there (scripts/packages.txt lists what is needed)" >&2
  exit 0
fi
mapfile -t packages < <(wanted "${1:-run}")
[ ${#packages[@]} -gt 0 ] || exit 2
mapfile -t absent < <(missing "${packages[@]}")
[ ${#absent[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
  give_up "these packages are missing and neither root nor sudo is at hand; as root, run
  apt-get install --no-install-recommends ${absent[*]}"
fi
echo "wattflex: installing ${#absent[@]} packages (reasons in scripts/packages.txt):"
printf '%s\n' "${absent[*]}" | fold -s -w 96 | sed 's/^/  /'
mkdir -p build
: >"$log"
# A fresh machine has no package lists yet, and an idle one may have stale ones.
apt install --no-install-recommends "${absent[@]}" ||
  { apt update && apt install --no-install-recommends "${absent[@]}"; } ||
  { tail -n 20 "$log" >&2; give_up "apt-get failed; the whole log is in $log"; }
