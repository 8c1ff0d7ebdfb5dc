#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/diagnostics.md from the program's own tables: update_docs.py BOLZA [--check]. With --check it only compares."""
import json
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/diagnostics.md"
GROUPS = {"1": "Syntax", "2": "Names and types", "3": "Flattening", "4": "Structure", "5": "Derivatives and code", "6": "Simulation",
          "7": "Optimisation", "9": "Command line and files"}


def page(codes):
    lines = ["# Diagnostics", "", "Written by `scripts/update_docs.py` from the tables in the code; `bolza explain CODE` prints the same.",
             "Codes with E are errors, with W warnings.", ""]
    for digit, title in GROUPS.items():
        rows = [c for c in codes if c["code"][1] == digit]
        if not rows:
            continue
        lines += [f"## {title}", ""]
        for c in rows:
            lines += [f"### {c['code']}: {c['message']}", ""]
            for line in c["explanation"].splitlines():
                lines.append(line)
            lines.append("")
    kinds = [c for c in codes if c["message"] == "a warning about a solution"]
    lines += ["## Warnings about a solution", "", "Their kinds, `warnings` in `--json` of `bolza solve`; exit code 4 where the problem is solved.", "", "| kind | meaning |", "|---|---|"]
    lines += [f"| `{c['code']}` | {c['explanation']} |" for c in kinds]
    return "\n".join(lines) + "\n"


def main():
    codes = json.loads(subprocess.run([sys.argv[1], "explain", "--json"], capture_output=True, text=True, check=True).stdout)
    text = page(codes)
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text() != text:
            print("docs/diagnostics.md is not what the program says: run scripts/update_docs.py build/release/bin/bolza")
            return 1
        return 0
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
