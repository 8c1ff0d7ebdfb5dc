#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Solves the examples and compares with published or independently computed values: solve_examples.py BOLZA [NAME]."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def judge(case, report):
    if report.get("status") != "solved":
        return f"status {report.get('status')}"
    if "objective" in case:
        error = abs(report["objective"] - case["objective"]) / abs(case["objective"])
        if error > case["rtol"]:
            return f"objective {report['objective']!r} differs from {case['objective']!r} by {error:.2e} ({case['why']})"
    for name, value in case.get("parameters", {}).items():
        if abs(report["parameters"][name] - value) > case["atol"]:
            return f"{name} is {report['parameters'][name]!r}, not {value!r} ({case['why']})"
    return None


def main():
    bolza, only = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in json.loads((ROOT / "tests/numeric/examples.json").read_text()):
            if only and only != case["name"]:
                continue
            command = [bolza, "solve", str(ROOT / case["file"]), *case.get("args", []), "--json",
                       "--output", os.path.join(folder, "result.mat")]
            done = subprocess.run(command, capture_output=True, text=True)
            try:
                report = json.loads(done.stdout)
                wrong = judge(case, report)
            except ValueError:
                wrong = f"no JSON: {done.stderr[:300]}"
            passed, failed = passed + (wrong is None), failed + (wrong is not None)
            print(f"{'ok  ' if wrong is None else 'FAIL'} {case['name']}" + (f": {wrong}" if wrong else ""), flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
