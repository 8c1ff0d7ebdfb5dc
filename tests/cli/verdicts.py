#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What became of a solve is said alike by text, exit code, JSON and page, in every way to solve, by studies and by a server: verdicts.py BOLZA.

Ways × outcomes: each is run twice, with and without --json. What is expected stands in the tables; that the problems are
solved or infeasible follows from how far x comes within a second.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE / "models/verdicts.mop"
OUTCOMES = HERE / "models/verdict_outcomes.csv"
WAYS = {  # arguments, class; the problem is infeasible with this goal
    "as it is written": (["--nonsmooth", "written"], "Reach", 5),
    "smooth functions": (["--smooth", "1e-3"], "Reach", 5),
    "modes": (["--nonsmooth", "modes"], "Reach", 5),
    "complementarity": (["--nonsmooth", "complementarity"], "Reach", 5),
    "a chain": (["--chain", "euler(mesh=10) -> radau(mesh=10)"], "Reach", 5),
    "multiple shooting": (["--method", "hqp+dopri5", "--mesh", "10"], "Reach", 5),
    "scenarios": (["--scenarios", str(OUTCOMES)], "Reach", 5),
    "a probability": (["--scenarios", str(OUTCOMES), "--chance", "0.5"], "Reach", 5),
    "a weighted objective": (["--objectives", "x(finalTime)^2 + 0.1*u(0)^2"], "Reach", 5),
    "phases": ([], "Halves", 5),
    "single shooting": (["--method", "ipopt+cvodes"], "Slide", 5),
    "the engine barrier": (["--nlp", "barrier"], "Slide", 5),
    "arcs of controls": (["--control", "structure"], "Slide", 5),
    "Pontryagin's conditions": (["--method", "indirect"], "Slide", 5),
    "Pontryagin's conditions by shooting": (["--method", "bndsco+rk4"], "Slide", 5),
}
WARNED = {  # class, arguments, kinds of its warnings
    "integers as reals": ("Steps", ["--integers", "relax", "--nonsmooth", "written"], {"integers_relaxed"}),
    "integers as reals, in modes": ("Steps", ["--integers", "relax", "--nonsmooth", "modes"], {"integers_relaxed"}),
    "smoothed": ("Reach", ["--nonsmooth", "smooth"], {"smoothed"}),
    "integers as reals, smoothed": ("Steps", ["--integers", "relax", "--nonsmooth", "smooth"], {"integers_relaxed", "smoothed"}),
}
CODES = {"solved": 0, "solved_with_warnings": 4, "not_solved": 1}
faults = []


def solve(bolza, arguments, folder):
    mesh = [] if {"--mesh", "--chain"} & set(arguments) else ["--mesh", "10"]
    done = subprocess.run([bolza, "solve", MODEL, *arguments, *mesh, "--output", folder / "result.mat"], capture_output=True, text=True)
    return done.returncode, done.stdout


def expect(case, what, value, expected):
    if value != expected:
        faults.append(f"{case}: {what} is {value!r}, expected {expected!r}")


def look(bolza, case, arguments, verdict, kinds=None):
    """Text, code, JSON and page of one case."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        page = folder / "page.html"
        code, text = solve(bolza, [*arguments, "--report", page], folder)
        json_code, printed = solve(bolza, [*arguments, "--json"], folder)
        report = json.loads(printed)
        first = text.splitlines()[0].split(": ", 1)[1]
        expect(case, "the exit code", code, CODES[verdict])
        expect(case, "the exit code with --json", json_code, CODES[verdict])
        expect(case, "the verdict", report["verdict"], verdict)
        said = {"solved": "solved", "solved_with_warnings": "solved, with warnings"}.get(verdict)
        if said:
            expect(case, "the text", first, said)
        else:
            expect(case, "the text begins with the status", first.split(":")[0], report["status"].replace("_", " "))
        shown = re.search(r"<span class='status (\w+)'>([^<]*)</span>", page.read_text(encoding="utf8"))
        expect(case, "the page", (shown[1], shown[2]), ({"solved": "solved", "solved_with_warnings": "acceptable"}.get(verdict, "failed"), first))
        own = {warning["kind"] for warning in report.get("warnings", [])}
        if verdict == "solved":
            expect(case, "warnings", own, set())
        if kinds:
            expect(case, "kinds of warnings", own, kinds)
        expect(case, "lines with warnings", sum(line.startswith("  warning ") for line in text.splitlines()), len(report.get("warnings", [])))


def look_at_points(bolza, case, arguments, verdict):
    """The same of objectives in order and of fronts, whose points have verdicts of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output = ["--output", folder / "front.csv"] if "--pareto" in arguments else []
        code, text = solve(bolza, arguments, folder) if not output else front(bolza, arguments, output)
        json_code, printed = solve(bolza, [*arguments, "--json"], folder) if not output else front(bolza, [*arguments, "--json"], output)
        report = json.loads(printed)
        expect(case, "the exit code", code, CODES[verdict])
        expect(case, "the exit code with --json", json_code, CODES[verdict])
        worst = max((point["verdict"] for point in report["points"]), key=["solved", "solved_with_warnings", "not_solved"].index)
        expect(case, "the worst verdict of the points", worst, verdict)
        if verdict == "solved_with_warnings":
            expect(case, "points with warnings in the text", "with warnings" in text, True)


