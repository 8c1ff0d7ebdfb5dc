#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Regulators with a delayed state against the boundary value problem of their necessary conditions: delayed_regulators.py BOLZA.

x' = A(t) x + D x(t - tau) + B u, minimise the integral of x' Q x + u^2 over N tau: the pieces of length tau lie side by side, states and costates
are one linear boundary value problem of 2 N n equations without delays, which Runge and Kutta's method and superposition solve.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MODELS = pathlib.Path(__file__).resolve().parent.parent / "cli" / "models" / "published_delays.mop"


class Regulator:
    def __init__(self, pieces, tau, A, D, B, Q, start):
        self.N, self.tau, self.A, self.D, self.B, self.Q, self.start, self.n = pieces, tau, A, D, B, Q, start, len(start)

    def rates(self, s, X, P, past):
        n, dX, dP = self.n, [], []
        for k in range(self.N):
            A, x, p = self.A(k * self.tau + s), X[k], P[k]
            before, after = X[k - 1] if k else past, P[k + 1] if k + 1 < self.N else [0] * n
            u = -sum(self.B[i] * p[i] for i in range(n)) / 2
            dX.append([sum(A[i][j] * x[j] + self.D[i][j] * before[j] for j in range(n)) + self.B[i] * u for i in range(n)])
            dP.append([-2 * self.Q[i] * x[i] - sum(A[j][i] * p[j] + self.D[j][i] * after[j] for j in range(n)) for i in range(n)])
        return dX, dP

    def integrand(self, X, P):
        n = self.n
        return sum(sum(self.Q[i] * x[i] ** 2 for i in range(n)) + (sum(self.B[i] * p[i] for i in range(n)) / 2) ** 2 for x, p in zip(X, P))

    def integrate(self, X, P, past, steps):
        """The ends of all pieces and the objective."""
        h, total = self.tau / steps, 0.0

        def moved(state, slopes, by):
            return [[v + by * d for v, d in zip(*row)] for row in zip(state, slopes)]

        for k in range(steps):
            s, slopes, values, at = k * h, [], [], (X, P)
            for by, place in ((h / 2, 0), (h / 2, h / 2), (h, h / 2), (None, h)):
                slopes.append(self.rates(s + place, *at, past))
                values.append(self.integrand(*at))
                if by:
                    at = moved(X, slopes[-1][0], by), moved(P, slopes[-1][1], by)
            for slope, share in zip(slopes, (h / 6, h / 3, h / 3, h / 6)):
                X, P = moved(X, slope[0], share), moved(P, slope[1], share)
            total += h / 6 * (values[0] + 2 * values[1] + 2 * values[2] + values[3])
        return X, P, total

    def starts(self, unknown, first):
        """States at the starts of all pieces but the first one, then costates at all of them."""
        n = self.n
        rows = [unknown[k * n:(k + 1) * n] for k in range(2 * self.N - 1)]
        return [list(first)] + rows[:self.N - 1], rows[self.N - 1:]

    def gaps(self, unknown, first, steps):
        """Pieces go over into each other; the costates end at zero."""
        X0, P0 = self.starts(unknown, first)
        X, P, _ = self.integrate(X0, P0, first, steps)
        out = [end - begin for k in range(self.N - 1) for ends, begins in ((X[k], X0[k + 1]), (P[k], P0[k + 1]))
               for end, begin in zip(ends, begins)]
        return out + P[-1]

    def objective(self, steps):
        m = (2 * self.N - 1) * self.n
        offset = self.gaps([0.0] * m, self.start, steps)
        columns = [self.gaps([float(i == c) for i in range(m)], [0.0] * self.n, steps) for c in range(m)]
        unknown = solve([[column[i] for column in columns] for i in range(m)], [-g for g in offset])
        return self.integrate(*self.starts(unknown, self.start), self.start, steps)[2]


def solve(A, b):
    """By elimination with pivoting."""
    n = len(b)
    rows = [list(A[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            if factor := rows[i][k] / rows[k][k]:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def main():
    bolza, failures = os.path.abspath(sys.argv[1]), []
    cases = {  # regulator, steps a piece, what is published, relative to which tolerance
        "Growing": (Regulator(2, 1.0, lambda t: [[t]], [[1]], [1], [1], [1.0]), 100, 4.796108525, 2e-4),
        "Oscillator": (Regulator(20, 0.25, lambda t: [[0, 1], [-10, -5]], [[0, 0], [-2, -1]], [0, 2 ** 0.5], [5, 0.5], [1.0, 1.0]), 20,
                       2.525970856, 1e-4)}
    for name, (regulator, steps, published, share) in cases.items():
        coarse, fine = regulator.objective(steps // 2), regulator.objective(steps)
        exact = fine + (fine - coarse) / 15  # of fourth order
        for method in (["--refine", "1e-8"], ["--method", "multiple-shooting", "--integrator", "dopri5"]):
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([bolza, "solve", str(MODELS), name, *method, "--json", "-o", "a.mat"], cwd=folder,
                                      capture_output=True, text=True, timeout=1200, check=False)
            value = json.loads(done.stdout)["objective"]
            for what, reference, tolerance in (("boundary value problem", exact, 3e-7), ("published", published, share * published)):
                print(f"{name} {' '.join(method)}: {value}, {what} {reference}, apart by {value - reference:.1e}, allowed {tolerance:.1e}")
                if not abs(value - reference) <= tolerance:
                    failures.append(name)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
