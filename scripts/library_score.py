#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what becomes of the examples of the Modelica library: library_score.py LIBRARY [options].

LIBRARY is the folder with `Modelica/package.mo`. Every class with an `experiment` annotation that has a StopTime is given to
`bolza check`; the outcome is one of

    balanced      flattened, as many equations as unknowns, every pass ran
    structure     flattened, but a later step refused it (E4..: singular, index, …)
    unsupported   a construct that is named as not supported (E301, E290)
    refused       any other diagnostic: the library is right, so these are our mistakes
    crash, time   neither

Writes the table to docs/measured/library.md (--table FILE, --no-table) and everything to --json FILE. `--compliance FOLDER` counts the
tests of Modelica-Compliance beside it: right accepts, right rejects, wrong ones, and unsupported, which is neither. Accepted is
what is checked and then simulated to its end without an assertion that fails.
Exit code 0; what failed is in the table and in the JSON.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOLZA = pathlib.Path(os.environ.get("BOLZA", ROOT / "build/release/bin/bolza")).resolve()
UNSUPPORTED = {"E301", "E290", "E244"}  # E244: C text in `Include` is not compiled
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|[0-9.eE]+|\s+|.""", re.S)
CLASS_WORDS = {"model", "block", "package", "class", "function", "record", "connector", "type", "operator"}


def annotations(text):
    """(qualified name inside the file, arguments of an annotation word) for `experiment` and `TestCase`."""
    tokens = [t for t in TOKEN.findall(text) if not t.isspace() and not t.startswith(("//", "/*"))]
    stack, k, found = [], 0, []
    within = ""
    while k < len(tokens):
        t = tokens[k]
        if t == "within" and not stack:
            end = tokens.index(";", k)
            within, k = "".join(tokens[k + 1:end]), end
        elif t == "end" and k + 1 < len(tokens) and stack and tokens[k + 1] == stack[-1]:
            stack.pop()
            k += 1
        elif t in CLASS_WORDS and (k == 0 or tokens[k - 1] != "end"):
            n = k + 1
            while n < len(tokens) and (tokens[n] in CLASS_WORDS or tokens[n] == "extends"):
                n += 1
            named = n < len(tokens) and re.match(r"[A-Za-z_']", tokens[n])
            after = tokens[n + 1] if n + 1 < len(tokens) else ""
            if named and (after not in ("=", "(", ",", ".", ";", ")") or (after == "(" and tokens[n - 1] == "extends")):
                stack.append(tokens[n])
            k = n if named else n - 1
        elif t in ("experiment", "TestCase") and k + 1 < len(tokens) and tokens[k + 1] == "(" and stack:
            depth, n = 0, k + 1
            while True:
                depth += (tokens[n] == "(") - (tokens[n] == ")")
                if depth == 0:
                    break
                n += 1
            name = ".".join(([within] if within else []) + stack)
            found.append((name, t, " ".join(tokens[k + 2:n])))
            k = n
        k += 1
    return found


def annotated(folder, word):
    out = {}
    for file in sorted(folder.rglob("*.mo")):
        for name, which, arguments in annotations(file.read_text(encoding="utf-8-sig", errors="replace")):
            if which == word:
                out[name] = arguments
    return out


def check(name, paths, timeout):
    command = [str(BOLZA), "check", name, "--json"]
    for path in paths:
        command += ["--path", str(path)]
    began = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, errors="replace")
    except subprocess.TimeoutExpired:
        return {"class": name, "outcome": "time", "seconds": timeout, "code": "", "message": "timeout"}
    seconds = round(time.time() - began, 3)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        lines = (done.stderr or done.stdout or f"exit {done.returncode}").strip().splitlines()
        return {"class": name, "outcome": "crash", "seconds": seconds, "code": str(done.returncode), "message": lines[-1][:200] if lines else ""}
    errors = [d for d in report.get("diagnostics", []) if d.get("severity") == "error"]
    result = {"class": name, "seconds": seconds, "code": "", "message": ""}
    if not errors and done.returncode == 0:
        return result | {"outcome": "balanced"}
    worst = next((e for e in errors if e["code"] in UNSUPPORTED), errors[0] if errors else {"code": "?", "message": "no message"})
    outcome = "unsupported" if worst["code"] in UNSUPPORTED else "structure" if worst["code"].startswith("E4") else "refused"
    return result | {"outcome": outcome, "code": worst["code"], "message": worst["message"],
                     "file": worst.get("file", ""), "line": worst.get("line", 0),
                     "all": [f"{e['code']} {e['message']}" for e in errors[:8]]}


def run(names, paths, arguments):
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        return list(pool.map(lambda name: check(name, paths, arguments.timeout), names))


def simulates(name, paths, timeout):
    """Whether the simulation to the class's own StopTime ends: assertions in it hold."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(BOLZA), "simulate", name, "--output", str(pathlib.Path(folder) / "result.mat")]
        for path in paths:
            command += ["--path", str(path)]
        try:
            return subprocess.run(command, capture_output=True, timeout=timeout, cwd=folder).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def group_of(message):
    """The message without the names in it, so that equal constructs count together."""
    return re.sub(r"\(`[^`]*`\)", "", re.sub(r"`[^`]*[.\[][^`]*`", "`…`", message))


