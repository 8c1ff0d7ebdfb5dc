#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C++ program of examples/cpp, built out of an installed tree and run: run.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1 source=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cmake --install "$build" --prefix "$tmp/installed" > "$tmp/log" || { cat "$tmp/log"; exit 1; }
cmake -S "$source/examples/cpp" -B "$tmp/build" -DCMAKE_PREFIX_PATH="$tmp/installed" > "$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
cmake --build "$tmp/build" > "$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
said=$("$tmp/build/solve_twice" "$source/examples/van_der_pol.mop") || { echo "$said"; exit 1; }
echo "$said"
grep -q "objective 3.174" <<< "$said"
data="$source/examples/estimation/kinetics"
said=$("$tmp/build/fit" "$data.mo" "$data.csv" p1) || { echo "$said"; exit 1; }
echo "$said"
told=$("$build/bin/bolza" fit "$data.mo" --data "$data.csv" --free p1 --json | python3 -c '
import json, sys
print("%.5g" % json.load(sys.stdin)["parameters"]["p1"]["value"])')
grep -q "p1 = $told, in" <<< "$said"
said=$("$tmp/build/front" "$source/examples/front.mop" energy,time "$source/examples/batch.mop" "$source/examples/batch_scenarios.csv") || { echo "$said"; exit 1; }
echo "$said"
told=$("$build/bin/bolza" solve "$source/examples/batch.mop" --scenarios "$source/examples/batch_scenarios.csv" --risk worst --json --output "$tmp/b.mat" |
  python3 -c 'import json, sys; print("%.6g" % json.load(sys.stdin)["objective"])')
grep -q "worst case: solved, objective $told" <<< "$said"
# Where the acceleration does not reach its bounds the least energy is 12 d²/T³, d = 1; five points between the anchors.
python3 - "$said" << 'check'
import re, sys
points = [(float(e), float(t)) for e, t in re.findall(r"energy = (\S+)  time = (\S+)", sys.argv[1])]
assert len(points) == 5, points
inside = [(e, t) for e, t in points if 6/t**2 < 3.99]
assert len(inside) >= 3 and all(abs(e*t**3/12 - 1) < 1e-3 for e, t in inside), points
check
set +e
said=$("$tmp/build/fit" "$data.mo" "$data.csv" p9) && { echo "a parameter that is not there was fitted"; exit 1; }
grep -q "p9" <<< "$said" || { echo "$said"; exit 1; }
said=$("$tmp/build/front" "$source/examples/front.mop" energy,speed "$source/examples/batch.mop" "$source/examples/batch_scenarios.csv") && { echo "an objective that is not there was minimised"; exit 1; }
grep -q "speed" <<< "$said" || { echo "$said"; exit 1; }
said=$("$tmp/build/solve_twice" "$tmp/none.mop") && { echo "a file that is not there was solved"; exit 1; }
grep -q "none.mop" <<< "$said" || { echo "$said"; exit 1; }
set -e

# Where the program lies is asked of the kernel, not of the name it was called by, which may be a link that somebody left.
mkdir "$tmp/left" && cd "$tmp/left"
touch program.so libbolza_solver.so && ln -s "$tmp/left/program.so" bolza
PATH=$tmp/installed/bin:$PATH bolza solve "$source/examples/van_der_pol.mop" --output "$tmp/v.mat" | grep -q "VanDerPol: solved"
