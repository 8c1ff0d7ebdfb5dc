#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Problems made to mislead, with their truths: run.py BOLZA [--class PATTERN] [-j N] [--table] [--commands].

A row of truths.json is a command on a class of a file and what is true of it. Its keys:
    file, class      the model; a comment beside it has the derivation
    command          `solve` where it is left out; options follow. The result file and --max-time are added
    objective        a number, or an expression of math's functions
    final            {"x": value at the end} of a simulation
    parameters       {"k": value} of a fit
    undetermined     ["k"]: parameters of a fit that the data do not determine
    nothing          "unbounded", "infeasible", "no optimum" (a limit that is not attained), "no solution" (of a simulation)
    tolerance        relative, 1e-4 where it is left out; `size` takes the truth's place where that is zero
    sound            true: a warning would be a fault
    open             why this row is wrong at present
    more             true: takes long, and rows of its kind are left without it; it is run with BOLZA_ALL, which scripts/test --all sets, and with --class

The verdict of a row is
    right            solved, simulated or fitted with exit code 0, and the value is the truth, within the tolerance, within the claimed error (as far as
                     that is no more than a hundredth of the truth) or the confidence interval; or what has no answer gets none, for the reason that is true
    warned           exit code 4, a warning, another status: whatever was said, nobody was told that it is right
    wrong in silence exit code 0, no warning, and not so
    false claim      said to be infeasible or unbounded, and not so
    false alarm      sound, and not right
The last three are faults, exit code 1; so is a row that is open and is not wrong any more.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROWS = HERE / "truths.json"
VERDICTS = ("right", "warned", "wrong in silence", "false claim", "false alarm")
FAULTS = VERDICTS[2:]
LIMIT, HANGS = 10, 600  # seconds: what a command is given, six times as many where a warning is a fault, and when it is taken for hanging
STOPPED = "stopped at the time limit"
CLAIMS = {"infeasible": ("infeasible",), "unbounded": ("unbounded", "no optimum")}  # statuses, and of what they are true


def number(value):
    return eval(value, {"__builtins__": {}}, vars(math)) if isinstance(value, str) else value


def command_of(row):
    words = shlex.split(row.get("command", "solve"))
    return [words[0], row["file"], row["class"], *words[1:], "--max-time", str(6 * LIMIT if row.get("sound") else LIMIT)]


def close(value, truth, row, claimed=0.0):
    size = max(abs(truth), row.get("size", 0.0))
    limit = math.inf if "parameters" in row else 0.01 * size
    return isinstance(value, (int, float)) and abs(value - truth) <= max(row.get("tolerance", 1e-4) * size, min(claimed or 0.0, limit))


def values(row, report):
    """(name, value, truth, claimed error) of everything whose truth is known."""
    if "objective" in row:
        yield "objective", report.get("objective"), number(row["objective"]), report.get("accuracy", {}).get("objective_error")
    for name, truth in row.get("final", {}).items():
        yield name, report.get("final", {}).get(name), number(truth), 0.0
    for name, truth in row.get("parameters", {}).items():
        low, high = report.get("statistics", {}).get("parameters", {}).get(name, {}).get("interval") or (None, None)
        yield name, report.get("parameters", {}).get(name, {}).get("value"), number(truth), (high - low) / 2 if low is not None and high is not None else None


def doubted(row, report):
    """What a report says against itself."""
    said = [w.get("kind", "") for w in report.get("warnings", [])] + [STOPPED for _ in range("stopped" in report)]
    if not row.get("command", "solve").startswith("solve"):  # `solve` has exit code 4, and what it says of the model is not of the answer
        said += [d["message"].split("\n")[0] for d in report.get("diagnostics", []) if d.get("severity") in ("warning", "error")]
    told = report.get("statistics", {}).get("parameters", {})
    return said + [f"{name}: {told[name].get('verdict')}" for name in [*row.get("parameters", {}), *row.get("undetermined", [])]
                   if name in told and told[name].get("verdict") != "determined"]


def judged(row, code, report):
    """(verdict, what was said)"""
    if report is None:
        return "false alarm" if row.get("sound") else "warned", f"exit {code}"
    status = report.get("status", "")
    said = doubted(row, report)
    found = list(values(row, report))
    shown = ", ".join(f"{name} {value:.9g}" if isinstance(value, (int, float)) else f"{name} {value}" for name, value, _, _ in found)
    text = "; ".join(dict.fromkeys([shown, *([] if status in ("solved", "finished") else [status]), *said])).strip("; ")
    if code == 2 and "nothing" not in row:
        return "false alarm", text
    true = row.get("nothing") in CLAIMS.get(status, ())
    if status in CLAIMS and not true and report.get("proven") is not False:  # an infeasible end that is not proven is no claim
        return "false claim", text
    if true:
        return "right", text
    if code != 0 or said:
        right = row.get("sound") is not True
        return "warned" if right else "false alarm", text
    if "nothing" in row or "undetermined" in row:
        return "wrong in silence", text or f"objective {report.get('objective')}"
    if all(close(value, truth, row, claimed) for _, value, truth, claimed in found):
        return "right", text
    return "wrong in silence", text + ", true: " + ", ".join(f"{truth:.9g}" for _, _, truth, _ in found)


