#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the measurements of fits.mo into tests/truth/data, from their formulas: data.py."""
import math
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / "data"
ERRORS = (0.1, -0.2, 0.1)
TABLES = {  # times, value at a time
    "nano": ([0.5 * k for k in range(1, 13)], lambda t: 1e-9 * math.exp(-0.7 * t)),
    "tera": ([0.5 * k for k in range(1, 13)], lambda t: 1e12 * math.exp(-0.7 * t)),
    "unit": ([0.5 * k for k in range(1, 13)], lambda t: math.exp(-0.7 * t)),
    "fast": ([0.5e-9 * k for k in range(1, 13)], lambda t: math.exp(-7e8 * t)),
    "late": ([20 + k for k in range(10)], lambda t: 0),
    "offset": ([0.5 * k for k in range(1, 13)], lambda t: 1e6 + math.exp(-0.7 * t)),
    "product": ([1, 2, 3, 4, 5], lambda t: 6 * t),
    "saturated": ([0, 1, 2, 3, 4, 5], lambda t: 2 + 0.01 * ERRORS[t % 3]),
    "wave": ([0.1 * k for k in range(1, 41)], lambda t: math.sin(5 * t)),
    "line": ([0, 1, 2, 3, 4, 5], lambda t: 1 + 2 * t + ERRORS[t % 3]),
    "ray": (list(range(1, 11)), lambda t: 2 * t + (100 if t == 7 else 0) + 0.01 * ERRORS[t % 3]),
    "step": ([0, 1, 2, 3, 4, 5], lambda t: 1 if t > 2 else 0),
    "slow": ([1e5 * k for k in range(1, 9)], lambda t: math.exp(-7e-6 * t)),
    "culture": ([0.8 * k for k in range(1, 14)], lambda t: 1e-9 / (1 + 99 * math.exp(-1.2 * t))),
    "drift": ([1, 2, 3, 4, 5, 6], lambda t: 2e-6 + 3e-9 * t),
    "fill": ([0.1, 0.2, 0.3, 0.5], lambda t: 1),
    "pair": ([0.5 * k for k in range(1, 13)], lambda t: math.exp(-0.5 * t) + math.exp(-2 * t)),
    "zero": ([1, 2, 3, 4, 5], lambda t: 0),
}


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, (times, value) in TABLES.items():
        (FOLDER / f"{name}.csv").write_text("time,y\n" + "".join(f"{t:.12g},{value(t):.12g}\n" for t in times))


if __name__ == "__main__":
    main()
