#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The truths of tests/truth that no formula of one line gives, in 80 digits: closed_forms.py.

Least energy: of all u that take x' = A x + b u from x0 to x1 within T, the least integral of u^2 is d' W^-1 d with d = x1 - exp(A T) x0 and
W = integral of exp(A s) b b' exp(A' s) over [0, T] [Kalman 1960]. exp(A T) and W come from one exponential, of [[-A, bb'], [0, A']] T
[Van Loan 1978], by Taylor's series of a matrix that is halved until it is small, then squared.
Roots: of scalar equations, by bisection.
"""
import decimal
import math
from decimal import Decimal as D

decimal.getcontext().prec = 80


def product(a, b):
    columns = list(zip(*b))
    return [[sum((x * y for x, y in zip(row, column) if x and y), D(0)) for column in columns] for row in a]


def identity(n):
    return [[D(int(i == j)) for j in range(n)] for i in range(n)]


def exponential(a):
    n, halvings = len(a), 0
    size = max(sum(abs(x) for x in row) for row in a)
    while size > D("0.25"):
        size, halvings = size / 2, halvings + 1
    a = [[x / 2 ** halvings for x in row] for row in a]
    total, term, k = identity(n), identity(n), 0
    while max(abs(x) for row in term for x in row) > D("1e-90"):
        k += 1
        term = [[x / k for x in row] for row in product(term, a)]
        total = [[x + y for x, y in zip(r, s)] for r, s in zip(total, term)]
    for _ in range(halvings):
        total = product(total, total)
    return total


def solution(a, b):
    """x of a x = b by elimination with pivots."""
    n = len(b)
    rows = [list(row) + [y] for row, y in zip(a, b)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    x = [D(0)] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def least_energy(a, b, start, end, horizon):
    n, horizon = len(a), D(horizon)
    a, b, start, end = [[D(x) for x in row] for row in a], [D(x) for x in b], [D(x) for x in start], [D(x) for x in end]
    block = [[-a[i][j] * horizon for j in range(n)] + [b[i] * b[j] * horizon for j in range(n)] for i in range(n)]
    block += [[D(0)] * n + [a[j][i] * horizon for j in range(n)] for i in range(n)]
    whole = exponential(block)
    flow = [[whole[n + j][n + i] for j in range(n)] for i in range(n)]  # exp(A T)
    gramian = product(flow, [row[n:] for row in whole[:n]])
    miss = [e - sum(f * s for f, s in zip(row, start)) for e, row in zip(end, flow)]
    return sum(x * y for x, y in zip(solution(gramian, miss), miss))


def rod(masses, stiffness):
    """masses in a row, one at each place, neighbours joined by springs, the force on the first: x, then v."""
    n = masses
    a = [[0] * (2 * n) for _ in range(2 * n)]
    for i in range(n):
        a[i][n + i] = 1
        for j in (i - 1, i + 1):
            if 0 <= j < n:
                a[n + i][j] += stiffness
                a[n + i][i] -= stiffness
    return a, [0] * n + [1] + [0] * (n - 1)


def root(f, low, high):
    low, high = D(low), D(high)
    rising = f(high) > 0
    for _ in range(260):
        middle = (low + high) / 2
        if (f(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return low


def far_end_cost(weight, start):
    """least weight (start - y)^2 + exp(y) + exp(-y)"""
    y = root(lambda y: y.exp() - (-y).exp() - 2 * D(weight) * (D(start) - y), -1, 10)
    return D(weight) * (D(start) - y) ** 2 + y.exp() + (-y).exp()


def least(f, slope, low, high):
    return f(root(slope, low, high))


def least_between(f, low, high):
    """Of a function with one minimum between, in doubles."""
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if f(left) < f(right) else (left, high)
    return f(low)


def main():
    for masses, stiffness, horizon in ((6, 100, 4), (12, 400, 3), (20, 1600, 2)):
        a, b = rod(masses, stiffness)
        print(f"rod of {masses} masses, stiffness {stiffness}, {horizon} s:", f"{least_energy(a, b, [0] * 2 * masses, [1] * masses + [0] * masses, horizon):.15g}")
    for n in (5, 7):
        modes = [[-(k + 1) ** 2 if k == j else 0 for j in range(n)] for k in range(n)]
        print(f"{n} modes -k^2, 1 s:", f"{least_energy(modes, [1] * n, [0] * n, ([1, -1] * n)[:n], 1):.15g}")
    for w in ("1.01", "1.0001"):
        two = [[0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1], [0, 0, -D(w) * D(w), 0]]
        print(f"two oscillators, 1 and {w}, 10 s:", f"{least_energy(two, [0, 1, 0, 1], [0, 0, 0, 0], [1, 0, -1, 0], 10):.15g}")
    print("clocks, 1 s:", f"{least_energy([[0, 0], [D('1e-5'), 0]], [1, 1], [0, 0], [1, 0], 1):.15g}")
    print("four modes 1, 2, 3, 4 (unstable), 10 s:", f"{least_energy([[k + 1 if k == j else 0 for j in range(4)] for k in range(4)], [1] * 4, [1] * 4, [0] * 4, 10):.15g}")
    print("linear pendulum, 20 s:", f"{least_energy([[0, 1], [1, 0]], [0, 1], [1, 0], [0, 0], 20):.15g}")
    print("x'' = 4 x + u, from (1, 0) to (-1, 0), 8 s:", f"{least_energy([[0, 1], [4, 0]], [0, 1], [1, 0], [-1, 0], 8):.15g}")
    for weight, start in (("1e-4", 40), ("1", 40), ("1e-2", 30)):
        print(f"end cost, weight {weight}, from {start}:", f"{far_end_cost(weight, start):.15g}")
    print("(p^2 - 1)^2 + 0.3 p:", f"{least(lambda p: (p * p - 1) ** 2 + D('0.3') * p, lambda p: 4 * p * (p * p - 1) + D('0.3'), -2, '-0.8'):.15g}")
    print("0.01 (y - 0.5)^2 + 10 (y^2 - 1)^2 + 0.5 y:",
          f"{least(lambda y: D('0.01') * (y - D('0.5')) ** 2 + 10 * (y * y - 1) ** 2 + y / 2, lambda y: D('0.02') * (y - D('0.5')) + 40 * y * (y * y - 1) + D('0.5'), -2, '-0.8'):.15g}")
    print("y^3 - y = 0.3, the square of the root nearest to 0:", f"{root(lambda y: y ** 3 - y - D('0.3'), '-0.5', 0) ** 2:.15g}")
    print("sin 5y + 0.1 y^2 + 0.02 (y - 3)^2:", f"{least_between(lambda y: math.sin(5 * y) + 0.1 * y * y + 0.02 * (y - 3) ** 2, 0.7, 1.2):.15g}")
    print("cos 3T + 0.02 T^2:", f"{least_between(lambda t: math.cos(3 * t) + 0.02 * t * t, 0.8, 1.3):.15g}")
    print("(y^2 - 1)^2 + 0.3 y + 0.003 (y - 1)^2:", f"{least_between(lambda y: (y * y - 1) ** 2 + 0.3 * y + 0.003 * (y - 1) ** 2, -1.3, -0.7):.15g}")


if __name__ == "__main__":
    main()
