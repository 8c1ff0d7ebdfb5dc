#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BOLZA SOURCE_DIR: compiles van_der_pol.mop to an object, links a C program against it, runs that.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
"$1" compile "$2/examples/van_der_pol.mop" -o "$folder/vdp"
cp "$2/runtime/abi/bolza.h" "$folder/"
cc -O1 -Wall -Wextra -I"$folder" "$2/tests/abi/client.c" "$folder/vdp.o" -o "$folder/client" -lmvec -lm
"$folder/client"
