# SPDX-License-Identifier: Apache-2.0
"""Optimal controls of models of the Modelica library (folder library): rows for scripts/corpora.

Two are linear with ∫u² as the objective, so the optimum is known: with W(T) = ∫ e^{As} B B' e^{A's} ds it is x_f' W(T)⁻¹ x_f.
A and B are written down here from the circuit and the drive train, not taken from the model. Each is solved by two
transcriptions. The third has an ideal diode, and is solved by each way for equations that are not smooth; its optimum is that
of the minimum principle.
"""
import json
import math
import os
import pathlib
import subprocess
import time

FOLDER = pathlib.Path(__file__).resolve().parent / "library"


def solve(A, b):
    """x with A x = b, by elimination with pivoting; b a list of columns."""
    n = len(A)
    rows = [list(A[i]) + [column[i] for column in b] for i in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return [[rows[i][n + c] / rows[i][i] for i in range(n)] for c in range(len(b))]


def gramian(A, B, T, steps):
    """W' = A W + W A' + B B', W(0) = 0, by the classical Runge–Kutta method."""
    n = len(A)

    def rate(W):
        AW = [[sum(A[i][k] * W[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
        return [[AW[i][j] + AW[j][i] + B[i] * B[j] for j in range(n)] for i in range(n)]

    def moved(W, K, h):
        return [[W[i][j] + h * K[i][j] for j in range(n)] for i in range(n)]

    W, h = [[0.0] * n for _ in range(n)], T / steps
    for _ in range(steps):
        k1 = rate(W)
        k2 = rate(moved(W, k1, h / 2))
        k3 = rate(moved(W, k2, h / 2))
        k4 = rate(moved(W, k3, h))
        W = [[W[i][j] + h / 6 * (k1[i][j] + 2 * k2[i][j] + 2 * k3[i][j] + k4[i][j]) for j in range(n)] for i in range(n)]
    return W


def least_effort(A, B, target, T, steps):
    solution = solve(gramian(A, B, T, steps), [target])[0]
    return sum(x * y for x, y in zip(target, solution))


def cauer():
    """Voltages of C1, C3, C5 and currents of L1, L2; C2 and C4 lie next to the inductors; one ohm at both ends."""
    l1, l2, c1, c3, c5 = 1.304, 0.8586, 1.072, 1.682, 0.7262
    c2, c4 = 1 / (1.704992 ** 2 * l1), 1 / (1.179945 ** 2 * l2)
    M = [[c1 + c2, -c2, 0], [-c2, c2 + c3 + c4, -c4], [0, -c4, c4 + c5]]
    columns = [[-1, 0, 0], [0, 0, 0], [0, 0, -1], [-1, 1, 0], [0, -1, 1], [1, 0, 0]]  # by v1 v3 v5 i1 i2 u
    by = solve(M, [[float(x) for x in column] for column in columns])
    A = [[by[j][i] for j in range(5)] for i in range(3)] + [[1 / l1, -1 / l1, 0, 0, 0], [0, 1 / l2, -1 / l2, 0, 0]]
    return least_effort(A, by[5] + [0, 0], [0.5] * 5, 10, 4000)


def drive_train():
    """Speeds of the motor (seen behind the gear) and of the load, twist of the shaft."""
    J, load, c, d, ratio = 2 + 0.1 * 10 ** 2, 2, 400, 10, 10
    A = [[-d / J, 0, c / J], [0, 0, -c / load], [-1, 1, 0]]
    return least_effort(A, [ratio / J, 0, 0], [1, 1, 0], 1, 4000)


def rectifier():
    """v' = i - v/5 + u, i of sin 6t - v by the diode in series with half an ohm; u = -p/2, p' = -p di/dv, p(T) = 20 (v(T) - 0.7).

    The current is continuous and has kinks, so that Runge and Kutta's method is of second order; p(0) by the secant method.
    """
    on, off, steps = 1 / (0.5 + 1e-2), 1e-2 / (1 + 0.5e-2), 20000
    h = 2 / steps

    def rate(t, v, p):
        e = math.sin(6 * t) - v
        slope, u = on if e > 0 else off, min(1, max(-1, -p / 2))
        return slope * e - 0.2 * v + u, (slope + 0.2) * p, u * u

    def shoot(p):
        v = cost = 0.0
        for k in range(steps):
            t = k * h
            a = rate(t, v, p)
            b = rate(t + h / 2, v + h / 2 * a[0], p + h / 2 * a[1])
            c = rate(t + h / 2, v + h / 2 * b[0], p + h / 2 * b[1])
            d = rate(t + h, v + h * c[0], p + h * c[1])
            v, p, cost = (x + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) for i, x in enumerate((v, p, cost)))
        return p - 20 * (v - 0.7), cost + 10 * (v - 0.7) ** 2

    first, last = 0.0, -0.01
    (gap, _), (end, cost) = shoot(first), shoot(last)
    while abs(end) > 1e-10:
        first, last, gap = last, last - end * (last - first) / (end - gap), end
        end, cost = shoot(last)
    return cost


# The references are exact to nine digits; polynomials of three points on 50 intervals are to about six, smooth functions of width 1e-4
# to as many, products relaxed by 1e-7 on a refined mesh to three or four.
LINEAR = [(["--transcription", "radau", "--mesh", "50"], 1e-5), (["--transcription", "hermite-simpson", "--mesh", "400"], 1e-5)]
WAYS = [(["--nonsmooth", "modes"], 1e-6), (["--nonsmooth", "smooth"], 1e-5), (["--nonsmooth", "complementarity"], 1e-3)]
CASES = [("cauer_transfer.mop", "CauerTransfer", cauer, LINEAR), ("drive_train.mop", "DriveTrain", drive_train, LINEAR),
         ("rectifier.mop", "Rectifier", rectifier, WAYS)]


def rows(bolza, library, scratch, only=None):
    """(within tolerance, entry, value, relative difference, note, seconds) for each problem and transcription."""
    environment = dict(os.environ, MODELICAPATH=str(library))
    for file, name, oracle, runs in CASES:
        if only and only not in name:
            continue
        reference = oracle()
        for options, tolerance in runs:
            entry = {"class": f"{name} ({options[1]})", "kind": "cost", "reference": reference, "rtol": tolerance}
            began, value, error = time.time(), None, float("inf")
            command = [str(bolza), "solve", str(FOLDER / file), *options, "--json", "--output", "library.mat"]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=scratch, env=environment)
                report = json.loads(done.stdout)
                value, note = report.get("objective"), f"{report.get('status')}, {report.get('iterations')} iterations"
                if report.get("status", "").startswith("solved"):
                    error = abs(value - reference) / reference
            except (ValueError, subprocess.TimeoutExpired) as reason:
                note = str(reason)[:120]
            yield error <= entry["rtol"], entry, value, error, note, time.time() - began
