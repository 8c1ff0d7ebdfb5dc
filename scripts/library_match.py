#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates examples of the Modelica library and compares with MAP-LIB's trajectories: library_match.py LIBRARY REFERENCES [options].

LIBRARY is the folder with `Modelica/package.mo`, REFERENCES a checkout of modelica/MAP-LIB_ReferenceResults (branch v4.1.0). Every
example for which there is a reference is simulated with its tolerance, start and stop time; the outcome is one of

    matched      every signal of comparisonSignals.txt is within 2e-3 of its range everywhere
    differs      simulated to the end, but some signal is not; the worst is named (both: *warned* where something was said of it)
    stopped      the simulation ended early, with a report
    time         not within --timeout seconds of the processor
    refused      the model was not compiled
    unreadable   the reference is not a table with a time
    crash        neither

A reference jumps where its time stands twice, and events of two tools differ by rounding: at a time t our value may also be what the
reference is within one output interval, so that a jump at a slightly other time counts as the same.
--list FILE takes names from a file, --only REGEX chooses among them, --json FILE writes everything, --table FILE the table.
"""
import argparse
import bisect
import collections
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOLZA = pathlib.Path(os.environ.get("BOLZA", ROOT / "build/release/bin/bolza")).resolve()
ALLOWED = 2e-3
WARNED = 4  # exit code of a simulation that came to its end with a warning
BESIDE = 10  # how many times its limit of the processor a run may take beside other work
# A few of each domain, in Modelica, for a quick look.
NAMED = """Mechanics.Translational.Examples.Accelerate Mechanics.Translational.Examples.SignConvention
Mechanics.Translational.Examples.WhyArrows Mechanics.Translational.Examples.Oscillator Mechanics.Translational.Examples.Damper
Mechanics.Translational.Examples.Sensors Mechanics.Translational.Examples.InitialConditions Mechanics.Rotational.Examples.First
Mechanics.Rotational.Examples.FirstGrounded Mechanics.Rotational.Examples.ElasticBearing Mechanics.Rotational.Examples.RollingWheel
Thermal.HeatTransfer.Examples.TwoMasses Thermal.HeatTransfer.Examples.ControlledTemperature
Electrical.Analog.Examples.SeriesResonance Electrical.Analog.Examples.ParallelResonance Electrical.Analog.Examples.CauerLowPassAnalog
Electrical.Analog.Examples.Resistor Electrical.Analog.Examples.HeatingRectifier Electrical.Analog.Examples.Rectifier
Blocks.Examples.PID_Controller Blocks.Examples.Filter Blocks.Examples.InverseModel
Mechanics.Rotational.Examples.CoupledClutches""".split()


def read_table(path, wanted=None):
    """Names and columns of a .csv, those that are wanted; an empty cell or NaN is NaN, but below a constant's first."""
    with open(path, newline="") as file:
        rows = csv.reader(file)
        table = {plain(n): (k, []) for k, n in enumerate(next(rows)) if wanted is None or plain(n) in wanted}
        for row in rows:
            for k, column in table.values():
                if k < len(row):
                    column.append(float(row[k]) if row[k].strip() else math.nan)
    return {name: constant_or_own(column) for name, (_, column) in table.items()}


def constant_or_own(column):
    """A number in the first row alone holds at all times."""
    once = len(column) > 1 and not math.isnan(column[0]) and all(map(math.isnan, column[1:]))
    return column[:1]*len(column) if once else column


def plain(name):
    name = name.replace(" ", "")
    return "time" if name == "Time" else name


def at(times, values, t):
    """All values that linear interpolation gives at t: two where the time stands twice."""
    low, high = bisect.bisect_left(times, t), bisect.bisect_right(times, t)
    if low < high:
        return (values[low], values[high - 1])
    if low == 0 or low == len(times):
        return (values[min(low, len(times) - 1)],)
    share = (t - times[low - 1]) / (times[low] - times[low - 1])
    return ((1 - share) * values[low - 1] + share * values[low],)


