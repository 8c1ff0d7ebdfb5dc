#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Integrates the test set of initial value problems and scores the end states: initial_value_problems.py BOLZA.

scd = −log10 of the largest relative error against the published values (test set for IVP solvers, 11 to 16 digits).
"""
# Problems and values: [IVPTESTSET].
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROBLEMS = [
    ("rober", ["y1", "y2", "y3"], [2.083340149701255e-08, 8.333360770334713e-14, 0.999999979166505], 4),
    ("hires", ["y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"],
     [7.371312573325668e-4, 1.442485726316185e-4, 5.888729740967575e-5, 1.175651343283149e-3, 2.386356198831331e-3,
      6.238968252742796e-3, 2.849998395185769e-3, 2.850001604814231e-3], 4),
    ("orego", ["y1", "y2", "y3"], [1.000814870318523, 1228.178521549917, 132.0554942846706], 4),
    ("transistor_amplifier", ["y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"],
     [-5.562145012262709e-3, 3.006522471903042, 2.849958788608128, 2.926422536206241, 2.704617865010554, 2.761837778393145,
      4.770927631616772, 1.236995868091548], 4),
    ("car_axis", ["xl", "yl", "xr", "yr"],
     [4.934557842754028e-2, 4.969894602301712e-1, 1.041742524885421, 3.739110272652612e-1], 3),
]
ALL_FORMS = {"transistor_amplifier", "car_axis"}  # what the original equations of index 3 take is radau5


def main():
    bolza, failed, ran = sys.argv[1], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, variables, expected, wanted in PROBLEMS:
            runs = [[], ["--integrator", "radau5"]]
            if name in ALL_FORMS:
                runs += [["--form", "reduced"], ["--form", "reduced", "--integrator", "radau5"], ["--form", "original"]]
            for arguments in runs:
                command = [bolza, "simulate", str(ROOT / "tests/models" / f"{name}.mo"), "--tol", "1e-8", "--json",
                           "--output", os.path.join(folder, "result.mat")]
                command += arguments
                done = subprocess.run(command, capture_output=True, text=True)
                try:
                    report = json.loads(done.stdout)
                    error = max(abs(report["final"][v] / e - 1) for v, e in zip(variables, expected))
                    score = -math.log10(max(error, 1e-16))
                    text = f"scd {score:.1f} in {report['steps']} steps"
                except (ValueError, KeyError, TypeError):
                    score, text = -1, f"no result: {done.stdout[:200]} {done.stderr[:200]}"
                ran, failed = ran + 1, failed + (score < wanted)
                print(f"{'ok  ' if score >= wanted else 'FAIL'} {name} {' '.join(arguments) or 'default'}: {text}", flush=True)
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
