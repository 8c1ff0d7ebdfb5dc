#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a change must pass before it is sent, tests aside: format, includes between rooms, names of types, clocks in tests, tables of
# operators, statements joined by commas, licences, the list of changes, citations and links, the page of diagnostics (when the release build is there), and clang-tidy.
#   scripts/check.sh           format and clang-tidy of the files that differ from main
#   scripts/check.sh --all     of every file
#   scripts/check.sh --quick   no clang-tidy; may be combined with --all
#   scripts/check.sh --fix     formats, and writes the lines of licences, instead of complaining; may be combined with --all
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
all= tidy=yes fix=
for argument in "$@"; do
  case $argument in
    --all) all=yes ;;
    --quick) tidy= ;;
    --fix) fix=yes ;;
    *) fail "unknown argument '$argument': known are --all, --quick and --fix" ;;
  esac
done
packages=(git python3 clang-format-19 ${tidy:+clang-tidy-19})
install_packages
git rev-parse --git-dir >/dev/null 2>&1 || fail "this folder is not a git repository: which files to check is not known"

# files <pathspec ...>: tracked or new ones, those that differ from main unless --all.
files() {
  if [ -n "$all" ]; then git ls-files --cached --others --exclude-standard -- "$@"; return; fi
  local base; base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
  { git diff --name-only --diff-filter=d "$base" -- "$@"; git ls-files --others --exclude-standard -- "$@"; } | sort -u
}

mapfile -t sources < <(files '*.h' '*.cpp')
say "checking the format of ${#sources[@]} files"
if [ ${#sources[@]} -eq 0 ]; then :
elif [ -n "$fix" ]; then clang-format-19 -i "${sources[@]}"
else
  wrong=$(printf '%s\0' "${sources[@]}" | xargs -0 -n 40 -P "$(nproc)" clang-format-19 --dry-run -Werror 2>&1 |
    grep -oE '^[^:]+:[0-9]+:[0-9]+: error' | cut -d: -f1 | sort -u || true)
  [ -z "$wrong" ] || { printf '  %s\n' $wrong >&2; fail "files are not formatted; scripts/check.sh --fix does it"; }
fi

say "checking which room includes which"
python3 scripts/check_rooms.py || fail "an include breaks the table of rooms"
say "checking that tests do not look at the clock"
python3 scripts/check_tests.py || fail "a test looks at the clock"
say "checking the names of types"
python3 scripts/check_names.py || fail "a type name has two meanings"
say "checking the tables of operators"
python3 scripts/check_operators.py || fail "docs/extending.md and the switches over operators are out of step"
say "checking that statements stand by themselves"
python3 scripts/check_statements.py || fail "commas join statements, or calls pass a bare true or false"
say "checking that sources name their licence"
python3 scripts/check_licences.py ${fix:+--fix} || fail "a source does not name its licence"
say "checking the list of changes"
python3 scripts/check_changelog.py || fail "CHANGELOG.md is not what its check says"
say "checking citations"
python3 scripts/check_citations.py || fail "citations, references and documents are out of step"

if [ -x build/release/bin/bolza ]; then
  say "checking docs/diagnostics.md"
  python3 scripts/update_docs.py build/release/bin/bolza --check || fail "scripts/update_docs.py build/release/bin/bolza rewrites it"
fi

if [ -n "$tidy" ]; then
  [ -f build/release/compile_commands.json ] || fail "clang-tidy needs the release build: scripts/test"
  mapfile -t units < <(files '*.cpp' ':!tests' ':!benchmarks')
  say "clang-tidy on ${#units[@]} files"
  log=$(mktemp)
  [ ${#units[@]} -eq 0 ] || printf '%s\0' "${units[@]}" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 -p build/release --quiet --warnings-as-errors='*' >"$log" 2>/dev/null ||
    { grep -vE '^[0-9]+ warnings' "$log" >&2; fail "clang-tidy found something"; }
  rm -f "$log"
fi
say "all checks passed"
