# SPDX-License-Identifier: Apache-2.0
# Sourced by the other scripts: installs what is missing, configures, builds. Says what it does; fails with one clear line.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '\033[1m==>\033[0m %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

packages=(
  g++ clang-19 cmake ninja-build pkg-config ccache python3
  antlr4 default-jre-headless libantlr4-runtime-dev uuid-dev
  llvm-19-dev libzstd-dev libffi-dev libeigen3-dev libsuitesparse-dev
  coinor-libipopt-dev coinor-libbonmin-dev libopenblas0-serial libsundials-dev
  libsbml5-dev libyaml-cpp-dev
  libcli11-dev nlohmann-json3-dev zlib1g-dev
  libcpp-httplib-dev libsqlite3-dev libpq-dev libargon2-dev
  libgtest-dev libgmock-dev
  bubblewrap
)

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else fail "installing packages needs root: run as root, install sudo, or install by hand: ${missing[*]}"
  fi
}

# install_packages [extra ...]: only what is missing; nothing is asked of apt when all is there.
install_packages() {
  command -v dpkg-query >/dev/null || fail "this script knows Debian 12 only (dpkg-query was not found)"
  missing=()
  local p
  for p in "${packages[@]}" "$@"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing with apt: ${missing[*]}"
  local log; log=$(mktemp)
  { as_root apt-get update -q && as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -o Dpkg::Options::=--force-unsafe-io install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 ||
    { tail -n 15 "$log" >&2; fail "apt could not install: ${missing[*]} (whole log: $log)"; }
  rm -f "$log"
}

# build <preset> [target ...]
build() {
  local preset=$1; shift
  local log; log=$(mktemp)
  if command -v ccache >/dev/null; then  # another clone of the same text compiles nothing again
    export BOLZA_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1  # precompiled headers are known by their text
  fi
  say "configuring ($preset)"
  cmake --preset "$preset" >"$log" 2>&1 || { tail -n 25 "$log" >&2; fail "cmake could not configure (whole log: $log)"; }
  say "building ($preset)"
  if [ -t 1 ]; then cmake --build --preset "$preset" -- "$@" || fail "the build failed"
  else cmake --build --preset "$preset" -- "$@" >"$log" 2>&1 || { grep -E 'error|FAILED' -A5 "$log" | head -n 60 >&2; fail "the build failed (whole log: $log)"; }
  fi
  rm -f "$log"
}
