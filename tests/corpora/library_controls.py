"""Optimal controls of models of the Modelica library, stated by `extends` (folder library): rows for scripts/corpora.

Both are linear with ∫u² as the objective, so the optimum is known: with W(T) = ∫ e^{As} B B' e^{A's} ds it is x_f' W(T)⁻¹ x_f.
A and B are written down here from the circuit and the drive train, not taken from the model. Each is solved by two
transcriptions.
"""
import json
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
    """Voltages of C1, C3, C5 and currents of L1, L2; C2 and C4 lie beside the inductors; one ohm at both ends."""
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


# The reference is exact to ten digits; polynomials of three points on 50 intervals are to about six.
CASES = [("cauer_transfer.mop", "CauerTransfer", cauer), ("drive_train.mop", "DriveTrain", drive_train)]
TRANSCRIPTIONS = [["--transcription", "radau"], ["--transcription", "hermite-simpson", "--mesh", "400"]]


def rows(bolza, library, scratch, only=None):
    """(within tolerance, entry, value, relative difference, note, seconds) for each problem and transcription."""
    environment = dict(os.environ, MODELICAPATH=str(library))
    for file, name, oracle in CASES:
        if only and only not in name:
            continue
        reference = oracle()
        for transcription in TRANSCRIPTIONS:
            mesh = [] if "--mesh" in transcription else ["--mesh", "50"]
            entry = {"class": f"{name} ({transcription[1]})", "kind": "cost", "reference": reference, "rtol": 1e-5}
            began, value, error = time.time(), None, float("inf")
            command = [str(bolza), "solve", str(FOLDER / file), *transcription, *mesh, "--json", "--output", "library.mat"]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=scratch, env=environment)
                report = json.loads(done.stdout)
                value, note = report.get("objective"), f"{report.get('status')}, {report.get('iterations')} iterations"
                if report.get("status") == "solved":
                    error = abs(value - reference) / reference
            except (ValueError, subprocess.TimeoutExpired) as reason:
                note = str(reason)[:120]
            yield error <= entry["rtol"], entry, value, error, note, time.time() - began
