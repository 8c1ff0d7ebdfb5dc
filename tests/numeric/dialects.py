#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One problem in three dialects is the same nonlinear program with the same optimum: dialects.py BOLZA."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = ["van_der_pol.mop", "van_der_pol_doml.mop", "van_der_pol_openmodelica.mo"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        reports = [json.loads(subprocess.run([sys.argv[1], "solve", str(ROOT / "examples" / f), "--mesh", "50", "--json", "--output", f"{folder}/r.mat"],
                                             capture_output=True, text=True).stdout) for f in FILES]
    wrong = 0
    for file, report in zip(FILES[1:], reports[1:]):
        for key in ("status", "variables", "constraints", "iterations"):
            if report[key] != reports[0][key]:
                wrong += 1
                print(f"FAIL {file}: {key} is {report[key]}, not {reports[0][key]}")
        if abs(report["objective"] - reports[0]["objective"]) > 1e-10 * abs(reports[0]["objective"]):
            wrong += 1
            print(f"FAIL {file}: objective {report['objective']!r}, not {reports[0]['objective']!r}")
    print(f"{2 * 5 - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
