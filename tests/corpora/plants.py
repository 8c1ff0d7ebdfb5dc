# SPDX-License-Identifier: Apache-2.0
"""Two large plants of JModelica.org, solved with their own files: rows for scripts/corpora.

The start-up of a combined cycle power plant is one command. The distillation column's problem begins after a breakdown of
the reflux: its initial values come from two simulations, its guess from a third, as in JModelica's own script.
"""
import json
import pathlib
import subprocess
import time


class Run:
    def __init__(self, bolza, folder):
        self.bolza, self.folder = str(bolza), pathlib.Path(folder)

    def __call__(self, *arguments):
        command = [self.bolza, *map(str, arguments), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=self.folder)
        report = json.loads(done.stdout)
        if report.get("status") not in ("solved", "finished"):
            raise RuntimeError(f"{arguments[0]}: {report.get('status')}")
        return report


def startup(run, files):
    file = files / "CombinedCycleStartup.mop"
    return run("solve", file, "CombinedCycleStartup.Startup6", "--mesh", 50, "--points", 3, "--output", "startup.mat")


def distillation(run, files):
    heat, reflux, broken = 2.5e3, 4.3 / 1000 / 3600, 0.5 / 1000 / 3600
    simulate = ["simulate", files / "JMExamples.mo", "JMExamples.Distillation.Distillation4"]

    def composition(report):
        return "xA_init={" + ",".join(repr(report["final"][f"xA[{i}]"]) for i in range(1, 43)) + "}"

    steady = run(*simulate, "--stop", 500000, "--output", "steady.mat")
    rows = [(0, reflux), (700, reflux), (700, broken), (1000, broken)]
    (run.folder / "breakdown.csv").write_text("time,Q_elec,Vdot_L1\n" + "".join(f"{t},{heat!r},{v!r}\n" for t, v in rows))
    after = run(*simulate, "--stop", 1000, "--input", "breakdown.csv", "--set", composition(steady), "--output", "after.mat")
    start = ["--set", composition(after)]
    run(*simulate, "--stop", 5000, *start, "--output", "guess.mat")
    return run("solve", files / "JMExamples_opt.mop", "JMExamples_opt.Distillation4_Opt", "--mesh", 15, "--points", 3, *start,
               "--init-from", "guess.mat", "--output", "optimum.mat")


PLANTS = [
    (startup, {"class": "CombinedCycleStartup.Startup6", "kind": "cost", "reference": 17492.465548, "rtol": 1e-4}),
    (distillation, {"class": "JMExamples_opt.Distillation4_Opt", "kind": "cost", "reference": 4.611038777467e-02, "rtol": 1e-2}),
]


def rows(bolza, jmodelica, scratch, only=None):
    """(within tolerance, entry, value, relative difference, note, seconds) for each plant."""
    run, files = Run(bolza, scratch), jmodelica / "Python/src/pyjmi/examples/files"
    for solve, entry in PLANTS:
        if only and only not in entry["class"]:
            continue
        began, value, error = time.time(), None, float("inf")
        try:
            report = solve(run, files)
            value, note = report["objective"], f"{report['iterations']} iterations"
            error = abs(value - entry["reference"]) / abs(entry["reference"])
        except (RuntimeError, ValueError, KeyError, subprocess.TimeoutExpired) as reason:
            note = str(reason)[:120]
        yield error <= entry["rtol"], entry, value, error, note, time.time() - began