def run(bolza, row):
    with tempfile.TemporaryDirectory() as scratch:
        output = f"{scratch}/r.csv" if row.get("command", "").startswith("fit") else f"{scratch}/r.mat"
        command = [bolza, *command_of(row), "--json", "-o", output]
        try:
            done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=HANGS, errors="replace")
        except subprocess.TimeoutExpired:
            return "false alarm" if row.get("sound") else "warned", f"no answer in {HANGS} s"
    if done.returncode == 3 or done.returncode < 0:
        return "false alarm", f"a bug: {done.stderr.strip()[-200:]}"
    try:
        return judged(row, done.returncode, json.loads(done.stdout))
    except ValueError:
        verdict, _ = judged(row, done.returncode, None)
        return verdict, (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[0]


def fault_of(row, verdict, text):
    """What is wrong with a verdict, None where nothing is."""
    if row.get("open"):
        return None if verdict in FAULTS or STOPPED in text or "time_limit" in text else "not wrong any more: take its `open` away"
    return verdict if verdict in FAULTS else None


def table(rows, results):
    """Classes by verdicts, as lines of a page."""
    counts = collections.defaultdict(collections.Counter)
    for row, (verdict, _) in zip(rows, results):
        counts[row["file"].split(".")[0].replace("_", " ")][verdict] += 1
    lines = ["| class | rows | " + " | ".join(VERDICTS) + " |", "|---|" + "--:|" * (len(VERDICTS) + 1)]
    lines += [f"| {name} | {sum(c.values())} | " + " | ".join(str(c[v]) for v in VERDICTS) + " |" for name, c in counts.items()]
    total = sum(counts.values(), collections.Counter())
    return lines + [f"| all | {sum(total.values())} | " + " | ".join(str(total[v]) for v in VERDICTS) + " |"]


def marked(row, verdict, text):
    """The row with or without `open`, as the verdict has it."""
    if verdict in FAULTS:
        return row | {"open": row.get("open", f"{verdict}: {text}")}
    return row if fault_of(row, verdict, text) is None else {k: v for k, v in row.items() if k != "open"}


def run_all(rows, arguments):
    """Verdict and text of every row, printed as they come, and what is wrong with them."""
    results, faults = [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for row, result in zip(rows, pool.map(lambda r: run(str(arguments.bolza.resolve()), r), rows)):
            fault = fault_of(row, *result)
            mark = "!" if fault else "open" if row.get("open") else "sound" if row.get("sound") else ""
            print(f"{mark:5s} {result[0]:16s} {row['file'].split('.')[0]:16s} {row['class']:20s} {result[1][:170]}", flush=True)
            if arguments.commands:
                print("      bolza " + shlex.join(command_of(row)))
            results.append(result)
            faults += [f"{' '.join(command_of(row))}: {fault}"] if fault else []
    return results, faults


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bolza", type=pathlib.Path)
    parser.add_argument("--class", dest="only", default="*", help="shell pattern on file names or classes: unstable, 'Rod*'")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true", help="print classes by verdicts as well")
    parser.add_argument("--commands", action="store_true", help="print the command of every row, too")
    parser.add_argument("--mark", action="store_true", help="write `open` into truths.json as the verdicts have it: the reasons are yours to word")
    return parser.parse_args()


def main():
    arguments = options()
    everything = json.loads(ROWS.read_text(encoding="utf8"))
    rows = [r for r in everything if any(fnmatch.fnmatch(text, arguments.only) for text in (r["file"], r["file"].split(".")[0], r["class"]))
            and (not r.get("more") or arguments.only != "*" or os.environ.get("BOLZA_ALL"))]
    results, faults = run_all(rows, arguments)
    if arguments.mark:
        known = {id(row): marked(row, *result) for row, result in zip(rows, results)}
        ROWS.write_text("[\n" + ",\n".join(json.dumps(known.get(id(r), r), ensure_ascii=False) for r in everything) + "\n]\n", encoding="utf8")
    if arguments.table:
        print("\n".join(table(rows, results)))
    print("\n".join(faults) or f"{len(rows)} rows: nothing is said that is not so, but for {sum('open' in r for r in rows)} that are open")
    return 1 if faults or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