def front(bolza, arguments, output):
    done = subprocess.run([bolza, "solve", MODEL, *arguments, *output], capture_output=True, text=True)
    return done.returncode, done.stdout


# Of three points one each is solved, solved with warnings, and infeasible.
POINTS = {"solved": ["Slide", "--set", "goal=0.5"], "solved_with_warnings": ["Steps", *WARNED["integers as reals"][1], "--set", "goal=0.5"], "not_solved": ["Slide", "--set", "goal=5", "--retry", "false"]}


def look_at_studies(bolza):
    """A study's points have the verdicts of their solves, in its table and in its counts."""
    for verdict, arguments in POINTS.items():
        with tempfile.TemporaryDirectory() as name:
            study = pathlib.Path(name) / "study"
            varied = [word.replace("goal=", "goal=choices(") + ")" if word.startswith("goal=") else word for word in arguments]
            done = subprocess.run([bolza, "sweep", MODEL, *varied, "--mesh", "10", "--json", "-o", study], capture_output=True, text=True)
            expect(f"a study, {verdict}", "the exit code", done.returncode, CODES[verdict])
            counts = json.loads(done.stdout)
            expect(f"a study, {verdict}", "counts", {key: counts[key] for key in CODES}, {key: int(key == verdict) for key in CODES})
            table = subprocess.run([bolza, "study", "table", study], capture_output=True, text=True).stdout.splitlines()
            row = dict(zip(table[0].split(","), table[1].split(",")))
            expect(f"a study, {verdict}", "the table", row["verdict"], verdict)


def look_at_server(bolza):
    """A job of a server ends as the same command does here."""
    sys.path.insert(0, str(HERE.parent / "server"))
    from harness import Server
    with Server(bolza) as server, tempfile.TemporaryDirectory() as name:
        environment = dict(os.environ, BOLZA_TOKEN=server.token(server.user("client")).token)
        for verdict, arguments in POINTS.items():
            command = [server.bolza, "solve", MODEL, *arguments, "--mesh", "10", "--server", f"http://127.0.0.1:{server.port}", "-o", pathlib.Path(name) / "r.mat"]
            done = subprocess.run([*command, "--json"], env=environment, capture_output=True, text=True)
            expect(f"a server, {verdict}", "the exit code", done.returncode, CODES[verdict])
            expect(f"a server, {verdict}", "the verdict", json.loads(done.stdout)["verdict"], verdict)


def has_server(bolza):
    return subprocess.run([bolza, "jobs", "--server", "http://127.0.0.1:1", "--json"], capture_output=True, text=True).stdout.find("E906") < 0


def main():
    bolza = str(pathlib.Path(sys.argv[1]).resolve())
    for way, (arguments, name, goal) in WAYS.items():
        look(bolza, way, [name, *arguments], "solved")
        once = [] if way in ("modes", "complementarity") else ["--retry", "false"]  # these are tried after the attempts
        look(bolza, f"{way}, infeasible", [name, *arguments, *once, "--set", f"goal={goal}"], "not_solved")
    for way, (name, arguments, kinds) in WARNED.items():
        look(bolza, way, [name, *arguments], "solved_with_warnings", kinds)
    both = ["--objectives", "x(finalTime)^2, integral((u - 1)^2)", "--pareto", "2"]
    order = ["--objectives", "x(finalTime)^2 > integral((u - 1)^2)"]
    for way, arguments in {"a front": both, "objectives in order": order}.items():
        look_at_points(bolza, way, ["Reach", *arguments], "solved")
        look_at_points(bolza, f"{way}, with warnings", ["Steps", "--integers", "relax", *arguments], "solved_with_warnings")
        look_at_points(bolza, f"{way}, infeasible", ["Reach", *arguments, "--set", "goal=5"], "not_solved")
    look_at_studies(bolza)
    if has_server(bolza):
        look_at_server(bolza)
    print("\n".join(faults) or "every way says the same of what became of it")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
