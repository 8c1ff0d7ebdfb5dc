#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what pages say of the program's own tables: update_docs.py BOLZA [--check]. With --check it only compares.

docs/diagnostics.md is written whole; in docs/solving.md what stands between `<!-- NAME: scripts/update_docs.py -->` and `<!-- end -->`."""
import json
import pathlib
import re
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
GROUPS = {"1": "Syntax", "2": "Names and types", "3": "Flattening", "4": "Structure", "5": "Derivatives and code", "6": "Simulation",
          "7": "Optimisation", "9": "Command line and files"}


def diagnostics(codes):
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


def attempts(methods):
    lines = ["| attempt | what is different |", "|---|---|", "| 1 | the problem as it is |"]
    lines += [f"| {n} | *{row['name']}*: {row['difference']} |" for n, row in enumerate(methods["attempts"], 2)]
    return lines


def searches(methods):
    return ["| search | looks |", "|---|---|"] + [f"| {row['name']} | {row['looks']} |" for row in methods["searches"]]


def checks(methods):
    def shown(kind):
        return f"[`{kind}`](diagnostics.md#warnings-about-a-solution)" if re.fullmatch(r"[a-z]+(_[a-z]+)+", kind) else kind
    rows = [f"| {', '.join(shown(k) for k in row['looks_for'].split(', '))} | {row['needs']} |" for row in methods["checks"]]
    return ["| looked for, in this order | needs |", "|---|---|"] + rows


def filled(text, methods):
    for name, table in {"attempts": attempts, "searches": searches, "checks": checks}.items():
        mark = f"<!-- {name}: scripts/update_docs.py -->\n"
        before, rest = text.split(mark)
        text = before + mark + "\n".join(table(methods)) + "\n" + rest[rest.index("<!-- end -->"):]
    return text


def told(bolza, *words):
    return json.loads(subprocess.run([bolza, *words, "--json"], capture_output=True, text=True, check=True).stdout)


def main():
    solving = DOCS / "solving.md"
    pages = {DOCS / "diagnostics.md": diagnostics(told(sys.argv[1], "explain")), solving: filled(solving.read_text(), told(sys.argv[1], "methods"))}
    stale = [page for page, text in pages.items() if not page.exists() or page.read_text() != text]
    for page in stale:
        if "--check" in sys.argv:
            print(f"docs/{page.name} is not what the program says: run scripts/update_docs.py build/release/bin/bolza")
        else:
            page.write_text(pages[page])
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