def reasons(rows, outcomes, most):
    counted = collections.Counter((r["outcome"], r["code"], group_of(r["message"])) for r in rows if r["outcome"] in outcomes)
    return counted.most_common(most)


def parts_table(rows):
    lines = ["| part of the library | examples | balanced | structure | unsupported | refused |", "|---|--:|--:|--:|--:|--:|"]
    parts = collections.defaultdict(collections.Counter)
    for r in rows:
        pieces = r["class"].split(".")
        key = ".".join(pieces[1:3]) if pieces[1] in ("Electrical", "Mechanics", "Thermal") else pieces[1]
        parts[key][r["outcome"]] += 1
    total = collections.Counter()
    for key in sorted(parts):
        total.update(parts[key])
    for key, c in [*sorted(parts.items()), ("**all**", total)]:
        refused = c["refused"] + c["crash"] + c["time"]
        lines.append(f"| {key} | {sum(c.values())} | {c['balanced']} | {c['structure']} | {c['unsupported']} | {refused} |")
    return lines


def compliance(folder, arguments):
    tests = annotated(folder, "TestCase")
    paths = [path.resolve() for path in [folder] + arguments.path]  # tests that write files do so elsewhere
    rows = run(sorted(tests), paths, arguments)
    checked = [r for r in rows if r["outcome"] == "balanced"]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        ended = pool.map(lambda r: simulates(r["class"], paths, arguments.timeout), checked)
        for r, simulated in zip(checked, ended):
            r["simulated"] = simulated
    for r in rows:
        should = "false" not in re.sub(r".*shouldPass *= *(\w+).*", r"\1", tests[r["class"]])
        accepted = r.get("simulated", False)
        r["should_pass"] = should
        r["verdict"] = ("unsupported" if r["outcome"] == "unsupported" else
                        ("right" if accepted == should else "wrong") + (" accept" if accepted else " reject"))
    return rows


def compliance_table(rows):
    c = collections.Counter(r["verdict"] for r in rows)
    return ["", "## Modelica-Compliance", "", f"{len(rows)} tests, by whether the class is accepted or rejected as the test says; accepted is what "
            "`bolza check` accepts and `bolza simulate` brings to its end with every assertion true; \"unsupported\" is neither.", "", "| right accepts | right rejects | wrong accepts | wrong rejects | unsupported |",
            "|--:|--:|--:|--:|--:|", f"| {c['right accept']} | {c['right reject']} | {c['wrong accept']} | {c['wrong reject']} | {c['unsupported']} |"]


def page(rows, compliance_rows):
    lines = ["# The Modelica library", "", "What becomes of the examples of Modelica 4.1 (classes with an `experiment` annotation). Made by "
             "`scripts/library_score.py`.", "", "* *balanced*: flattened, as many equations as unknowns, matched, all passes done.",
             "* *structure*: flattened; a later pass refuses it (index, singular).", "* *unsupported*: a diagnostic names the construct that is missing.",
             "* *refused*: any other message or failure; the examples are right, so these are mistakes of Bolza.", ""]
    lines += parts_table(rows)
    lines += ["", "## Why not", "", "| examples | code | message |", "|--:|---|---|"]
    for (_, code, message), n in reasons(rows, {"structure", "unsupported", "refused", "crash", "time"}, 40):
        lines.append(f"| {n} | {code} | {message.replace('|', '/')[:150]} |")
    if compliance_rows:
        lines += compliance_table(compliance_rows)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--compliance", type=pathlib.Path, help="folder with ModelicaCompliance/package.mo")
    parser.add_argument("--only", default="", help="regular expression on class names")
    parser.add_argument("--path", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path, default=ROOT / "docs/measured/library.md")
    parser.add_argument("--no-table", action="store_true")
    arguments = parser.parse_args()
    if not (arguments.library / "Modelica/package.mo").is_file():
        sys.exit(f"library_score: no Modelica/package.mo in {arguments.library}")
    arguments.path = [arguments.library] + arguments.path
    names = [n for n, a in annotated(arguments.library / "Modelica", "experiment").items() if "StopTime" in a]
    rows = run([n for n in names if re.search(arguments.only, n)], arguments.path, arguments)
    print(f"{len(rows)} examples:", dict(collections.Counter(r["outcome"] for r in rows)))
    for (outcome, code, message), n in reasons(rows, {"structure", "unsupported", "refused", "crash", "time"}, 30):
        print(f"{n:5d}  {outcome:12s} {code:5s} {message[:140]}")
    tests = compliance(arguments.compliance, arguments) if arguments.compliance else []
    if tests:
        print(f"{len(tests)} tests:", dict(collections.Counter(r["verdict"] for r in tests)))
    if arguments.json:
        arguments.json.write_text(json.dumps({"examples": rows, "compliance": tests}, indent=1))
    if not arguments.no_table:
        arguments.table.write_text(page(rows, tests))


if __name__ == "__main__":
    main()
