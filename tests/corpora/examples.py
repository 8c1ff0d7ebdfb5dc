# SPDX-License-Identifier: Apache-2.0
"""Examples of other people's libraries: which there are, what becomes of them, how far they are from references.

`libraries.json` beside this file names the collections. Every class with an `experiment` annotation that has a StopTime is an example;
`bolza simulate` runs it with the limits given, and where it does not get to the end `bolza check` tells whether it is accepted.
Outcomes, which stand in one line of JSON each, so that a run that was cut off goes on where it stopped:

    matched      simulated, and every signal of the library's own reference is within 2e-3 of its range
    differs      simulated, and some signal is not; the worst is named
    simulated    to the end, and there is no reference to compare with
    stopped      accepted and begun, but ended early with a report
    accepted     `check` accepts it, `simulate` does not begin
    refused      by `check`, with the code and message of its first error
    time, memory the limit was reached
    crash        no report at all
"""
import collections
import json
import math
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "scripts"))
import library_match  # noqa: E402
import library_score  # noqa: E402

ORDER = ["matched", "simulated", "differs", "stopped", "accepted", "refused", "time", "memory", "crash"]


def collections_table():
    return json.loads((HERE / "libraries.json").read_text())


def examples_of(folder, row):
    """Class names of the examples in a snapshot, in their order in the files."""
    package = folder / row["folder"] / row["package"]
    names = library_score.annotated(package if package.is_dir() else package.parent, "experiment")
    return [n for n, arguments in names.items() if "StopTime" in arguments and n.startswith(row["package"] + ".")]


def draw(names, sample, seed):
    return names if sample is None or sample >= len(names) else sorted(random.Random(seed).sample(names, sample))


def paths_of(folder, name, table):
    """The folders for --path: of the library, then of what it stands on."""
    found, todo = [], [name]
    while todo:
        row = table[todo.pop(0)]
        path = folder / row["folder"]
        if path not in found:
            found.append(path)
        todo += row.get("needs", [])
    return found


def numbers(text):
    return [float(v) for v in text.split(",") if v.strip()]


def dymola_reference(file):
    """Signals of a reference in the format of BuildingsPy: name=[v, v, ...], as many values as there are equidistant times."""
    signals = {}
    for line in file.read_text(errors="replace").splitlines():
        found = re.match(r"\s*(.+?)\s*=\s*\[(.*)\]\s*$", line)
        if found and not found.group(1).startswith(("statistics", "last-")):
            try:
                signals[library_match.plain(found.group(1))] = numbers(found.group(2))
            except ValueError:
                continue
    return signals


def spaced(begin, end, count):
    return [begin + (end - begin) * k / (count - 1) for k in range(count)] if count > 1 else [begin]


def reference_of(folder, row, name):
    """{signal: (times, values)} of the library's own reference for an example, or None."""
    if row.get("reference") == "buildingspy":
        file = folder / row["folder"] / row["package"] / "Resources/ReferenceResults/Dymola" / (name.replace(".", "_") + ".txt")
        if not file.is_file():
            return None
        signals = dymola_reference(file)
        ends = signals.pop("time", None)
        if not ends:
            return None
        return {n: (spaced(ends[0], ends[-1], len(v)), v) for n, v in signals.items() if v and all(map(math.isfinite, v))}
    if row.get("reference") == "map-lib":
        file = folder / "MAP-LIB_ReferenceResults" / name.replace(".", "/") / (name.split(".")[-1] + ".csv")
        wanted = file.parent / "comparisonSignals.txt"
        if not file.is_file() or not wanted.is_file():
            return None
        try:
            columns = library_match.read_table(file, {"time", *map(library_match.plain, wanted.read_text().split("\n"))})
        except (ValueError, StopIteration):
            return None
        times = columns.pop("time", None)
        return times and {n: (times, v) for n, v in columns.items()}
    return None


def compared(reference, own):
    """(worst deviation in ranges, a sentence) over the signals of a reference."""
    worst, where, missing = 0.0, "", [n for n in reference if n not in own]
    for name, (times, values) in reference.items():
        if name in own:
            amount, when = library_match.deviation(times, values, own["time"], own[name])
            if amount > worst or not where:
                worst, where = max(amount, worst), f"{name} by {amount:.2e} of its range at {when:.6g}"
    if missing:
        return math.inf, f"{len(missing)} signals missing: {', '.join(missing[:3])}; {where}"
    return worst, where