def deviation(reference_time, reference, own_time, own):
    """Largest distance over the range of the signal, and when."""
    finite = [v for v in reference if math.isfinite(v)]
    size = max(finite) - min(finite)
    if size <= 1e-12 * max(1e-3, max(abs(v) for v in finite)):  # constant up to rounding
        size = max(abs(finite[0]), 1e-3)
    worst, when = 0.0, reference_time[0]
    steps = sorted(b - a for a, b in zip(reference_time, reference_time[1:]) if b > a)
    step = 1.01 * steps[len(steps) // 2] if steps else 0.0
    for k, t in enumerate(reference_time):
        near = [v for v in reference[bisect.bisect_left(reference_time, t - step):bisect.bisect_right(reference_time, t + step)] if math.isfinite(v)]
        low, high = min(near), max(near)
        distance = min(max(low - v, v - high, 0.0) if math.isfinite(v) else math.inf for v in at(own_time, own, t))
        if distance / size > worst:
            worst, when = distance / size, t
    return worst, when


def compare(reference_file, signals, own):
    reference = read_table(reference_file)
    worst = {"signal": "", "deviation": 0.0, "time": 0.0}
    missing = [s for s in signals if s in reference and s not in own]
    compared = 0
    for signal in signals:
        if signal == "time" or signal not in reference or signal not in own:
            continue
        compared += 1
        amount, when = deviation(reference["time"], reference[signal], own["time"], own[signal])
        if amount > worst["deviation"]:
            worst = {"signal": signal, "deviation": amount, "time": when}
    return {"compared": compared, "missing": missing, "worst": worst, "matched": (compared > 0 or set(signals) == {"time"}) and not missing and worst["deviation"] <= ALLOWED}


def setting(text, name):
    found = re.search(rf"^{name}\s*=\s*([0-9.eE+-]+)", text, re.M)
    return found.group(1) if found else None


def limited(seconds):
    """Of the processor: other work of the machine counts only far beyond it."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 5))


def run(name, references, paths, timeout, extra):
    folder = references / name.replace(".", "/")
    reference = folder / (name.split(".")[-1] + ".csv")
    signal_file = folder / "comparisonSignals.txt"
    creation = (folder / "creation.txt").read_text(errors="replace") if (folder / "creation.txt").is_file() else ""
    result = {"class": name, "outcome": "refused", "seconds": 0.0, "code": "", "message": ""}
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch) / "r.csv"
        command = [str(BOLZA), "simulate", name, "--json", "--output", str(output), *extra]
        for path in paths:
            command += ["--path", str(path)]
        for option, key in (("--start", "StartTime"), ("--stop", "StopTime"), ("--tol", "Tolerance"), ("--step", "Interval")):
            value = setting(creation, key)
            if value and not (option == "--step" and float(value) <= 0):
                command += [option, value]
        began = time.time()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=BESIDE*timeout, errors="replace", cwd=scratch, preexec_fn=lambda: limited(timeout))
        except subprocess.TimeoutExpired:
            done = None
        if done is None or done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return result | {"outcome": "time", "seconds": timeout, "message": f"not within {timeout:g} s of the processor"}
        result["seconds"] = round(time.time() - began, 3)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            lines = (done.stderr or f"exit {done.returncode}").strip().splitlines()
            return result | {"outcome": "crash", "code": str(done.returncode), "message": lines[-1][:200] if lines else ""}
        errors = [d for d in report.get("diagnostics", []) if d.get("severity") == "error"]
        result |= {"code": errors[0]["code"], "message": errors[0]["message"]} if errors else {}
        if "time" not in report:
            return result
        result |= {k: report[k] for k in ("integrator", "steps", "state_events", "time_events", "timing") if k in report}
        if done.returncode not in (0, WARNED):
            return result | {"outcome": "stopped", "message": result["message"] or report.get("message", "")}
        signals = [plain(s) for s in signal_file.read_text().split("\n") if s.strip()] if signal_file.is_file() else list(read_table(reference))
        try:
            readable = "time" in read_table(reference)
        except (ValueError, StopIteration):
            readable = False
        if not readable:
            return result | {"outcome": "unreadable", "message": "the reference is not a table"}
        judged = compare(reference, signals, read_table(output, {"time", *signals}))
    result["warned"] = done.returncode == WARNED
    message = f"{judged['worst']['signal']} by {judged['worst']['deviation']:.2e} of its range at {judged['worst']['time']:.6g}"
    if judged["missing"]:
        message = f"{len(judged['missing'])} signals missing: {', '.join(judged['missing'][:4])}; " + message
    return result | judged | {"outcome": "matched" if judged["matched"] else "differs", "message": message}


def names_of(arguments):
    if arguments.named:
        names = ["Modelica." + n for n in NAMED]
    elif arguments.list:
        names = arguments.list.read_text().split()
    else:
        top = "ModelicaTest" if arguments.tests else "Modelica"
        names = sorted(".".join(f.parent.relative_to(arguments.references).parts) for f in (arguments.references / top).rglob("*.csv")
                       if f.stem == f.parent.name)
    return [n for n in names if re.search(arguments.only, n)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("references", type=pathlib.Path)
    parser.add_argument("--named", action="store_true", help="only a few of each domain")
    parser.add_argument("--tests", action="store_true", help="the library's own tests, ModelicaTest, instead of its examples")
    parser.add_argument("--list", type=pathlib.Path)
    parser.add_argument("--only", default="", help="regular expression on class names")
    parser.add_argument("--path", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("extra", nargs="*", help="further arguments of `bolza simulate`, after --")
    arguments = parser.parse_args()
    if not (arguments.library / "Modelica/package.mo").is_file():
        sys.exit(f"library_match: no Modelica/package.mo in {arguments.library}")
    names = names_of(arguments)
    paths = [path.resolve() for path in [arguments.library] + arguments.path]  # examples that write files do so elsewhere
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(run, n, arguments.references, paths, arguments.timeout, arguments.extra) for n in names]
        rows = []
        for job in jobs:
            rows.append(job.result())
            r = rows[-1]
            print(f"{r['outcome']:8s} {r['seconds']:6.2f} s  {r['class']}  {r['code']} {r['message'][:150]}", flush=True)
    counts = collections.Counter(r["outcome"] for r in rows)
    print(f"{len(rows)} examples:", dict(counts))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    if arguments.table:
        lines = [f"{len(rows)} examples with a reference trajectory: " + ", ".join(f"{n} {o}" for o, n in counts.most_common()) + ".", "",
                 "| example | outcome | seconds | largest deviation, or reason |", "|---|---|--:|---|"]
        for r in rows:
            lines.append(f"| {r['class'].removeprefix('Modelica.')} | {r['outcome']}{', warned' if r.get('warned') else ''} | {r['seconds']} | {r['code']} {r['message'][:120].replace('|', '/')} |")
        what = "ModelicaTest, the tests of the library," if arguments.tests else "examples of Modelica 4.1"
        heading = ["# Trajectories of the Modelica library" + ("'s tests" if arguments.tests else ""), "",
                   f"Made by `scripts/library_match.py{' --tests' if arguments.tests else ''}`: {what} compared with the trajectories of "
                   "MAP-LIB_ReferenceResults. *Matched*: every signal within 2e-3 of its range.", ""]
        arguments.table.write_text("\n".join(heading + lines) + "\n")


if __name__ == "__main__":
    main()
