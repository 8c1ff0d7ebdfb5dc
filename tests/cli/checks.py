# SPDX-License-Identifier: Apache-2.0
"""What a `check` line of a command-line test may say; run.py lists it. A failure is an exception that names both numbers and the tolerance."""
import cmath
import csv
import math
import re


class Failed(Exception):
    pass


class Values(dict):
    """A JSON object: final.x is final['x'], final['x', 'y'] is the list of both. What is not there fails the check."""

    def __getitem__(self, name):
        if isinstance(name, tuple):
            return [self[one] for one in name]
        if name not in self:
            raise Failed(f"there is no `{name}`" + (f", there is {', '.join(map(str, list(self)[:12]))}" if self else ""))
        return dict.__getitem__(self, name)

    def __getattribute__(self, name):
        if name.startswith("__") or (name not in self and hasattr(dict, name)):
            return dict.__getattribute__(self, name)
        return self[name]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def pairs(value, expected, path=""):
    """(path, number, expected number) of everything in two values of the same form; `expected` may be one number for many."""
    if isinstance(value, dict):
        if isinstance(expected, dict) and set(value) != set(expected):
            raise Failed(f"value{path} has {', '.join(map(str, sorted(value))) or 'nothing'}, not {', '.join(map(str, sorted(expected))) or 'nothing'}")
        found = [pairs(v, expected[k] if isinstance(expected, dict) else expected, f"{path}[{k!r}]") for k, v in dict.items(value)]
    elif isinstance(value, (list, tuple)):
        if isinstance(expected, (list, tuple)) and len(value) != len(expected):
            raise Failed(f"value{path} has {len(value)} elements, not {len(expected)}")
        found = [pairs(v, expected[k] if isinstance(expected, (list, tuple)) else expected, f"{path}[{k}]") for k, v in enumerate(value)]
    else:
        if not is_number(value) or not is_number(expected):
            raise Failed(f"value{path} is {value!r}, compared with {expected!r}: not numbers both")
        return [(path, value, expected)]
    return [pair for part in found for pair in part]


def numbers(values):
    return [value for _, value, _ in pairs(values, 0)]


def every(found, what):
    """Nothing to compare is a mistake of the test, not a success."""
    if not found:
        raise Failed(f"nothing is {what}: there is no number")
    return found


def near(value, expected, tolerance=None, *, rel=None):
    if (tolerance is None) == (rel is None):
        raise Failed("near takes a tolerance or rel=")
    worst, wrong = None, 0
    for path, a, b in every(pairs(value, expected), "compared"):
        allowed = tolerance if rel is None else rel * abs(b)
        off = abs(a - b)
        if a == b or off < allowed:
            continue
        wrong += 1
        share = off / allowed if allowed > 0 and not math.isnan(off) else math.inf
        if worst is None or share > worst[0]:
            worst = share, path, a, b, off, allowed
    if worst:
        _, path, a, b, off, allowed = worst
        more = f" ({wrong} differ, this most)" if wrong > 1 else ""
        raise Failed(f"value{path} is {a!r}, expected {b!r}: off by {off:.3g}, tolerance {allowed:.3g}{more}")


def matches(value, expected):
    if value != expected:
        raise Failed(f"value is {value!r}, expected {expected!r}")


def below(value, limit):
    for path, a, b in every(pairs(value, limit), "below"):
        if not a < b:
            raise Failed(f"value{path} is {a!r}, not below {b!r}")


def between(value, low, high):
    for path, a, _ in every(pairs(value, 0), "between"):
        if not low < a < high:
            raise Failed(f"value{path} is {a!r}, not between {low!r} and {high!r}")


def ratio(a, b, low, high):
    of = a / b if b else math.nan
    if not low < of < high:
        raise Failed(f"{a!r} / {b!r} = {of:.6g}, not between {low!r} and {high!r}")


def monotone(values, way):
    sign = {"rising": 1, "falling": -1}[way]
    values = every(numbers(values), way)
    for k in range(1, len(values)):
        if not sign * (values[k] - values[k - 1]) > 0:
            raise Failed(f"not {way}: {values[k]!r} after {values[k - 1]!r}, elements {k - 1} and {k} of {len(values)}")


def different(values):
    for k, value in enumerate(values):
        if value in values[:k]:
            raise Failed(f"elements {values.index(value)} and {k} are the same: {value!r}")


def has(value, name):
    if name not in value:
        raise Failed(f"`{name}` is not among {', '.join(map(str, value)) or 'nothing'}")


def lacks(value, name):
    if name in value:
        raise Failed(f"`{name}` is among {', '.join(map(str, value))}")


def largest(values):
    return max(map(abs, numbers(values)))


def transposed(rows):
    return {c: {r: rows[r][c] for r in rows} for c in rows}


def times(rows, vector):
    return {r: sum(rows[r][c] * vector[c] for c in rows) for r in rows}


def numbered(names):
    return {name: k for k, name in enumerate(names, 1)}


def slopes(function, point):
    """The gradient of an analytic function of numbers, by complex steps: exact to rounding."""
    return [function(*(p + 1e-20j * (k == i) for k, p in enumerate(point))).imag * 1e20 for i in range(len(point))]


def curvatures(function, point, step=1e-5):
    """The Hessian, by central differences of the slopes: to about the square of the step."""
    moved = [[slopes(function, [p + s * (k == j) for k, p in enumerate(point)]) for s in (step, -step)] for j in range(len(point))]
    return [[(up[i] - down[i]) / (2 * step) for up, down in moved] for i in range(len(point))]


def cell(text):
    try:
        return float(text)
    except ValueError:
        return text


def table(path):
    """Columns of a CSV file by their names: lists of numbers, and of texts where a cell is none; constants, which stand in
    the first row alone, at all times."""
    with open(path, newline="", encoding="utf8") as file:
        rows = list(csv.reader(file))
    columns = {name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}
    once = {name for name, cells in columns.items() if cells and cells[0] and not any(cells[1:])}
    return Values({name: [cell(cells[0] if name in once else c) for c in cells] for name, cells in columns.items()})


def last_at(columns, name, time):
    """The last value of a column at a time, which may stand more than once."""
    return [v for t, v in zip(columns["time"], columns[name]) if t == time][-1]


def number_after(text, words):
    """The number that follows words in a text."""
    found = re.search(re.escape(words) + r"\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)", text)
    if not found:
        raise Failed(f"no number follows `{words}`")
    return float(found.group(1))


def either(real, complex_):
    return lambda x: complex_(x) if isinstance(x, complex) else real(x)


CHECKS = {f.__name__: f for f in (near, matches, below, between, ratio, monotone, different, has, lacks)}
HELPERS = {f.__name__: f for f in (largest, transposed, times, numbered, slopes, curvatures, table, last_at, number_after)}
MATHEMATICS = {name: either(getattr(math, name), getattr(cmath, name)) for name in ("sqrt", "exp", "log", "sin", "cos", "acos")} | {"pi": math.pi}