def report_of(command, seconds, cwd):
    """(report, exit code, last line of standard error); report is None where there is none, and "time" after the limit, which
    counts the processor's seconds: other work on the machine does not change what an example comes to."""
    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20 * seconds, cwd=cwd, preexec_fn=limited)
    except subprocess.TimeoutExpired:
        return "time", None, ""
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "time", None, ""
    try:
        return json.loads(done.stdout), done.returncode, ""
    except ValueError:
        return None, done.returncode, (done.stderr.strip().splitlines() or [""])[-1][:200]


def first_error(report):
    for d in report.get("diagnostics", []):
        if d.get("severity") == "error":
            place = f"{pathlib.Path(d['file']).name}:{d['line']}" if d.get("file") else ""
            return {"code": d["code"], "message": d["message"][:300], "place": place}
    return {"code": "", "message": report.get("message", "")[:300], "place": ""}


def limit_of(report):
    text = json.dumps(report.get("diagnostics", [])) + report.get("message", "")
    return "memory" if "--max-memory" in text else "time" if "--max-time" in text else None


def run(bolza, folder, table, library, name, limits):
    """One row of the results."""
    paths = [argument for path in paths_of(folder, library, table) for argument in ("--path", str(path))]
    row = {"library": library, "class": name}
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch) / "r.csv"
        common = [name, "--json", "--max-memory", str(limits["memory"]), *paths]
        began = time.time()
        report, code, said = report_of([str(bolza), "simulate", *common, "--output", str(output)], limits["time"], scratch)
        row["seconds"] = round(time.time() - began, 2)
        if report is None:
            return row | {"outcome": "memory" if "memory" in said else "crash", "code": str(code), "message": said, "place": ""}
        if report != "time" and code in (0, 4) and "time" in report and output.is_file():
            reference = reference_of(folder, table[library], name)
            if not reference:
                return row | {"outcome": "simulated", "steps": report.get("steps")}
            worst, message = compared(reference, library_match.read_table(output, {"time", *reference}))
            return row | {"outcome": "matched" if worst <= library_match.ALLOWED else "differs", "deviation": worst, "message": message}
        if report != "time" and limit_of(report) is None and "time" in report:
            return row | {"outcome": "stopped"} | first_error(report)
        checked, _, said = report_of([str(bolza), "check", *common], limits["time"], scratch)
    limit = "time" if report == "time" else limit_of(report)
    if limit or checked == "time":
        return row | {"outcome": limit or "time", "code": "", "message": "also `check`" if checked == "time" else "`simulate`", "place": ""}
    if checked is None:
        return row | {"outcome": "crash", "code": "check", "message": said, "place": ""}
    refused = first_error(checked)
    if refused["code"] == "E257":  # `check` runs no foreign code: what `simulate` said, which runs it, counts
        refused = first_error(report)
    return row | ({"outcome": "refused"} | refused if refused["code"] else {"outcome": "accepted"} | first_error(report))


def reasons(rows):
    """Codes of what is not accepted or stopped, the most frequent first, with an example each."""
    groups = collections.defaultdict(list)
    for r in rows:
        if r["outcome"] in ("refused", "accepted", "stopped", "crash"):
            groups[(r["outcome"], r["code"])].append(r)
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))


def section(rows, limits):
    """The lines of the page: a row for each library, then reasons by frequency, then what differs."""
    lines = ["## Examples of libraries", "",
             f"Written by `{limits.get('command', './scripts/corpora DIR --examples')}`.",
             f"At most {limits['time']} s of the processor and {limits['memory']} MB each, `simulate`",
             "with its defaults. *Matched*: every signal of the library's own reference within 2e-3 of its range. Where a number stands after a",
             "slash, so many were drawn at random.", "",
             "| library | examples | " + " | ".join(ORDER) + " |", "|---|---:|" + "---:|" * len(ORDER)]
    for library in sorted({r["library"] for r in rows}):
        mine = [r for r in rows if r["library"] == library]
        count = collections.Counter(r["outcome"] for r in mine)
        total = mine[0].get("of", len(mine))
        drawn = f"{total}" if total == len(mine) else f"{total} / {len(mine)}"
        lines.append(f"| {library} | {drawn} | " + " | ".join(str(count[o] or "") for o in ORDER) + " |")
    lines += ["", "First reasons, by frequency:", "", "| outcome | code | examples | such as |", "|---|---|---:|---|"]
    for (outcome, code), some in reasons(rows):
        lines.append(f"| {outcome} | {code} | {len(some)} | {some[0]['class']}: {some[0]['message'][:110].replace('|', '/')} |")
    differing = [r for r in rows if r["outcome"] == "differs"]
    if differing:
        lines += ["", "What differs from its reference:", "", "| example | largest deviation |", "|---|---|"]
        lines += [f"| {r['class']} | {r['message'][:140].replace('|', '/')} |" for r in differing]
    return lines + [""]
