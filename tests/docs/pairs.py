#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every pair of "What goes together" in docs/measured/methods.md is tried: pairs.py BOLZA [PAGE].

What a cell says is what happens, on problems of tests/docs/models/pairs.mop with a mesh of a few intervals:

    yes  any objective: solved; and so is one with a constraint
    s    sums of squares of values at points, and integrals of squares; others are refused
    p    sums of squares of values at points; integrals of squares and others are refused
    b    any objective; a constraint that is no bound is refused
    –    everything is refused
    i    integers too; without it they are refused

Of a cell's problems one that is solved and one that is refused are tried, another one in each cell; with BOLZA_ALL, which scripts/test --all sets, all five.
Refused: exit code 2. Solved: 0, or 4 with a warning, and the objective is that of the problem, but for a mesh that is coarse; in whole
numbers that of the engine `ipopt`.
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "tests/docs/models/pairs.mop"
TITLE = "## What goes together"
# For each mark: the problems that are solved; all others are refused.
SOLVED = {"yes": {"Regulator", "Points", "Integral", "Constrained"}, "s": {"Points", "Integral"}, "p": {"Points"},
          "b": {"Regulator", "Points", "Integral"}, "–": set()}
TRIED = {"Regulator": 4, "Points": 8, "Integral": 4, "Constrained": 4, "Whole": 2}  # mesh intervals
DEFAULT = ("radau", "–", "ipopt")  # what the objectives are compared with


def table(page):
    """(transcription, integrator, engine, mark) of every cell."""
    lines = page.read_text(encoding="utf8").split(TITLE, 1)[1].splitlines()
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines if line.startswith("|")]
    engines = rows[0][2:]
    return [(row[0], row[1], engine, mark) for row in rows[2:] for engine, mark in zip(engines, row[2:])]


def solve(bolza, triple, problem, folder):
    """Exit code and objective."""
    transcription, integrator, engine = triple
    command = [bolza, "solve", str(MODELS), problem, "--transcription", transcription, "--nlp", engine, "--mesh", str(TRIED[problem]),
               "--output", f"{folder}/{'_'.join(triple)}_{problem}.mat", "--resimulate", "false", "--json"]
    command += ["--integrator", integrator] if integrator != "–" else []
    command += [] if re.match("–|cvodes|idas", integrator) else ["--option", "fixed_step=0.1"]  # a step of 1e-10's error takes Euler minutes
    command += ["--hessian", "gauss-newton"] if engine == "nlsq" else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False)
    try:
        return done.returncode, json.loads(done.stdout).get("objective"), done.stderr
    except ValueError:
        return done.returncode, None, done.stderr


def wanted_of(mark):
    letters = mark.split(", ")
    return {problem for problem in TRIED if ("i" in letters if problem == "Whole" else problem in SOLVED[letters[0]])}


def tried(mark, number):
    """The problems of the cell of this number."""
    if os.environ.get("BOLZA_ALL"):
        return list(TRIED)
    wanted = wanted_of(mark)
    kinds = [[p for p in TRIED if p in wanted], [p for p in TRIED if p not in wanted]]
    return [kind[number % len(kind)] for kind in kinds if kind]


def judge_row(bolza, cells, reference, folder):
    """What is not as the cells of a scheme say, the engine that others are compared with first: on two intervals every scheme has its own optimum in
    whole numbers."""
    wrong, others = [], {problem for number, cell in cells for problem in tried(cell[3], number)}
    for number, cell in sorted(cells, key=lambda cell: cell[1][2] != DEFAULT[2]):
        is_first = cell[2] == DEFAULT[2] and "Whole" in others & wanted_of(cell[3])
        problems = tried(cell[3], number)
        found, whole = judge(bolza, cell, problems + ["Whole"] * (is_first and "Whole" not in problems), reference, folder)
        wrong += found
        if cell[2] == DEFAULT[2]:
            reference = {**reference, "Whole": whole}
    return wrong


def judge(bolza, cell, problems, reference, folder):
    """What is not as the cell says, and its objective in whole numbers."""
    *triple, mark = cell
    wrong, whole = [], None
    for problem in problems:
        wanted = problem in wanted_of(mark)
        code, objective, said = solve(bolza, triple, problem, folder)
        where = f"{' '.join(triple)}, `{mark}`, {problem}: "
        if not wanted and code != 2:
            wrong.append(f"{where}should be refused, ended with {code}")
        elif wanted and code not in (0, 4):
            wrong.append(f"{where}should be solved, ended with {code}: {said[:200]}")
        elif wanted and reference.get(problem) is not None and abs(objective - reference[problem]) > 0.3 * abs(reference[problem]) + 1e-3:
            wrong.append(f"{where}objective {objective}, by {DEFAULT[0]} {reference[problem]}")
        whole = objective if problem == "Whole" else whole
    return wrong, whole


def main():
    bolza = shutil.which(sys.argv[1]) or sys.exit(f"there is no program {sys.argv[1]}")
    cells = table(pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/measured/methods.md")
    os.environ.setdefault("BOLZA_STDLIB", str(ROOT / "stdlib"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reference = {problem: solve(bolza, DEFAULT, problem, folder)[1] for problem in TRIED if problem != "Whole"}
        rows = [list(row) for _, row in itertools.groupby(enumerate(cells), key=lambda cell: cell[1][:2])]
        found = list(pool.map(lambda row: judge_row(bolza, row, reference, folder), rows))
    wrong = [line for lines in found for line in lines]
    runs = sum(len(tried(cell[3], number)) for number, cell in enumerate(cells))
    print("\n".join(wrong + [f"{len(cells)} pairs, {runs} runs on {len(TRIED)} problems, {len(wrong)} are not as the table says"]))
    return 1 if wrong or not cells else 0


if __name__ == "__main__":
    sys.exit(main())
