#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A chain of solvers as a shell script: a coarse mesh, a fine one from its result, then the reduced space from that.
# The same in one command: bolza solve van_der_pol.mop --control constant --chain "euler(mesh=25, tol=1e-4) -> radau(mesh=50) -> ipopt+cvodes(mesh=50)"
# chain.sh [BOLZA] [FOLDER]
set -euo pipefail
bolza=${1:-bolza}
folder=${2:-$(mktemp -d)}
model=$(dirname "${BASH_SOURCE[0]}")/van_der_pol.mop
"$bolza" solve "$model" --control constant --method euler --mesh 25 --tol 1e-4 --output "$folder/coarse.mat" ||
  test $? = 4  # solved with warnings: it is a guess, and its mesh is coarse
"$bolza" solve "$model" --control constant --method radau --mesh 50 --init-from "$folder/coarse.mat" --output "$folder/fine.mat"
"$bolza" solve "$model" --control constant --method ipopt+cvodes --mesh 50 --init-from "$folder/fine.mat" --output "$folder/reduced.mat"
