#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""External C functions from a shared library that is compiled here, against closed forms: external.py BOLZA."""
import csv
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "external"
BOLZA = os.path.abspath(sys.argv[1])
failures = []


def run(folder, *arguments, environment=None):
    return subprocess.run([BOLZA, *arguments, "--trust"], cwd=folder, capture_output=True, text=True, timeout=600, check=False,
                          env={**os.environ, **(environment or {})})


def last_row(folder, command, model, *arguments, environment=None):
    done = run(folder, command, "external.mop", model, "--output", "out.csv", *arguments, environment=environment)
    if done.returncode != 0:
        failures.append(f"{model}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return {}, done
    with open(folder / "out.csv", newline="") as file:
        rows = list(csv.reader(file))
    return {name: float(last or first) for name, first, last in zip(rows[0], rows[1], rows[-1])}, done  # constants: in the first


def expect(what, value, exact, tolerance):
    if value is None or not abs(value - exact) <= tolerance:
        failures.append(f"{what}: {value}, should be {exact}")


def expect_text(what, text, *parts):
    for part in parts:
        if part not in text:
            failures.append(f"{what}: no `{part}` in\n{text}")


def simulated(folder):
    values, done = last_row(folder, "simulate", "E.M", "--tol", "1e-9")
    x, y = 0.5, math.tan(1)
    exact = {"x": x, "y": y, "r": math.hypot(x, y), "phi": math.atan2(y, x), "s": x + 2 * y, "w[1]": x + 2 * y, "w[2]": 3 * x + 4 * y,
             "e": 2 * math.sin(1), "v[6]": math.exp(-6)}  # six: the length of twice("abc")
    for name, number in exact.items():
        expect(name, values.get(name), number, 1e-6)  # the tolerance of the integration, grown by tan
    expect_text("E.M", done.stderr, "made", "freed", "derivatives of the external function `plain` are difference quotients [W306]")
    if "`square` are" in done.stderr:
        failures.append("square has a derivative, no quotients")
    values, _ = last_row(folder, "simulate", "E.Implicit", "--tol", "1e-9")
    root = values.get("x", 0)
    expect("2 sin x + x^2", 2 * math.sin(root) + root * root, 0.5, 1e-8)


def of_records_and_fortran(folder):
    values, done = last_row(folder, "simulate", "E.Records", "--stop", "1", "--tol", "1e-9")
    for name, number in {"y.sides": 7, "y.length": 2 * 1 + 8, "v[3]": 1 / 2 + 1 / 3 + 8}.items():  # x = 1 + t
        expect("Records " + name, values.get(name), number, 1e-7)
    values, _ = last_row(folder, "simulate", "E.Fortran", "--stop", "1", "--tol", "1e-9")
    for name, number in {"x[1]": 1 / 5, "x[2]": 3 / 5, "info": 0, "c": 8}.items():
        expect("Fortran " + name, values.get(name), number, 1e-7)
    done = run(folder, "simulate", "external.mop", "E.M", "--output", "out.csv", "--json")
    told = sorted(json.loads(done.stdout).get("difference_quotients", []))
    if told != ["mine_dot", "mul", "plain", "polar"]:
        failures.append(f"difference quotients in JSON: {told}")
    done = run(folder, "solve", "external.mop", "E.Least", "--output", "out.csv", "--report", "page.html", "--json")
    if not json.loads(done.stdout).get("difference_quotients"):
        failures.append("solve does not tell its difference quotients in JSON")
    expect_text("report of Least", (folder / "page.html").read_text(), "are difference quotients [W306]")


def of_c_text(folder):
    cache = {"BOLZA_CACHE": str(folder / "cache")}
    values, _ = last_row(folder, "simulate", "E.Written", "--stop", "1.5", "--tol", "1e-9", environment=cache)
    for name, number in {"area": math.pi * 1.5**2, "x": math.pi * 1.5**3 / 3, "y": 2 * 1.5**2, "n": 3}.items():
        expect("Written " + name, values.get(name), number, 1e-7)
    libraries = sorted((folder / "cache").glob("*.c.bolza"))
    made = [file.stat().st_mtime_ns for file in libraries]
    last_row(folder, "simulate", "E.Written", "--stop", "1", environment=cache)
    if len(libraries) != 3 or made != [file.stat().st_mtime_ns for file in sorted((folder / "cache").glob("*.c.bolza"))]:
        failures.append(f"three texts are compiled once each: {libraries}")
    header = folder / "Resources/Include/circle.h"
    header.write_text(header.read_text().replace("6.28318530717958647692", "2"))
    values, _ = last_row(folder, "simulate", "E.Written", "--stop", "1.5", environment=cache)
    expect("area after the included file has changed", values.get("area"), 1.5**2, 1e-12)


def as_words(*integers):
    return [(a & 0xFFFFFFFF) | (b & 0xFFFFFFFF) << 32 for a, b in zip(integers[::2], integers[1::2])]


def number_of(bits):  # signed, as a share of 2^64
    return (bits - 2**64 * (bits >> 63)) / 2**64 + 0.5


def of_random_numbers(folder):
    """The library's generators, by their definitions in Vigna's paper in Python's integers."""
    mask = 2**64 - 1
    values, _ = last_row(folder, "simulate", "E.Random", "--stop", "1")
    x = as_words(12345, 678)[0]
    x ^= x >> 12
    x ^= x << 25 & mask
    x ^= x >> 27
    expect("xorshift64*", values.get("y"), number_of(x * 2685821657736338717 & mask), 1e-15)
    a, b = as_words(1, -2, 3, 4)
    a ^= a << 23 & mask
    expect("xorshift128+", values.get("z"), number_of((a ^ b ^ a >> 17 ^ b >> 26) + b & mask), 1e-15)
    h = 0xAAAAAAAA
    for i, c in enumerate(b"noise.a"):
        h ^= (h << 7 ^ c * (h >> 3)) & 0xFFFFFFFF if i % 2 == 0 else ~((h << 11) + (c ^ h >> 5)) & 0xFFFFFFFF
    done = run(folder, "flatten", "external.mop", "E.Random")
    expect_text("hash", done.stdout, f"h(fixed = true) = {h - 2**32 * (h >> 31)};")


def solved(folder):
    values, _ = last_row(folder, "solve", "E.Least")
    u = values.get("u", 0)
    expect("stationarity of Least", 4 * u * (u * u - 2) + 2 * (u - 3), 0, 1e-6)
    values, _ = last_row(folder, "solve", "E.Path")
    expect("constant control of Path", values.get("u"), math.sqrt(2 * math.log(2)) - 1, 1e-6)  # by symmetry in time


def refused(folder):
    done = run(folder, "simulate", "external.mop", "E.Missing")
    expect_text("E.Missing", done.stderr, "`nowhere` was not found [E244]", "has no symbol nowhere", "make a shared library `libmine.so`",
                "`nowhere2` was not found [E244]", "of no help: the text of `Include`:1:", "undeclared",
                "`nowhere3` was not found [E244]", "of no help: it does not define `nowhere3`")
    done = run(folder, "simulate", "external.mop", "E.Written", environment={"CC": "no-such-compiler"})
    expect_text("E.Written without a compiler", done.stderr, "there is no C compiler: `no-such-compiler` cannot be run")
    done = run(folder, "simulate", "external.mop", "E.Written", "--stop", "3", "--output", "f.csv")
    expect_text("E.Written too far", done.stderr, "`disc_area`: r = ", "is too large")
    done = run(folder, "simulate", "external.mop", "E.Fails")
    expect_text("E.Fails", done.stderr, "failed: x = 1e+07 is too large [E245]")
    done = run(folder, "simulate", "external.mop", "E.FailsLater", "--output", "f.csv")
    expect_text("E.FailsLater", done.stderr, "`mine_square`: x = 1e+06 is too large")
    done = run(folder, "simulate", "external.mop", "E.Objects", "--output", "f.csv")
    expect_text("E.Objects", done.stderr, "[E6", "an assertion does not hold: x is too large")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    shutil.copy(FOLDER / "external.mop", folder)
    shutil.copytree(FOLDER / "Resources", folder / "Resources")
    compiled = subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", folder / "libmine.so", FOLDER / "mine.c", "-lm"], check=False)
    if compiled.returncode != 0:
        sys.exit("no C compiler")
    simulated(folder)
    of_records_and_fortran(folder)
    of_random_numbers(folder)
    solved(folder)
    refused(folder)
    of_c_text(folder)
print("\n".join(failures) or "external functions agree with their closed forms")
sys.exit(bool(failures))
