#!/usr/bin/env bash
# What a change must pass before it is sent, tests aside: format, includes between rooms, documentation pages that are written by the
# program, and (clang-tidy) common mistakes in the files that differ from main.
#   scripts/check.sh           format, rooms, page of diagnostics (when the release build is there), clang-tidy on changed files
#   scripts/check.sh --all     clang-tidy on every file
#   scripts/check.sh --quick   no clang-tidy
#   scripts/check.sh --fix     formats instead of complaining
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
tidy=changed fix=
for argument in "$@"; do
  case $argument in
    --all) tidy=all ;;
    --quick) tidy=none ;;
    --fix) fix=yes ;;
    *) fail "unknown argument '$argument': known are --all, --quick and --fix" ;;
  esac
done
packages=(git python3 clang-format-19 clang-tidy-19)
install_packages

sources() { git ls-files --cached --others --exclude-standard -- "$@"; }

say "checking the format"
mapfile -t formatted < <(sources '*.h' '*.cpp')
if [ -n "$fix" ]; then
  clang-format-19 -i "${formatted[@]}"
else
  wrong=$(printf '%s\0' "${formatted[@]}" | xargs -0 -n 40 -P "$(nproc)" clang-format-19 --dry-run -Werror 2>&1 |
    grep -oE '^[^:]+:[0-9]+:[0-9]+: error' | cut -d: -f1 | sort -u || true)
  [ -z "$wrong" ] || { printf '  %s\n' $wrong >&2; fail "files are not formatted; scripts/check.sh --fix does it"; }
fi

say "checking which room includes which"
python3 scripts/check_rooms.py || fail "an include breaks the table of rooms"

if [ -x build/release/bin/bolza ]; then
  say "checking docs/diagnostics.md"
  python3 scripts/update_docs.py build/release/bin/bolza --check || fail "scripts/update_docs.py build/release/bin/bolza rewrites it"
fi

if [ "$tidy" != none ]; then
  [ -f build/release/compile_commands.json ] || fail "clang-tidy needs the release build: scripts/test"
  if [ "$tidy" = all ]; then mapfile -t files < <(sources '*.cpp' ':!tests' ':!benchmarks')
  else
    base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
    mapfile -t files < <({ git diff --name-only --diff-filter=d "$base" -- '*.cpp' ':!tests' ':!benchmarks'
                           git ls-files --others --exclude-standard -- '*.cpp' ':!tests' ':!benchmarks'; } | sort -u)
  fi
  if [ ${#files[@]} -gt 0 ]; then
    say "clang-tidy on ${#files[@]} files"
    log=$(mktemp)
    printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 -p build/release --quiet --warnings-as-errors='*' >"$log" 2>/dev/null ||
      { grep -vE '^[0-9]+ warnings' "$log" >&2; fail "clang-tidy found something"; }
    rm -f "$log"
  fi
fi
say "all checks passed"
